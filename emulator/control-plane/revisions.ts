/** The revisions of deployments: how they are created, found and shown. */
import type { Dialect } from "../dialects/dialect.ts";
import { type RevisionView, revisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { ActiveFaults } from "../faults/active-faults.ts";
import type { LagPlace } from "../faults/fault-rule.ts";
import type { Config, DeploymentRow, DeploymentStore, RevisionRow } from "../store/deployments.ts";
import { inQueue, planTimeline, stepAt, type Timeline } from "../timeline.ts";

export interface RevisionOptions {
  readonly dialect: Dialect;
  readonly store: DeploymentStore;
  readonly faults: ActiveFaults;
  readonly statusSeconds: number;
  /** Ref → the status in which its revisions end. */
  readonly failRefs: ReadonlyMap<string, string>;
  /** Ref → the commit that it points at, for the refs that have one set. */
  readonly commits: ReadonlyMap<string, string>;
}

export class Revisions {
  readonly #options: RevisionOptions;

  constructor(options: RevisionOptions) {
    this.#options = options;
  }

  /** All revisions of a deployment, the newest first, with the time that each spends in the queue. */
  all(deploymentId: string): RevisionRow[] {
    const { store, dialect } = this.#options;
    const rows = store.revisions(deploymentId);
    return dialect.queues ? inQueue(rows.toReversed()).toReversed() : rows;
  }

  /** The revisions that a read shows: a `lag` rule may hide new ones. */
  visible(deploymentId: string, now: number, place: LagPlace): RevisionRow[] {
    const { faults } = this.#options;
    return this.all(deploymentId).filter((one) => !faults.lags(place, one.id, now - one.created_at));
  }

  /** @throws {RefusedError} 404, also if a `lag` rule hides the revision */
  find(deploymentId: string, revisionId: string, now: number): RevisionRow {
    const found = this.all(deploymentId).find(({ id }) => id === revisionId);
    if (found === undefined || this.#options.faults.lags("revision", found.id, now - found.created_at)) {
      throw new RefusedError(404, `Revision ${revisionId} not found.`);
    }
    return found;
  }

  /** A new revision of the deployment's current configuration, or of this ref. */
  create(deployment: DeploymentRow, now: number, ref?: string): RevisionRow {
    const { store, dialect, commits } = this.#options;
    const { source, source_config, source_revision_config } = deployment;
    const config = dialect.revisionConfig({
      source,
      repository: source_config.repo_url,
      config: ref === undefined ? source_revision_config : { ...source_revision_config, repo_ref: ref },
      commits,
    });
    return store.insertRevision({ deployment, config, at: now, timeline: this.#plan(config, false) });
  }

  /**
   * A new revision with the configuration of an earlier one.
   * @param hasRun whether the earlier one was live: then this one needs no build, and succeeds
   */
  recreate(deployment: DeploymentRow, config: Config, hasRun: boolean, now: number): RevisionRow {
    const timeline = this.#plan(config, true, hasRun);
    return this.#options.store.insertRevision({ deployment, config, at: now, timeline });
  }

  #plan(config: Config, redeployed: boolean, hasRun = false): Timeline {
    const { faults, statusSeconds, failRefs, dialect } = this.#options;
    const ref = refOf(config);
    const ruled = faults.timelineFor(ref, redeployed);
    if (ruled !== undefined) return ruled;
    if (hasRun) return planTimeline({ builds: false, statusSeconds });
    const { status: endsIn, message } = dialect.failureOf(config) ?? { status: failRefs.get(ref ?? "") };
    const builds = (config.image_uri ?? null) === null;
    return planTimeline({ builds, statusSeconds, endsIn, message });
  }

  view(revision: RevisionRow, now: number): RevisionView {
    const step = stepAt(revision.timeline, now - revision.created_at);
    return this.#options.dialect.showRevision(revisionView(revision, now), step);
  }
}

/** The ref of a configuration; null if it has none. */
export function refOf({ repo_ref }: Config): string | null {
  return typeof repo_ref === "string" ? repo_ref : null;
}
