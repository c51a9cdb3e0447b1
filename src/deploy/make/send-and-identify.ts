import { rollBackAgain } from "../../errors.ts";
import type { RevisionResponse } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformJob } from "../../platform-job.ts";
import { type Message, text } from "../../text/message.ts";
import { LostWrite, sendOnce } from "../../writes.ts";
import { identifyRevision, pollForNew } from "./identify-revision.ts";
import type { RevisionRequest, RunRevision } from "./run-revision.ts";

/**
 * Sends a request that makes a revision of an existing deployment, once, and returns that revision. `title` names it in
 * messages, such as "update of my-agent".
 *
 * @throws RequestError if the request is refused, LostWrite if it may have taken effect, Failure if the revision can't be
 *   identified
 */
export async function sendAndIdentify(
  job: PlatformJob,
  request: RevisionRequest,
  title: Message,
  send: () => Promise<RevisionResponse>,
): Promise<RunRevision> {
  const { isRollback, sentAt } = request;
  const write = { kind: isRollback ? "rollback" : "update", title, sentAt } as const;
  const sent = sendOnce(job, write, send, isRollback ? rollbackLost : undefined);
  const response = await sent.catch((error: unknown) => {
    if (error instanceof LostWrite) return findUploaded(job, request, error);
    throw error;
  });
  if (response.deployment !== undefined) job.report.foundDeployment(response.deployment);
  return await identifyRevision(job, request, response);
}

const rollbackLost = text`Check on the platform which revision is live. ${rollBackAgain}`;

/** Returns the revision of an upload whose response was lost. The unique path of its archive identifies it. */
async function findUploaded(
  job: PlatformJob,
  request: RevisionRequest,
  lost: LostWrite,
): Promise<RevisionResponse> {
  const { tarballPath } = request.content;
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  // A rollback has the path of an earlier revision, which may be too old to be listed.
  const isPathUsed = request.isRollback || request.before.listed.some(isUpload);
  if (tarballPath === undefined || isPathUsed) throw lost;
  job.report.warning(text`${lost.ending.message} Checking whether it did.`);
  const polled = await pollForNew(job, request, isUpload);
  if (!("value" in polled)) throw lost;
  return { revision: polled.value[0] };
}
