import { Failure, toResult } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound, mayKeepPolling } from "../../platform/error-kinds.ts";
import { code, duration, id, inputName, text } from "../../text/message.ts";
import type { LiveRevision } from "../find/history.ts";
import type { RevisionJob } from "../job.ts";
import { findSecondNew } from "../make/identify-revision.ts";
import { type RunRevision, visibilityMs } from "../make/run-revision.ts";
import { readLive } from "./live.ts";
import type { LiveLog } from "./logs/live-log.ts";
import { endOf, findOther, liveUnreadable, notLive, notOurs } from "./revision-ends.ts";

interface WatchOptions {
  /** When the time is up, in milliseconds since the epoch. */
  readonly deadline: number;
  readonly liveLog?: LiveLog | undefined;
  /** Whether the revision was live already, so that no switch to it is waited for. */
  readonly wasLive?: boolean;
}

/** Watches one revision until it is live or has ended otherwise. */
export class Watcher {
  readonly #job: RevisionJob;
  readonly #ours: RunRevision;
  readonly #options: WatchOptions;
  #revision: Revision | undefined;
  /** Whether the previous poll saw the revision interrupted. */
  #wasInterrupted = false;
  /** Why the revision, which is `DEPLOYED`, was not live at the last poll. */
  #lastReason: Failure | undefined;

  constructor(job: RevisionJob, ours: RunRevision, options: WatchOptions) {
    // A failed request is not retried: the next poll follows anyway.
    this.#job = { ...job, controlPlane: job.controlPlane.once() };
    this.#ours = ours;
    this.#options = options;
  }

  get hasEnded(): boolean {
    return this.#revision !== undefined && this.#revision.status.kind !== "pending";
  }

  async watch(): Promise<LiveRevision> {
    const policy = {
      deadline: this.#options.deadline,
      delayMs: this.#job.options.pollIntervalMs,
      mayKeepPolling: (error: Failure) =>
        mayKeepPolling(error) && !(isNotFound(error) && this.#shouldBeVisible),
    };
    const polled = await pollUntil(() => this.#poll(), policy, this.#job);
    const end = "value" in polled ? polled.value : await this.#timeUp(polled.lastFailure);
    // Thrown only here: `pollUntil` would throw a cancellation in place of a failure that was seen.
    if (!(end instanceof Failure)) return end;
    // The failure says what became of the revision.
    if (this.hasEnded) this.#job.report.setPhase("ended");
    throw end;
  }

  get #shouldBeVisible(): boolean {
    return this.#job.clock.now() - this.#ours.sentAt >= visibilityMs;
  }

  /** The live deployment, or why it will not be live; undefined as long as it may. */
  async #poll(): Promise<LiveRevision | Failure | undefined> {
    const revision = await this.#readRevision();
    const other = notOurs(revision, this.#ours);
    if (other !== undefined) {
      this.#job.report.forgetRevision();
      return other;
    }
    const { kind } = revision.status;
    if (kind === "deployed") return await this.#findLive(revision);
    // An interrupted revision may continue, so it gets one more poll.
    if (kind === "pending" || (kind === "interrupted" && !this.#wasInterrupted)) return undefined;
    return await endOf(this.#job, this.#ours, revision);
  }

  async #readRevision(): Promise<Revision> {
    const { report, controlPlane } = this.#job;
    const { deploymentId, revisionId } = this.#ours;
    const revision = await controlPlane.getRevision(deploymentId, revisionId);
    this.#wasInterrupted = this.#revision?.status.kind === "interrupted";
    this.#revision = revision;
    try {
      await this.#options.liveLog?.onPoll(revision.status);
    } finally {
      // What was read counts even if the run is cancelled meanwhile.
      report.polled(revision);
    }
    return revision;
  }

  async #findLive(revision: Revision): Promise<LiveRevision | Failure | undefined> {
    const { report } = this.#job;
    const { deployment, state, listed } = await readLive(this.#job, this.#ours);
    report.set({ liveRevisionId: state.id });
    const failure = notLive(this.#ours, state) ?? findSecondNew(this.#ours, listed);
    if (failure === undefined) return { deployment, revision };
    if (state.kind !== "older" || this.#options.wasLive) return failure;
    if (this.#lastReason === undefined) report.info(text`${failure.ending.message} Waiting for the switch.`);
    this.#lastReason = failure;
    return undefined;
  }

  /** The failure when the time is up. `failure`: why the last poll failed, if it did. */
  async #timeUp(failure: Failure | undefined): Promise<Failure> {
    const { revisionId } = this.#ours;
    const waited = duration(this.#options.deadline - this.#ours.sentAt);
    const { kind, raw } = this.#revision?.status ?? {};
    if (kind === "deployed" || (kind === undefined && this.#options.wasLive))
      return this.#lastReason ?? liveUnreadable(revisionId, failure);
    if (kind === "interrupted" && this.#revision !== undefined)
      return await endOf(this.#job, this.#ours, this.#revision);
    // If that can't be read, the time is up all the same.
    const other = await toResult(() => findOther(this.#job, this.#ours), this.#job.cancelled);
    if ("value" in other && other.value !== undefined) return other.value;
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
      hint: text`${resume}If it usually takes this long, raise ${inputName("timeout_seconds")}. A stuck revision blocks later deployments.`,
    });
  }
}
