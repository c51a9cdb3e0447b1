import type { Failure } from "../errors.ts";
import type { MadeRevision } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { isUnsupported, mayHaveTakenEffect } from "../platform/error-kinds.ts";
import { code, type Message, text } from "../text/message.ts";
import { identifyRevision, pollForNew, type SentWrite } from "./identify-revision.ts";
import type { PlatformJob } from "./job.ts";
import { lostWrite } from "./lost-write.ts";
import type { RunRevision } from "./run-revision.ts";

/** A write that makes a revision of an existing deployment. */
export interface Write extends SentWrite {
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
  const { report, clock, cancelled } = job;
  const { deploymentId, before, source } = write;
  const sentAt = clock.now();
  const mayAppear = text`A revision of deployment ${code(deploymentId)} may have been started and may still be running on the platform.`;
  // Of a rollback, the run's time counts from its own write.
  const { sentAt: firstSentAt } = report.state;
  report.set({ sentAt: firstSentAt ?? sentAt, left: mayAppear });
  let made: MadeRevision;
  try {
    made = await write.send();
  } catch (error) {
    cancelled.throwIfAborted();
    report.set({ left: undefined });
    if (!mayHaveTakenEffect(error) || isUnsupported(error)) {
      report.set({ sentAt: firstSentAt });
      throw error;
    }
    made = { revision: await findUploaded(job, write, error, mayAppear) };
  }
  if (made.deployment !== undefined) report.deployment(made.deployment);
  const { id, createdAt } = made.revision ?? { id: made.deployment?.latestRevisionId ?? undefined };
  const revisionId = await identifyRevision(job, write, { id, createdAt });
  const isCertain = revisionId === made.revision?.id;
  return { deploymentId, revisionId, sentAt, source, before, isCertain, showsLive: before.showsLive };
}

/** The revision of an upload whose response was lost: no other one has the path of its archive. */
async function findUploaded(
  job: PlatformJob,
  { what, lostHint, ...write }: Write,
  cause: Failure,
  mayAppear: Message,
): Promise<Revision> {
  const { tarballPath } = write.source;
  const lost = lostWrite(cause, what, mayAppear, lostHint);
  if (tarballPath === undefined) throw lost;
  job.report.warning(text`${cause.ending.message} Checking whether ${what} succeeded anyway.`);
  const isUpload = ({ source }: Revision) => source?.tarballPath === tarballPath;
  const [found] = await pollForNew(job, write, isUpload);
  if (found === undefined) throw lost;
  return found;
}
