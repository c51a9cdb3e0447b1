import type { Context } from "../context.ts";
import { ResponseError } from "../http/response-error.ts";
import type { DeployMode } from "../inputs/deploy.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { isMissing } from "../platform/failures.ts";
import { bear, DedupingLogger } from "../platform/look.ts";
import { isUnheardOf, kindOfStatus } from "../platform/status.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { formatDuration } from "../text/duration.ts";
import { parseTimestamp } from "../text/instant.ts";
import { pauseMs } from "./poll-delay.ts";
import * as endings from "./watch-endings.ts";
import type { AppliedRevision } from "./written.ts";

/** For so long after the write a 404 means "not yet", in milliseconds (contract, 3.1). */
const appearingMs = 60_000;

export interface Watch {
  readonly written: AppliedRevision;
  readonly mode: DeployMode;
  readonly plane: ControlPlane;
  readonly progress: Progress;
  readonly context: Context;
  /** How long such a revision usually takes from its write on, in milliseconds, where that is known. */
  readonly typicalMs?: number | undefined;
}

/** What one look at the revision brought: the end, or how long the platform asked to wait, in milliseconds. */
type Look = { readonly ending: Ending } | { readonly askedForMs: number };

/**
 * Looks at this run's revision until it ends or the time is up, and once more at the deadline. Failed reads are
 * borne until then, but 401 and 403 end it.
 *
 * @throws ResponseError on 401, 403 and a 404 that isn't "not yet"; the cancellation's reason.
 */
export async function watchRevision(watch: Watch): Promise<Ending> {
  const { clock, cancelled } = watch.context;
  const deadline = watch.written.writtenAt + watch.mode.timeoutMs;
  const watcher = new Watcher(watch);
  for (;;) {
    const last = clock.now() >= deadline;
    const look = await watcher.look();
    if ("ending" in look) return look.ending;
    if (last) return await watcher.timeUp();
    const pause = watcher.pauseMs(look.askedForMs);
    await clock.sleep(Math.max(0, Math.min(pause, deadline - clock.now())), cancelled);
  }
}

class Watcher {
  readonly #watch: Watch;
  readonly #plane: ControlPlane;
  readonly #misses: DedupingLogger;
  #revision: Revision | undefined;
  /** Why the last look brought nothing, if it didn't. */
  #lastMiss: string | undefined;
  #otherLive: endings.OtherLive | undefined;

  constructor(watch: Watch) {
    this.#watch = watch;
    this.#plane = watch.plane.once();
    this.#misses = new DedupingLogger(watch.context.log);
  }

  /** Until the next look, in milliseconds. */
  pauseMs(askedForMs: number): number {
    const { progress, context, written, mode, typicalMs } = this.#watch;
    const now = context.clock.now();
    const inStatusMs = now - (progress.facts.statuses.at(-1)?.at ?? written.writtenAt);
    const course = typicalMs === undefined ? undefined : { elapsedMs: now - written.writtenAt, typicalMs };
    return pauseMs(mode.pollIntervalMs, inStatusMs, askedForMs, course);
  }

  async look(): Promise<Look> {
    const { written, context, progress } = this.#watch;
    const result = await bear(
      () => this.#plane.getRevision(written.deploymentId, written.revisionId),
      context,
    );
    if ("error" in result) return this.#bearMiss(result.error);
    this.#revision = result.seen;
    this.#lastMiss = undefined;
    const { commitSha, statusMessage } = result.seen;
    progress.note({ commitSha, statusMessage });
    const { status } = result.seen;
    if (isUnheardOf(status) && !progress.facts.statuses.some((seen) => seen.status === status)) {
      context.log.info(`The status ${status} is new to this action; it counts as not ended yet.`);
    }
    await progress.status(status);
    const kind = kindOfStatus(status);
    if (kind === "deployed") return await this.#confirmLive(result.seen);
    this.#misses.clear();
    return kind === "pending" ? { askedForMs: 0 } : { ending: endings.ofStatus(kind, result.seen) };
  }

