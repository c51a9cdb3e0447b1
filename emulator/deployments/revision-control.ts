/** What can be done with a revision that is there: deploy it again, stop it, read its log (platform-field-notes). */
import { RefusedError } from "../errors.ts";
import { interruptedAt, isEnd, stepAt, stepsUntil } from "../lifecycle.ts";
import type { LogType } from "../misbehave/rules.ts";
import { type DeploymentRecords, type RecordParts, refIn } from "./records.ts";
import type { RevisionRow } from "./store.ts";
import type { DeploymentView, RevisionView } from "./views.ts";

/** A revision as its log is written from it. */
export interface LoggedRevision {
  readonly revision: RevisionRow;
  /** Milliseconds since the revision's creation. */
  readonly age: number;
  /** What a rule says the log holds. */
  readonly lines: readonly unknown[] | undefined;
}

/** The operations on single revisions; each happens at one moment, as a whole or not at all. */
export class RevisionControl {
  readonly #parts: RecordParts;
  readonly #records: DeploymentRecords;

  constructor(parts: RecordParts, records: DeploymentRecords) {
    this.#parts = parts;
    this.#records = records;
  }

  /**
   * Makes a new revision of the source that an earlier one has.
   * @throws {RefusedError} 404, or 409 while the deployment is being deleted
   */
  redeploy(deploymentId: string, revisionId: string): DeploymentView {
    const { store } = this.#parts;
    const now = this.#records.start();
    return store.transaction(() => {
      const before = this.#records.findToChange(deploymentId);
      const again = this.#records.findShownRevision(deploymentId, revisionId, now);
      const { source_revision_config: config } = again;
      const { repo_commit_sha: _, ...source } = config;
      const deployment = store.update(before, { source_revision_config: source }, now);
      const steps = stepsUntil(again.timeline, now - again.created_at);
      const ran = steps.some(({ status }) => status === "DEPLOYED");
      const timeline = this.#records.timelineFor(config, { ran });
      store.insertRevision({ deployment, config, at: now, timeline });
      return this.#records.view(deployment, now);
    });
  }

  /**
   * Ends a pending revision.
   * @throws {RefusedError} 404, or 400 when it has ended
   */
  interrupt(deploymentId: string, revisionId: string): RevisionView {
    const { store } = this.#parts;
    const now = this.#records.start();
    return store.transaction(() => {
      const revision = this.#records.findShownRevision(deploymentId, revisionId, now);
      const age = now - revision.created_at;
      const { status } = stepAt(revision.timeline, age);
      if (isEnd(status))
        throw new RefusedError(400, `Revision ${revisionId} is ${status} and can't be interrupted.`);
      const timeline = interruptedAt(revision.timeline, age);
      store.setTimeline(revisionId, timeline);
      return this.#records.revisionView({ ...revision, timeline }, now);
    });
  }

  /** @throws {RefusedError} 404 */
  logged(deploymentId: string, revisionId: string, type: LogType): LoggedRevision {
    const now = this.#records.start();
    const revision = this.#records.findShownRevision(deploymentId, revisionId, now);
    const lines = this.#parts.misbehaviour.logLines(type, refIn(revision.source_revision_config));
    return { revision, age: now - revision.created_at, lines };
  }
}
