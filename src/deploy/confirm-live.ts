import { Failure } from "../errors.ts";
import { pollUntil } from "../http/poll.ts";
import { RequestError } from "../http/request-error.ts";
import { mayKeepPolling } from "../platform/error-kinds.ts";
import { code, id, text } from "../text/message.ts";
import { requireOnlyNew } from "./identify-revision.ts";
import type { RevisionJob } from "./job.ts";
import { type LiveDeployment, pollLive } from "./live.ts";
import { liveUnreadable, notLive, revisionEnded } from "./revision-ends.ts";
import type { RunRevision } from "./run-revision.ts";

/** How long the platform is read at least, whatever is left of the run's time; in milliseconds. */
const minReadMs = 30_000;

/**
 * Reads once more, after the checks, that this run's revision is live (docs/specification.md#live).
 *
 * @throws Failure with the outcome that it would have had during the watch, or that says that it can't be read.
 */
export async function confirmLive(job: RevisionJob, run: RunRevision): Promise<LiveDeployment> {
  const { clock, options, report } = job;
  const deadline = Math.max(run.sentAt + options.timeoutMs, clock.now() + minReadMs);
  let unconfirmed: Failure | undefined;
  const attempt = async () => {
    try {
      return await readConfirmation(job, run);
    } catch (error) {
      if (error instanceof Failure) unconfirmed = error;
      const isFinal = error instanceof RequestError && !mayKeepPolling(error);
      throw isFinal ? liveUnreadable(run.revisionId, error) : error;
    }
  };
  report.set({ liveRevisionId: undefined });
  const policy = { deadline, delayMs: options.pollIntervalMs, mayKeepPolling };
  const live = await pollUntil(attempt, policy, job);
  if (live === undefined) throw liveUnreadable(run.revisionId, unconfirmed);
  return live;
}

/** Undefined if the revision is pending again. */
async function readConfirmation(job: RevisionJob, run: RunRevision): Promise<LiveDeployment | undefined> {
  const { controlPlane, report } = job;
  const { deploymentId, revisionId } = run;
  const revision = await controlPlane.withoutRetry().getRevision(deploymentId, revisionId);
  report.polled(revision, run);
  const { kind, raw } = revision.status;
  if (kind === "pending") {
    report.info(text`Revision ${id(revisionId)} is ${code(raw)} again. Waiting for it.`);
    return undefined;
  }
  if (kind !== "deployed") throw await revisionEnded(job, run, revision);
  const { deployment, state, listed } = await pollLive(job, run);
  report.set({ liveRevisionId: state.id });
  const failure = notLive(run, state);
  if (failure !== undefined) throw failure;
  requireOnlyNew(run, listed);
  return { deployment, revision };
}
