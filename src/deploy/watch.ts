import { CancelledError, Failure, toResult } from "../errors.ts";
import { pollUntil } from "../http/poll.ts";
import type { Revision } from "../platform/deployment.ts";
import { isNotFound, mayKeepPolling } from "../platform/error-kinds.ts";
import { code, duration, id, input, text } from "../text/message.ts";
import { interruptRevision } from "./interrupt.ts";
import type { RevisionJob } from "./job.ts";
import { type LiveDeployment, pollLive } from "./live.ts";
import { LiveLog } from "./logs/live-log.ts";
import {
  findOther,
  interrupted,
  liveUnreadable,
  notLive,
  revisionEnded,
  superseded,
} from "./revision-ends.ts";
import type { RunRevision } from "./run-revision.ts";

/** For how long after the request a 404 means that the revision is not visible yet, in milliseconds. */
const visibilityMs = 60_000;

/**
 * Polls this run's revision until it is live (docs/specification.md#watching).
 *
 * @throws Failure if it ended otherwise or the time is up, RequestError on 401, 403 and on a 404 after the first minute, and
 *   the reason of a cancellation.
 */
export async function watch(job: RevisionJob, run: RunRevision): Promise<LiveDeployment> {
  const { options, cancelled } = job;
  const liveLog = options.buildLog === "live" ? new LiveLog(job, run) : undefined;
  const watcher = new Watcher(job, run, liveLog);
  try {
    return await watcher.watch();
  } catch (error) {
    const isInterrupted = options.interruptOnCancel && cancelled.reason instanceof CancelledError;
    if (isInterrupted && !watcher.hasEnded) await interruptRevision(job, run);
    throw error;
  } finally {
    liveLog?.close();
  }
}

class Watcher {
  readonly #job: RevisionJob;
  readonly #run: RunRevision;
  readonly #liveLog: LiveLog | undefined;
  #revision: Revision | undefined;
  /** Whether the poll before the last one saw it interrupted. */
  #wasInterrupted = false;
  /** Why the last poll failed, if it did. */
  #lastFailure: Failure | undefined;
  /** The failure if the revision, which is `DEPLOYED`, does not become live in time. */
  #notLive: Failure | undefined;

  constructor(job: RevisionJob, run: RunRevision, liveLog: LiveLog | undefined) {
    this.#job = job;
    this.#run = run;
    this.#liveLog = liveLog;
  }

  get hasEnded(): boolean {
    return this.#revision !== undefined && this.#revision.status.kind !== "pending";
  }

  async watch(): Promise<LiveDeployment> {
    const { timeoutMs, pollIntervalMs } = this.#job.options;
    const policy = {
      deadline: this.#run.sentAt + timeoutMs,
      delayMs: pollIntervalMs,
      mayKeepPolling: (error: Failure) =>
        mayKeepPolling(error) && !(isNotFound(error) && this.#shouldBeVisible),
    };
    const end = (await pollUntil(() => this.#poll(), policy, this.#job)) ?? (await this.#timeUp());
    // Not thrown before: a failure that was seen counts even if the run is cancelled then.
    if (!(end instanceof Failure)) return end;
    // It says itself that the revision was not checked.
    if (this.hasEnded) this.#job.report.set({ left: undefined });
    throw end;
  }

  get #shouldBeVisible(): boolean {
    return this.#job.clock.now() - this.#run.sentAt >= visibilityMs;
  }

  async #poll(): Promise<LiveDeployment | Failure | undefined> {
    this.#lastFailure = undefined;
    try {
      const revision = await this.#readRevision();
      return await this.#follow(revision);
    } catch (error) {
      if (error instanceof Failure) this.#lastFailure = error;
      throw error;
    }
  }

  async #readRevision(): Promise<Revision> {
    const { report, controlPlane } = this.#job;
    const { deploymentId, revisionId } = this.#run;
    const revision = await controlPlane.withoutRetry().getRevision(deploymentId, revisionId);
    this.#wasInterrupted = this.#revision?.status.kind === "interrupted";
    this.#revision = revision;
    try {
      await this.#liveLog?.onPoll(revision.status);
    } finally {
      // What was read counts even if the run is cancelled meanwhile.
      report.polled(revision, this.#run);
    }
    return revision;
  }

  /** The live deployment, or why it will not be live; undefined as long as it may. */
  async #follow(revision: Revision): Promise<LiveDeployment | Failure | undefined> {
    const other = findOther(this.#job, revision, this.#run);
    if (other !== undefined) return other;
    const { kind } = revision.status;
    if (kind === "deployed") return await this.#findLive(revision);
    // An interrupted revision may go on, so it gets one more poll.
    if (kind === "pending" || (kind === "interrupted" && !this.#wasInterrupted)) return undefined;
    return await revisionEnded(this.#job, this.#run, revision, this.#liveLog?.lastLines);
  }

  async #findLive(revision: Revision): Promise<LiveDeployment | Failure | undefined> {
    const { report } = this.#job;
    const { deployment, state } = await pollLive(this.#job, this.#run);
    report.set({ liveRevisionId: state.id });
    const failure = notLive(this.#run, state);
    if (failure === undefined) return { deployment, revision };
    if (state.kind !== "older") return failure;
    if (this.#notLive === undefined) report.info(text`${failure.ending.message} Waiting for the switch.`);
    this.#notLive = failure;
    return undefined;
  }

  async #timeUp(): Promise<Failure> {
    const { revisionId } = this.#run;
    const waited = duration(this.#job.options.timeoutMs);
    const { kind, raw } = this.#revision?.status ?? {};
    const failure = this.#lastFailure;
    if (kind === "deployed") return this.#notLive ?? liveUnreadable(revisionId, failure);
    if (kind === "interrupted" && this.#revision !== undefined) return interrupted(this.#revision);
    const newer = await this.#findNewer();
    if (newer !== undefined) return newer;
    const status =
      raw === undefined
        ? text`was still not visible`
        : failure === undefined
          ? text`is still ${code(raw)}`
          : text`was ${code(raw)} when it was last seen`;
    const resume = this.#job.records && text`Re-run this job to continue watching the same revision. `;
    return new Failure(text`After ${waited}, revision ${id(revisionId)} ${status}.`, {
      outcome: "timed_out",
      details: failure === undefined ? [] : [text`The last poll failed: ${failure.ending.message}`],
      hint: text`${resume}If it usually takes this long, raise ${input("timeout_seconds")}. A stuck revision blocks later deployments.`,
    });
  }

  /** The failure if a newer revision is live while this one is pending; undefined if that can't be read. */
  async #findNewer(): Promise<Failure | undefined> {
    const read = await toResult(() => pollLive(this.#job, this.#run), this.#job.cancelled);
    if (!("value" in read) || read.value.state.kind !== "newer") return undefined;
    const { id: newerId } = read.value.state;
    this.#job.report.set({ liveRevisionId: newerId });
    return superseded(this.#run.revisionId, newerId);
  }
}
