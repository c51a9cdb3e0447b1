import { isDeepStrictEqual } from "node:util";
import type { Ending } from "../../ending.ts";
import { type ActionError, toError } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { pollUntil } from "../../http/poll.ts";
import { pollDelayMs } from "../../http/poll-delay.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Deployment, Revision } from "../../platform/deployment.ts";
import { isNotFound, isTransient } from "../../platform/error-kinds.ts";
import type { Status } from "../../platform/status.ts";
import { formatDuration } from "../../text/format.ts";
import { isSameId } from "../../text/ids.ts";
import { type AppliedRevision, deploysSource } from "../apply/match-revision.ts";
import { type LiveState, type NotLiveYet, readLiveState, undefinedIfTransient } from "./live-state.ts";
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
  /** The revision that was live after this run's was `DEPLOYED`; undefined if the platform does not show it. */
  readonly liveRevisionId: string | undefined;
}

/** The newer revision that is live in place of one that was deployed; undefined if there is none. */
export function newerLiveId({ ending, revision, liveRevisionId }: WatchResult): string | undefined {
  if (ending.outcome !== "deployed" || revision === undefined || liveRevisionId === undefined)
    return undefined;
  return isSameId(liveRevisionId, revision.id) ? undefined : liveRevisionId;
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
  /** What was last seen instead, if this run's revision was `DEPLOYED` but not live. */
  #notLiveYet: NotLiveYet | undefined;
  #liveRevisionId: string | undefined;

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
      isTransient: (error: ActionError) =>
        isTransient(error) && !(isNotFound(error) && this.#shouldBeVisible),
      describe: (error: ActionError) =>
        isNotFound(error) && this.#revision === undefined
          ? "The revision is not visible yet. Retrying."
          : `${error.message} Retrying.`,
    };
    const ending = (await pollUntil(() => this.#poll(), policy, this.#context)) ?? (await this.#timeUp());
    return {
      ending,
      revision: this.#revision,
      url: this.#url,
      repoUrl: this.#repoUrl,
      liveRevisionId: this.#liveRevisionId,
    };
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

  /** After `DEPLOYED`: how this ends, or undefined if this run's revision may still become live. */
  async #confirmLive(ours: Revision): Promise<Ending | undefined> {
    const { emit, log } = this.#context;
    const deployment = await this.#controlPlane.getDeployment(this.#applied.deploymentId);
    await emit({ kind: "deployment_seen", deployment });
    this.#url = deployment.url;
    this.#repoUrl = deployment.repoUrl;
    this.#liveRevisionId = deployment.activeRevisionId ?? undefined;
    const live = await this.#liveState(deployment, ours);
    if (live.kind === "ours") return endings.deployed(ours.id, deployment.url);
    if (live.kind === "newer") return endings.deployedBefore(ours.id, live.id);
    if (live.kind === "being_deleted") return endings.beingDeleted(ours.id, deployment.id);
    if (!isDeepStrictEqual(live, this.#notLiveYet)) log.info(endings.describeWaiting(ours.id, live));
    this.#notLiveYet = live;
    return undefined;
  }

  #liveState(deployment: Deployment, ours: Revision): Promise<LiveState> {
    return readLiveState(deployment, ours, this.#applied, this.#controlPlane, this.#context);
  }

  async #timeUp(): Promise<Ending> {
    const { revisionId } = this.#applied;
    const waited = formatDuration(this.#options.timeoutMs);
    const ours = this.#revision;
    if (ours?.status.kind === "deployed" && this.#notLiveYet === undefined) {
      // Reading the live revision failed, maybe for a moment only.
      const ending = await undefinedIfTransient(() => this.#confirmLive(ours), this.#context);
      if (ending !== undefined) return ending;
    }
    if (this.#notLiveYet !== undefined) return endings.neverLive(revisionId, this.#notLiveYet, waited);
    const newerId = ours?.status.kind === "pending" ? await this.#newerLiveId(ours) : undefined;
    if (newerId !== undefined) return endings.newerIsLive(revisionId, newerId, waited);
    return endings.timedOut(revisionId, ours?.status, this.#lastFailure, waited);
  }

  async #newerLiveId(ours: Revision): Promise<string | undefined> {
    const read = () => this.#controlPlane.getDeployment(this.#applied.deploymentId);
    const deployment = await undefinedIfTransient(read, this.#context);
    const live = deployment && (await this.#liveState(deployment, ours));
    return live?.kind === "newer" ? live.id : undefined;
  }
}
