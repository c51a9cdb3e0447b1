import type { Ending } from "../ending.ts";
import { type ActionError, bestEffort, toError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { pollUntil } from "../http/poll.ts";
import { pollDelayMs } from "../http/poll-delay.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { isNotFound, isWorthRetrying } from "../platform/failures.ts";
import { isSameId } from "../platform/routes.ts";
import type { Status } from "../platform/status.ts";
import { formatDuration } from "../text/format.ts";
import { type AppliedRevision, deploysSource, existedBefore } from "./attribution.ts";
import { wasCreatedAfter } from "./newer-revision.ts";
import * as endings from "./watch-endings.ts";

export interface WatchOptions {
  /** From the write on, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest delay between two polls, in milliseconds. */
  readonly maxDelayMs: number;
  /** How long such a revision usually takes from its write on, in milliseconds. */
  readonly typicalMs?: number | undefined;
  /** Called with the status of each poll before it is reported. */
  readonly onPoll?: ((status: Status) => Promise<void>) | undefined;
  /** Called if the run is cancelled while the revision is pending. */
  readonly onCancel?: () => Promise<void>;
}

/** How the revision ended, as far as it was seen. */
export interface WatchResult {
  readonly ending: Ending;
  /** As last read. */
  readonly revision: Revision | undefined;
  /** The deployment's URL, if the platform shows it. */
  readonly url: string | undefined;
  /** The repository of the deployment, if the platform shows it. */
  readonly repoUrl: string | undefined;
}

/** For how long after the write a 404 means that the revision is not visible yet, in milliseconds. */
const visibilityMs = 60_000;

/**
 * Polls this run's revision until it ends or the time is up, and once more then (docs/specification.md#watching).
 *
 * @throws ResponseError on 401, 403 and on a 404 after the first minute, and the reason of a cancellation.
 */
export async function watchRevision(
  applied: AppliedRevision,
  options: WatchOptions,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<WatchResult> {
  const watcher = new Watcher(applied, options, controlPlane.withoutRetry(), context);
  try {
    return await watcher.watch();
  } catch (error) {
    if (context.cancelled.aborted && !watcher.hasEnded) await options.onCancel?.();
    throw error;
  }
}

class Watcher {
  readonly #applied: AppliedRevision;
  readonly #options: WatchOptions;
  readonly #controlPlane: ControlPlane;
  readonly #context: RunContext;
  #revision: Revision | undefined;
  /** When its current status was first seen, in milliseconds since the epoch. */
  #statusSince: number;
  readonly #seenStatuses = new Set<string>();
  #url: string | undefined;
  #repoUrl: string | undefined;
  /** Why the last poll failed, if it did. */
  #lastFailure: string | undefined;
  /** The revision that is live although this run's is `DEPLOYED`. */
  #otherLive: endings.OtherLive | undefined;

  constructor(
    applied: AppliedRevision,
    options: WatchOptions,
    controlPlane: ControlPlane,
    context: RunContext,
  ) {
    this.#applied = applied;
    this.#options = options;
    this.#controlPlane = controlPlane;
    this.#context = context;
    this.#statusSince = applied.writtenAt;
  }

  get hasEnded(): boolean {
    return this.#revision !== undefined && this.#revision.status.kind !== "pending";
  }

  async watch(): Promise<WatchResult> {
    const { writtenAt } = this.#applied;
    const policy = {
      deadline: writtenAt + this.#options.timeoutMs,
      delayMs: () => this.#delayMs(),
      tolerates: (error: ActionError) =>
        isWorthRetrying(error) && !(isNotFound(error) && this.#shouldBeVisible),
      describe: (error: ActionError) =>
        isNotFound(error) && this.#revision === undefined
          ? "The revision is not visible yet. Retrying."
          : `${error.message} Retrying.`,
    };
    const ending = (await pollUntil(() => this.#poll(), policy, this.#context)) ?? (await this.#timeUp());
    return { ending, revision: this.#revision, url: this.#url, repoUrl: this.#repoUrl };
  }

  get #shouldBeVisible(): boolean {
    return this.#context.clock.now() - this.#applied.writtenAt >= visibilityMs;
  }

  #delayMs(): number {
    const { typicalMs, maxDelayMs } = this.#options;
    const now = this.#context.clock.now();
    const elapsedMs = now - this.#applied.writtenAt;
    const expected = typicalMs === undefined ? undefined : { elapsedMs, typicalMs };
    return pollDelayMs(maxDelayMs, now - this.#statusSince, expected);
  }

  async #poll(): Promise<Ending | undefined> {
    try {
      const ending = await this.#readRevision();
      this.#lastFailure = undefined;
      return ending;
    } catch (error) {
      this.#lastFailure = toError(error).message;
      throw error;
    }
  }

  async #readRevision(): Promise<Ending | undefined> {
    const { deploymentId, revisionId, source } = this.#applied;
    const revision = await this.#controlPlane.getRevision(deploymentId, revisionId);
    try {
      await this.#options.onPoll?.(revision.status);
    } finally {
      // What was read counts even if the run is cancelled meanwhile.
      await this.#reportRevision(revision);
      this.#revision = revision;
    }
    if (deploysSource(revision, source) === false) return endings.deploysAnother(revision);
    const { kind } = revision.status;
    if (kind === "deployed") return await this.#confirmLive(revision);
    return kind === "pending" ? undefined : endings.endedAs(kind, revision);
  }

  async #reportRevision({ status, commitSha, statusMessage }: Revision): Promise<void> {
    const { emit, log, clock } = this.#context;
    if (!status.isKnown && !this.#seenStatuses.has(status.raw)) {
      log.info(`Unknown status ${status.raw}; treating it as in progress.`);
    }
    this.#seenStatuses.add(status.raw);
    if (this.#revision?.status.raw !== status.raw) {
      this.#statusSince = clock.now();
      await emit({ kind: "status_changed", status, at: this.#statusSince });
    }
    await emit({ kind: "revision_read", commitSha, statusMessage });
  }

  /** After `DEPLOYED`: if the platform shows which revision is live, it must be ours or a newer one. */
  async #confirmLive(ours: Revision): Promise<Ending | undefined> {
    const { emit, log } = this.#context;
    const deployment = await this.#controlPlane.getDeployment(this.#applied.deploymentId);
    await emit({ kind: "deployment_seen", deployment });
    this.#url = deployment.url;
    this.#repoUrl = deployment.repoUrl;
    const { activeRevisionId } = deployment;
    if (typeof activeRevisionId !== "string" || isSameId(activeRevisionId, ours.id)) {
      return endings.deployed(ours.id, deployment.url);
    }
    const isNewer = await this.#isNewer(activeRevisionId, ours);
    if (isNewer === true) {
      const ending = endings.deployedBefore(ours.id, activeRevisionId);
      log.notice(ending.headline);
      return ending;
    }
    if (this.#otherLive?.id !== activeRevisionId) {
      log.info(
        `Revision ${ours.id} is DEPLOYED, but ${activeRevisionId} is still live. Waiting for the switch.`,
      );
    }
    this.#otherLive = { id: activeRevisionId, isOlder: isNewer === false };
    return undefined;
  }

  /** Whether a revision is newer than ours; undefined if it can't be read. */
  async #isNewer(revisionId: string, ours: Revision): Promise<boolean | undefined> {
    const { deploymentId, before } = this.#applied;
    if (existedBefore(revisionId, before)) return false;
    const other = await this.#tolerant(() => this.#controlPlane.getRevision(deploymentId, revisionId));
    if (other === undefined) return undefined;
    return wasCreatedAfter(other, ours);
  }

  async #timeUp(): Promise<Ending> {
    const { revisionId } = this.#applied;
    const waited = formatDuration(this.#options.timeoutMs);
    const ours = this.#revision;
    if (ours?.status.kind === "deployed" && this.#otherLive === undefined) {
      // Reading the live revision failed, maybe for a moment only.
      const ending = await this.#tolerant(() => this.#confirmLive(ours));
      if (ending !== undefined) return ending;
    }
    if (this.#otherLive !== undefined) {
      return endings.anotherStayedLive(revisionId, this.#otherLive, waited);
    }
    const newerId = ours?.status.kind === "pending" ? await this.#newerLiveId(ours) : undefined;
    if (newerId !== undefined) return endings.newerIsLive(revisionId, newerId, waited);
    return endings.timedOut(revisionId, ours?.status, this.#lastFailure, waited);
  }

  async #newerLiveId(ours: Revision): Promise<string | undefined> {
    const { deploymentId } = this.#applied;
    const deployment = await this.#tolerant(() => this.#controlPlane.getDeployment(deploymentId));
    const liveId = deployment?.activeRevisionId;
    if (typeof liveId !== "string" || isSameId(liveId, ours.id)) return undefined;
    return (await this.#isNewer(liveId, ours)) === true ? liveId : undefined;
  }

  /** What a call returns; undefined if it failed in a way that may pass. */
  async #tolerant<T>(call: () => Promise<T>): Promise<T | undefined> {
    const result = await bestEffort(call, this.#context.cancelled);
    if ("value" in result) return result.value;
    if (!isWorthRetrying(result.error)) throw result.error;
    return undefined;
  }
}
