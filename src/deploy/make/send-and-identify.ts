import { type Failure, rollBackAgain, toResult } from "../../errors.ts";
import type { WriteResponse } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformJob } from "../../platform-job.ts";
import type { Write } from "../../report/state.ts";
import { type Message, text } from "../../text/message.ts";
import { LostWriteError, sendOnce } from "../../writes.ts";
import { identifyRevision, pollForNew } from "./identify-revision.ts";
import type { RevisionRequest, RunRevision } from "./run-revision.ts";

/**
 * Sends a request that makes a revision of an existing deployment, once, and returns that revision. `title` names it in
 * messages, such as "update of my-agent".
 *
 * @throws RequestError if the request is refused, LostWriteError if it may have taken effect, Failure if the revision can't be
 *   identified
 */
export async function sendAndIdentify(
  job: PlatformJob,
  planned: Omit<RevisionRequest, "startedAt">,
  title: Message,
  send: () => Promise<WriteResponse>,
): Promise<RunRevision> {
  const { isRollback } = planned;
  const write: Write = { kind: isRollback ? "rollback" : "update", title };
  const hint = isRollback ? rollbackLost : undefined;
  const sent = await toResult(() => sendOnce(job, write, send, hint), job.cancelled);
  const request = { ...planned, startedAt: job.clock.now() };
  const response = "value" in sent ? sent.value : await requireUploaded(job, request, sent.error);
  if (response.deployment !== undefined) job.report.setDeployment(response.deployment);
  return await identifyRevision(job, request, response);
}

const rollbackLost = text`Check on the platform which revision is live. ${rollBackAgain}`;

/**
 * Returns the revision of an upload whose response was lost. The unique path of its archive identifies it.
 *
 * @throws the failure of any other write
 */
async function requireUploaded(
  job: PlatformJob,
  request: RevisionRequest,
  failure: Failure,
): Promise<WriteResponse> {
  const { tarballPath } = request.content;
  if (!(failure instanceof LostWriteError) || tarballPath === undefined) throw failure;
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  // A rollback has the path of an earlier revision, which may be too old to be listed.
  const isPathUsed = request.isRollback || request.before.listed.some(isUpload);
  if (isPathUsed) throw failure;
  job.report.warning(text`${failure.ending.message} Checking whether it did.`);
  const polled = await pollForNew(job, request, isUpload);
  if (!("value" in polled)) throw failure;
  return { revision: polled.value[0] };
}
