import { isDeepStrictEqual } from "node:util";
import { CancelledError, Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound, mayKeepPolling } from "../../platform/error-kinds.ts";
import { describeWaiting } from "../../report/sentences/watch.ts";
import { hasFailed, type NotLiveYet, type WatchResult, type WatchResultOf } from "../../results/watch.ts";
import { text } from "../../text/message.ts";
import { objectionTo } from "../apply/match-revision.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { RevisionJob } from "../job.ts";
import { showFailureLog } from "./failure-log.ts";
import { interruptRevision } from "./interrupt.ts";
import { LiveLog } from "./live-log.ts";
import { readLiveState, undefinedIfTransient } from "./live-state.ts";
import { findLogCause } from "./log-cause.ts";
import { type BuiltSource, findLogPlace } from "./log-place.ts";

/** For how long after the request a 404 means that the revision is not visible yet, in milliseconds. */
const visibilityMs = 60_000;

/**
 * Polls this run's revision until it ends or the time is up, and once more then (docs/specification.md#watching). Shows the
 * log of a build or deploy as the options say. `built`: what this run had built.
 *
 * @throws ResponseError on 401, 403 and on a 404 after the first minute, and the reason of a cancellation.
 */
export async function watch(
  job: RevisionJob,
  run: RunRevision,
  { built }: { built?: BuiltSource } = {},
): Promise<WatchResult> {
  const { options, cancelled } = job;
  const liveLog = options.buildLog === "live" ? new LiveLog(job, run) : undefined;
  const watcher = new Watcher(job, run, liveLog);
  let result: WatchResult;
  try {
    result = await watcher.watch();
  } catch (error) {
    // A preview that is no longer wanted ends the watching too, and is deleted.
    const isInterrupted = options.interruptOnCancel && cancelled.reason instanceof CancelledError;
    if (isInterrupted && !watcher.hasEnded) await interruptRevision(job, run);
    throw error;
  } finally {
    liveLog?.close();
  }
  if (!hasFailed(result)) return result;
  const log = await showFailureLog(job, run, result.revision.status, liveLog);
  const place = built && log && (await findLogPlace(job, built, log.lines));
  const cause = log && findLogCause(log);
  return { ...result, shownLog: log?.type, cause, place, builtFrom: built && builtFrom(built) };
}

function builtFrom({ plan, upload }: BuiltSource): WatchResultOf<"ended">["builtFrom"] {
  if (upload !== undefined) return "upload";
  return plan.source.imageUri === undefined ? "ref" : "image";
}

/** Without waiting: reports the revision as it was identified, if it was read then. */
export function reportUnwatched({ report }: RevisionJob, { snapshot }: RunRevision): void {
  if (snapshot !== undefined) report.polled(snapshot);
}

class Watcher {
  readonly #job: RevisionJob;
  readonly #run: RunRevision;
  readonly #liveLog: LiveLog | undefined;
  readonly #controlPlane: ControlPlane;
  #revision: Revision | undefined;
  /** Why the last poll failed, if it did. */
  #lastFailure: Failure | undefined;
  /** What was last seen instead, if this run's revision was `DEPLOYED` but not live. */
  #notLiveYet: NotLiveYet | undefined;

  constructor(job: RevisionJob, run: RunRevision, liveLog: LiveLog | undefined) {
    this.#job = job;
    this.#run = run;
    this.#liveLog = liveLog;
    this.#controlPlane = job.controlPlane.withoutRetry();
  }

  get hasEnded(): boolean {
    return this.#revision !== undefined && this.#revision.status.kind !== "pending";
  }

