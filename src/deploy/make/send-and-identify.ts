import { type Failure, rollBackAgain, toResult } from "../../errors.ts";
import type { WriteResponse } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformContext } from "../../platform-context.ts";
import type { Write } from "../../report/state.ts";
import { type Message, text } from "../../text/message.ts";
import { LostWriteError, sendOnce } from "../../writes.ts";
import { identifyRevision, pollForNew } from "./identify-revision.ts";
import type { OwnRevision, SentRevision } from "./own-revision.ts";

/**
 * Sends a request that makes a revision of an existing deployment, once, and returns that revision. `title` names it in
 * messages, such as "update of my-agent".
 *
 * @throws RequestError if the request is refused, LostWriteError if it may have taken effect, Failure if the revision can't be
 *   identified
 */
export async function sendAndIdentify(
  context: PlatformContext,
  planned: Omit<SentRevision, "startedAt">,
  title: Message,
  send: () => Promise<WriteResponse>,
): Promise<OwnRevision> {
  const { isRollback } = planned;
  const write: Write = { kind: isRollback ? "rollback" : "update", title };
  const hint = isRollback ? rollbackLost : undefined;
  const sent = await toResult(() => sendOnce(context, write, send, hint), context.cancelled);
  const request = { ...planned, startedAt: context.clock.now() };
  const response = "value" in sent ? sent.value : await requireUploaded(context, request, sent.error);
  if (response.deployment !== undefined) context.report.setDeployment(response.deployment);
  return await identifyRevision(context, request, response);
}

const rollbackLost = text`Check on the platform which revision is live. ${rollBackAgain}`;

/**
 * Returns the revision of an upload whose response was lost. The unique path of its archive identifies it.
 *
 * @throws the failure of any other write
 */
async function requireUploaded(
  context: PlatformContext,
  request: SentRevision,
  failure: Failure,
): Promise<WriteResponse> {
  const { tarballPath } = request.content;
  if (!(failure instanceof LostWriteError) || tarballPath === undefined) throw failure;
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  // A rollback has the path of an earlier revision, which may be too old to be listed.
  const isPathUsed = request.isRollback || request.before.listed.some(isUpload);
  if (isPathUsed) throw failure;
  context.report.warning(text`${failure.ending.message} Checking whether it did.`);
  const polled = await pollForNew(context, request, isUpload);
  if (!("value" in polled)) throw failure;
  return { revision: polled.value[0] };
}
