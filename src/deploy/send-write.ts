import type { MadeRevision } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { type Message, text } from "../text/message.ts";
import { identifyRevision, pollForNew } from "./identify-revision.ts";
import type { PlatformJob } from "./job.ts";
import type { RunRevision, SentWrite } from "./run-revision.ts";
import { LostWrite, sendOnce } from "./send-once.ts";

/** A write that makes a revision of an existing deployment. */
export interface Write extends SentWrite {
  readonly kind: "revision" | "rollback";
  /** Such as "the update of agent". */
  readonly what: Message;
  readonly send: () => Promise<MadeRevision>;
  /** What to do if the response is lost; by default, that running the job again is safe. */
  readonly lostHint?: Message | undefined;
}

/**
 * Sends a write once, and returns the revision that it made.
 *
 * @throws the error of the request, which says so if it may have taken effect; Failure if the revision can't be identified.
 */
export async function sendWrite(job: PlatformJob, write: Write): Promise<RunRevision> {
  const { report, clock } = job;
  const { kind, deploymentId, before, content } = write;
  const sentAt = clock.now();
  const made = await sendOnce(job, { ...write, write: { kind, sentAt } }).catch((error: unknown) => {
    if (error instanceof LostWrite) return findUploaded(job, write, error);
    throw error;
  });
  if (made.deployment !== undefined) report.deployment(made.deployment);
  const { id, createdAt } = made.revision ?? { id: made.deployment?.latestRevisionId ?? undefined };
  const revisionId = await identifyRevision(job, write, { id, createdAt });
  const isCertain = revisionId === made.revision?.id;
  return {
    deploymentId,
    revisionId,
    sentAt,
    content,
    before,
    isCertain,
    showsLive: before.showsLive,
  };
}

/** The revision of an upload whose response was lost: no other one has the path of its archive. */
async function findUploaded(job: PlatformJob, write: Write, lost: LostWrite): Promise<MadeRevision> {
  const { report } = job;
  const { tarballPath } = write.content;
  if (tarballPath === undefined) throw lost;
  report.warning(text`${lost.reason} Checking whether ${write.what} succeeded anyway.`);
  const isUpload = ({ content }: Revision) => content?.tarballPath === tarballPath;
  const [found] = await pollForNew(job, write, isUpload);
  if (found === undefined) throw lost;
  return { revision: found };
}