  async watch(): Promise<WatchResult> {
    const { timeoutMs, pollIntervalMs } = this.#job.options;
    const policy = {
      deadline: this.#run.requestedAt + timeoutMs,
      delayMs: pollIntervalMs,
      mayKeepPolling: (error: Failure) =>
        mayKeepPolling(error) && !(isNotFound(error) && this.#shouldBeVisible),
      describe: (error: Failure) =>
        isNotFound(error) && this.#revision === undefined
          ? text`The revision is not visible yet. Retrying.`
          : text`${error.ending.message} Retrying.`,
    };
    return (await pollUntil(() => this.#poll(), policy, this.#job)) ?? (await this.#timeUp());
  }

  get #shouldBeVisible(): boolean {
    return this.#job.clock.now() - this.#run.requestedAt >= visibilityMs;
  }

  async #poll(): Promise<WatchResult | undefined> {
    try {
      const result = await this.#readRevision();
      this.#lastFailure = undefined;
      return result;
    } catch (error) {
      if (error instanceof Failure) this.#lastFailure = error;
      throw error;
    }
  }

  async #readRevision(): Promise<WatchResult | undefined> {
    const { deploymentId, revisionId } = this.#run;
    const revision = await this.#controlPlane.getRevision(deploymentId, revisionId);
    const wasInterrupted = this.#revision?.status.kind === "interrupted";
    try {
      await this.#liveLog?.onPoll(revision.status);
    } finally {
      // What was read counts even if the run is cancelled meanwhile.
      this.#job.report.polled(revision);
      this.#revision = revision;
    }
    const objection = objectionTo(revision, this.#run);
    if (objection !== undefined) return { kind: objection, revision };
    const { kind } = revision.status;
    if (kind === "deployed") return await this.#confirmLive(revision);
    // An interrupted revision may go on, so it gets one more poll.
    const mayGoOn = kind === "pending" || (kind === "interrupted" && !wasInterrupted);
    return mayGoOn ? undefined : { kind: "ended", revision };
  }

  /** After `DEPLOYED`: how this ends, or undefined if this run's revision may still become live. */
  async #confirmLive(revision: Revision): Promise<WatchResult | undefined> {
    const { clock, report } = this.#job;
    const deployment = await this.#controlPlane.getDeployment(this.#run.deploymentId);
    report.deployment(deployment);
    const { url, repoUrl } = deployment;
    const live = await readLiveState(this.#job, this.#run, deployment, revision);
    if (live.kind === "ours") return { kind: "live", revision, url, repoUrl };
    if (live.kind === "newer") return { kind: "replaced", revision, liveRevisionId: live.id, repoUrl };
    if (live.kind === "being_deleted") {
      return { kind: "being_deleted", revision, deploymentId: deployment.id };
    }
    if (live.kind === "undecided" && live.status.kind !== "pending") {
      return { kind: "not_live", revision, live, waitedMs: clock.now() - this.#run.requestedAt };
    }
    if (!isDeepStrictEqual(live, this.#notLiveYet)) report.info(describeWaiting(revision.id, live));
    this.#notLiveYet = live;
    return undefined;
  }

  async #timeUp(): Promise<WatchResult> {
    const waitedMs = this.#job.options.timeoutMs;
    const { revisionId } = this.#run;
    const revision = this.#revision;
    if (revision?.status.kind === "interrupted") return { kind: "ended", revision };
    if (revision?.status.kind === "deployed") {
      if (this.#notLiveYet === undefined) {
        // Reading the live revision failed, maybe for a moment only.
        const result = await undefinedIfTransient(() => this.#confirmLive(revision), this.#job.cancelled);
        if (result !== undefined) return result;
      }
      if (this.#notLiveYet !== undefined) {
        return { kind: "not_live", revision, live: this.#notLiveYet, waitedMs };
      }
    }
    if (revision?.status.kind === "pending") {
      const liveRevisionId = await this.#newerLiveId(revision);
      if (liveRevisionId !== undefined) return { kind: "overtaken", revision, liveRevisionId, waitedMs };
    }
    return { kind: "timed_out", revisionId, revision, failure: this.#lastFailure, waitedMs };
  }

  async #newerLiveId(ours: Revision): Promise<string | undefined> {
    const read = () => this.#controlPlane.getDeployment(this.#run.deploymentId);
    const deployment = await undefinedIfTransient(read, this.#job.cancelled);
    const live = deployment && (await readLiveState(this.#job, this.#run, deployment, ours));
    return live?.kind === "newer" ? live.id : undefined;
  }
}