  #bearMiss(error: Error): Look {
    const { context, written } = this.#watch;
    const early = context.clock.now() - written.writtenAt < appearingMs;
    if (isMissing(error) && !early) throw error;
    this.#lastMiss = error.message;
    const notYet = isMissing(error) && this.#revision === undefined;
    this.#misses.tell(notYet ? "The revision isn't shown yet." : `${error.message} Looking again.`);
    return { askedForMs: (error instanceof ResponseError ? error.pauseMs : undefined) ?? 0 };
  }

  /** After `DEPLOYED`: where the platform tells which revision is live, is it ours or a newer one (contract, 3.1)? */
  async #confirmLive(ours: Revision): Promise<Look> {
    const { written, context, progress } = this.#watch;
    const result = await bear(() => this.#plane.getDeployment(written.deploymentId), context);
    if ("error" in result) return this.#bearMiss(result.error);
    const deployment = result.seen;
    progress.deployment(deployment, progress.facts.created);
    const { activeRevisionId } = deployment;
    if (typeof activeRevisionId !== "string" || activeRevisionId === ours.id)
      return { ending: endings.deployed(ours.id, deployment.url) };
    const newer = await this.#isNewer(activeRevisionId, ours);
    if (newer === true) {
      const ending = endings.deployedBefore(ours.id, activeRevisionId);
      context.log.notice(ending.message);
      return { ending };
    }
    if (this.#otherLive?.id !== activeRevisionId) {
      context.log.info(
        `Revision ${ours.id} is DEPLOYED, but ${activeRevisionId} is still the live one; waiting for ours.`,
      );
    }
    this.#otherLive = { id: activeRevisionId, older: newer === false };
    return { askedForMs: 0 };
  }

  /** Undefined where it can't be told. */
  async #isNewer(revisionId: string, ours: Revision): Promise<boolean | undefined> {
    const { written, context } = this.#watch;
    if (written.before.ids.has(revisionId)) return false;
    const result = await bear(() => this.#plane.getRevision(written.deploymentId, revisionId), context);
    if ("error" in result) return undefined;
    const [theirs, own] = [parseTimestamp(result.seen.createdAt), parseTimestamp(ours.createdAt)];
    // Where no times are shown, what wasn't there before the write came after it.
    return Number.isNaN(theirs - own) ? true : theirs >= own;
  }

  async timeUp(): Promise<Ending> {
    const { mode, written } = this.#watch;
    const waited = formatDuration(mode.timeoutMs);
    const ours = this.#revision;
    if (ours?.status === "DEPLOYED" && this.#otherLive === undefined) {
      // Whether it is live couldn't be read; that may have been for a moment only.
      const look = await this.#confirmLive(ours);
      if ("ending" in look) return look.ending;
    }
    if (this.#otherLive !== undefined) {
      return endings.anotherStayedLive(written.revisionId, this.#otherLive, waited);
    }
    const newer = await this.#newerActive(ours);
    if (newer !== undefined) return endings.newerIsLive(written.revisionId, newer, waited);
    return endings.timedOut(written.revisionId, { status: ours?.status, lastMiss: this.#lastMiss }, waited);
  }

  /** The revision that overtook ours, where that hasn't been `DEPLOYED`. */
  async #newerActive(ours: Revision | undefined): Promise<string | undefined> {
    const { written, context } = this.#watch;
    if (ours === undefined || ours.status === "DEPLOYED") return undefined;
    const result = await bear(() => this.#plane.getDeployment(written.deploymentId), context);
    if ("error" in result) return undefined;
    const { activeRevisionId } = result.seen;
    if (typeof activeRevisionId !== "string" || activeRevisionId === ours.id) return undefined;
    return (await this.#isNewer(activeRevisionId, ours)) === true ? activeRevisionId : undefined;
  }
}
