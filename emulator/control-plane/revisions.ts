/** The revisions of deployments: how they are created, found and shown. */
import type { Dialect } from "../dialects/dialect.ts";
import { type RevisionView, revisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { ActiveFaults } from "../faults/active-faults.ts";
import type { ReadPlace } from "../faults/fault-rule.ts";
import type {
  Config,
  DeploymentChange,
  DeploymentRow,
  DeploymentStore,
  RevisionRow,
} from "../store/deployments.ts";
import { inQueue, stepAt } from "../timeline.ts";
import type { Redeployed, RevisionExecutor } from "./revision-executor.ts";

export interface RevisionOptions {
  readonly dialect: Dialect;
  readonly store: DeploymentStore;
  readonly faults: ActiveFaults;
  readonly executor: RevisionExecutor;
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

  /** The revisions that a read shows: a `hide_new` rule may hide new ones. */
  visible(deploymentId: string, now: number, place: ReadPlace): RevisionRow[] {
    const { faults } = this.#options;
    return this.all(deploymentId).filter((one) => !faults.hidesNew(place, one.id, now - one.created_at));
  }

  /** @throws {RefusedError} 404, also if a `hide_new` rule hides the revision */
  find(deploymentId: string, revisionId: string, now: number): RevisionRow {
    const found = this.all(deploymentId).find(({ id }) => id === revisionId);
    if (found === undefined || this.#options.faults.hidesNew("revision", found.id, now - found.created_at)) {
      throw new RefusedError(404, `Revision ${revisionId} not found.`);
    }
    return found;
  }

  /** A new revision of the deployment's current configuration, or of this ref. */
  create(deployment: DeploymentRow, now: number, ref?: string): RevisionRow {
    const { dialect, executor } = this.#options;
    const { source, source_config, source_revision_config } = deployment;
    const config = ref === undefined ? source_revision_config : { ...source_revision_config, repo_ref: ref };
    const commit = executor.commitOf({ source, repository: source_config.repo_url, config });
    return this.#insert(deployment, dialect.revisionConfig(config, commit), now);
  }

  /** The revisions that somebody else creates right before or after an update, if a fault rule says so. */
  createConcurrent(when: "before" | "after", deployment: DeploymentRow, now: number): void {
    for (const { repo_ref } of this.#options.faults.concurrentRevisions(when)) {
      this.create(deployment, now, repo_ref);
    }
  }

  /** A new revision of the source of an earlier one. */
  recreate(deployment: DeploymentRow, redeployed: Redeployed, now: number): RevisionRow {
    const { source, source_revision_config } = redeployed.revision;
    return this.#insert({ ...deployment, source }, source_revision_config, now, redeployed);
  }

  #insert(deployment: DeploymentRow, config: Config, at: number, redeployed?: Redeployed): RevisionRow {
    const { store, executor } = this.#options;
    const { source, source_config } = deployment;
    const timeline = executor.plan({ source, repository: source_config.repo_url, config }, redeployed);
    const revision = store.insertRevision({ deployment, config, at, timeline });
    executor.prepare(revision, deployment, redeployed);
    return revision;
  }

  view(revision: RevisionRow, now: number): RevisionView {
    const step = stepAt(revision.timeline, now - revision.created_at);
    return this.#options.dialect.showRevision(revisionView(revision, now), step);
  }
}

/** Whether an update creates a revision: a change of `build_on_push` alone does not. */
export function createsRevision(request: DeploymentChange): boolean {
  return (
    request.source_revision_config !== undefined ||
    request.secrets !== undefined ||
    (request.source_config?.resource_spec ?? null) !== null
  );
}
