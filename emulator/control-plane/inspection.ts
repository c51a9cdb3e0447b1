/** What the page shows of revisions besides what the API does. Fault rules about reads neither affect nor count it. */
import { RefusedError } from "../errors.ts";
import type { LogType } from "../faults/fault-rule.ts";
import type { RevisionRow } from "../store/deployments.ts";
import { isTerminal, reasonFor, stepsUntil } from "../timeline.ts";
import type { ControlPlaneOptions } from "./control-plane.ts";
import type { LogContent } from "./revision-log.ts";
import { Revisions } from "./revisions.ts";

export interface StatusPeriod {
  readonly status: string;
  /** Milliseconds; null for the last status of a revision that has ended. */
  readonly lastedMs: number | null;
}

export interface RevisionHistory {
  /** The statuses that have begun, in order. */
  readonly periods: readonly StatusPeriod[];
  /** Why it failed. */
  readonly reason: string | null;
  readonly commit: string | null;
  readonly hasEnded: boolean;
}

export class Inspection {
  readonly #options: ControlPlaneOptions;
  readonly #revisions: Revisions;

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    this.#revisions = new Revisions(options);
  }

  /** The histories of the revisions of a deployment, by their ids. */
  histories(deploymentId: string): Map<string, RevisionHistory> {
    const now = this.#options.now();
    return new Map(this.#revisions.all(deploymentId).map((row) => [row.id, this.#historyOf(row, now)]));
  }

  #historyOf(row: RevisionRow, now: number): RevisionHistory {
    const ageMs = now - row.created_at;
    const steps = stepsUntil(row.timeline, ageMs);
    const last = steps.at(-1) ?? row.timeline[0];
    const hasEnded = isTerminal(last.status);
    return {
      periods: steps.map(({ status, after }, index) => ({
        status,
        lastedMs:
          steps[index + 1] === undefined && hasEnded ? null : (steps[index + 1]?.after ?? ageMs) - after,
      })),
      reason: reasonFor(last),
      commit: this.#options.executor.factsOf(row).commit,
      hasEnded,
    };
  }

  /**
   * The last entries of a log of a revision; of the whole log without `last`.
   * @throws {RefusedError} 404
   */
  log(deploymentId: string, revisionId: string, type: LogType, last?: number): LogContent {
    const { log, now } = this.#options;
    return log.read([this.#find(deploymentId, revisionId)], type, now(), last);
  }

  /** The secrets of the revisions of a deployment and the credentials of their repository, as far as they are kept. */
  secretsOf(deploymentId: string): string[] {
    const rows = this.#revisions.all(deploymentId);
    return [...new Set(rows.flatMap((row) => this.#options.executor.factsOf(row).secrets))];
  }

  #find(deploymentId: string, revisionId: string): RevisionRow {
    const found = this.#revisions.all(deploymentId).find(({ id }) => id === revisionId);
    if (found === undefined) throw new RefusedError(404, `Revision ${revisionId} not found.`);
    return found;
  }
}
