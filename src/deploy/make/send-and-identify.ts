import type { RevisionResponse } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformJob } from "../../platform-job.ts";
import { text } from "../../text/message.ts";
import { LostWrite, sendOnce, type WriteRequest } from "../../writes/send-once.ts";
import { identifyRevision, pollForNew } from "./identify-revision.ts";
import type { RevisionWrite, RunRevision } from "./run-revision.ts";

/**
 * Sends a request that makes a revision of an existing deployment, once, and returns that revision.
 *
 * @throws RequestError if the request is refused, LostWrite if it may have taken effect, Failure if the revision can't be
 *   identified
 */
export async function sendAndIdentify(
  job: PlatformJob,
  write: RevisionWrite,
  request: WriteRequest<RevisionResponse>,
): Promise<RunRevision> {
  const kind = write.isRollback ? "rollback" : "revision";
  const response = await sendOnce(job, { kind, sentAt: write.sentAt }, request).catch((error: unknown) => {
    if (error instanceof LostWrite) return findUploaded(job, write, error);
    throw error;
  });
  if (response.deployment !== undefined) job.report.foundDeployment(response.deployment);
  return await identifyRevision(job, write, response);
}

/**
 * Returns the revision of an upload whose response was lost: no other one has the path of its archive, unless it was listed
 * before.
 */
async function findUploaded(
  job: PlatformJob,
  write: RevisionWrite,
  lost: LostWrite,
): Promise<RevisionResponse> {
  const { tarballPath } = write.content;
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  // What is rolled back to may be older than all that is listed.
  const isUsed = write.isRollback || write.before.listed.some(isUpload);
  if (tarballPath === undefined || isUsed) throw lost;
  job.report.warning(text`${lost.ending.message} Checking whether it did.`);
  const found = await pollForNew(job, write, isUpload);
  if (!("value" in found)) throw lost;
  return { revision: found.value[0] };
}
