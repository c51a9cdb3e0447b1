/** The operations of the control plane, apart from HTTP. */

import type { DeleteOptions, Installation } from "../dialects/dialect.ts";
import { type DeploymentView, deploymentView, type RevisionView } from "../dialects/views.ts";
import { RefusedError } from "../errors.ts";
import type { LogType, ReadPlace } from "../faults/fault-rule.ts";
import type { DeploymentChange, DeploymentRow, NewDeployment, RevisionRow } from "../store/deployments.ts";
import { interruptedAt, isTerminal, stepAt, stepsUntil } from "../timeline.ts";
import type { LogContent, RevisionLog } from "./revision-log.ts";
import { createsRevision, type RevisionOptions, Revisions } from "./revisions.ts";
import type { Uploads } from "./uploads.ts";

export interface ControlPlaneOptions extends RevisionOptions {
  readonly log: RevisionLog;
  readonly uploads: Uploads;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly workspaceId: string;
  readonly installation: Installation;
}

/** A deployment as responses show it, with all of its revisions, the newest first. */
export interface DeploymentSnapshot extends DeploymentView {
  readonly revisions: readonly RevisionView[];
}

/** What an update changed. */
interface Change {
  readonly before: DeploymentRow;
  readonly deployment: DeploymentRow;
  /** The deployment with the source of the new revision. */
  readonly built: DeploymentRow;
}

/** Each operation happens at one moment, completely or not at all. */
export class ControlPlane {
  readonly #options: ControlPlaneOptions;
  readonly #revisions: Revisions;

  constructor(options: ControlPlaneOptions) {
    this.#options = options;
    this.#revisions = new Revisions(options);
  }

  /** @throws {RefusedError} 409 if the name is taken, 400 if a rule is broken */
  create(request: NewDeployment): DeploymentView {
    const { store, dialect, executor, uploads, installation } = this.#options;
    const now = this.#begin();
    const created = store.transaction(() => {
      dialect.checkCreate(request, installation);
      const holder = store.holderOf(request.name);
      if (holder !== undefined) {
        throw new RefusedError(409, `A ${holder} with the name '${request.name}' already exists.`);
      }
      const deployment = store.insert(request, now);
      uploads.check(deployment.id, request);
      if (!dialect.createsWithoutRevision(deployment.source)) this.#revisions.create(deployment, now);
      return this.#view(deployment, now);
    });
    executor.changed(created.id);
    return created;
  }

  /** @throws {RefusedError} 404, 409 while the deployment is being deleted, 400 if a rule is broken */
  update(id: string, request: DeploymentChange): DeploymentView {
    const now = this.#begin();
    return this.#change(id, () => {
      const change = this.#apply(id, request, now);
      if (!createsRevision(request) || this.#options.dialect.awaitsSource(change.built)) {
        return this.#view(change.deployment, now);
      }
      return this.#addRevision(change, now, () => this.#view(change.deployment, now));
    });
  }

  /**
   * The new revision that `POST …/revisions` makes in any case.
   * @throws {RefusedError} 404, 409 while the deployment is being deleted, 400 if a rule is broken or its source is missing
   */
  createRevision(id: string, request: DeploymentChange): RevisionView {
    const now = this.#begin();
    return this.#change(id, () => {
      const change = this.#apply(id, request, now);
      if (this.#options.dialect.awaitsSource(change.built)) {
        throw new RefusedError(400, "The deployment has no source yet.");
      }
      return this.#addRevision(change, now, (revision) => this.#revisions.view(revision, now));
    });
  }

  /** Checks and stores what an update changes, without a revision. */
  #apply(id: string, request: DeploymentChange, now: number): Change {
    const { store, dialect, uploads } = this.#options;
    const before = this.#findToChange(id);
    dialect.checkUpdate(before, request);
    uploads.check(id, request);
    const deployment = store.update(before, request, now);
    return {
      before,
      deployment,
      built: { ...deployment, source: request.revision_source ?? deployment.source },
    };
  }

  /** Makes the revision of a change. `show` makes the response, before somebody else's later revision exists. */
  #addRevision<T>({ before, deployment, built }: Change, now: number, show: (made: RevisionRow) => T): T {
    this.#revisions.createConcurrent("before", before, now);
    const shown = show(this.#revisions.create(built, now));
    this.#revisions.createConcurrent("after", deployment, now);
    return shown;
  }

  /**
   * An address for the source of a deployment's next revision.
   * @throws {RefusedError} 404, 409 while the deployment is being deleted, 400 if it has another source
   */
  createUploadUrl(id: string): { upload_url: string; object_path: string } {
    this.#begin();
    if (this.#findToChange(id).source !== "internal_source") {
      throw new RefusedError(400, "Uploads are only available for 'internal_source' source deployments.");
    }
    return this.#options.uploads.open(id);
  }

  /**
   * There is no registry to push an image to.
   * @throws {RefusedError} 400, or 404, 409 while the deployment is being deleted
   */
  createPushToken(id: string): never {
    this.#begin();
    this.#findToChange(id);
    throw new RefusedError(
      400,
      "The emulator has no registry. Push the image to a registry of your own, and deploy it with source external_docker.",
    );
  }

  /** @throws {RefusedError} 404 */
  delete(id: string, { leavesTracingProject }: DeleteOptions): void {
    const { store, faults } = this.#options;
    const now = this.#begin();
    const deployment = this.#find(id);
    if (deployment.gone_at !== null) return;
    this.#change(id, () => {
      store.delete(id, now + faults.deletionMs());
      if (leavesTracingProject) store.leaveTracingProject(deployment.name);
    });
  }

  /** @throws {RefusedError} 404 */
  read(id: string): DeploymentView {
    const now = this.#begin();
    return this.#view(this.#find(id), now, "deployment");
  }

  /** The deployments whose name contains the text, the oldest first. */
  list(nameContains: string): DeploymentView[] {
    const { store, faults } = this.#options;
    const now = this.#begin();
    return store
      .list(nameContains)
      .filter(({ id, created_at }) => !faults.hidesNew("deployments", id, now - created_at))
      .map((deployment) => this.#view(deployment, now));
  }

  /**
   * The revisions of a deployment, the newest first.
   * @throws {RefusedError} 404
   */
  revisions(id: string): RevisionView[] {
    const now = this.#begin();
    const deployment = this.#find(id);
    return this.#revisions
      .visible(deployment.id, now, "revisions")
      .map((revision) => this.#revisions.view(revision, now));
  }

  /** @throws {RefusedError} 404 */
  revision(id: string, revisionId: string): RevisionView {
    const now = this.#begin();
    return this.#revisions.view(this.#revisions.find(this.#find(id).id, revisionId, now), now);
  }

  /**
   * The deployment with a new revision of the source of an earlier one.
   * @throws {RefusedError} 404, or 409 while the deployment is being deleted
   */
  redeploy(id: string, revisionId: string): DeploymentView {
    const { store } = this.#options;
    const now = this.#begin();
    return this.#change(id, () => {
      const before = this.#findToChange(id);
      const earlier = this.#revisions.find(id, revisionId, now);
      const { repo_commit_sha: _, ...source } = earlier.source_revision_config;
      const deployment = store.update(before, { source_revision_config: source }, now);
      const steps = stepsUntil(earlier.timeline, now - earlier.created_at);
      const wasLive = steps.some(({ status }) => status === "DEPLOYED");
      this.#revisions.recreate(deployment, { revision: earlier, wasLive }, now);
      return this.#view(deployment, now);
    });
  }

  /**
   * The revision, interrupted.
   * @throws {RefusedError} 404, or 400 if it has ended
   */
  interrupt(id: string, revisionId: string): RevisionView {
    const { store } = this.#options;
    const now = this.#begin();
    return this.#change(id, () => {
      const revision = this.#revisions.find(this.#find(id).id, revisionId, now);
      const ageMs = now - revision.created_at;
      const { status } = stepAt(revision.timeline, ageMs);
      if (isTerminal(status)) {
        throw new RefusedError(400, `Revision ${revisionId} is ${status} and can't be interrupted.`);
      }
      const timeline = interruptedAt(revision.timeline, ageMs);
      store.setTimeline(revisionId, timeline);
      return this.#revisions.view({ ...revision, timeline }, now);
    });
  }

  /**
   * A log of one revision, or of all.
   * @throws {RefusedError} 404
   */
  log(id: string, type: LogType, revisionId?: string): LogContent {
    const now = this.#begin();
    const { id: found } = this.#find(id);
    const revisions =
      revisionId === undefined
        ? this.#revisions.all(found).toReversed()
        : [this.#revisions.find(found, revisionId, now)];
    return this.#options.log.read(revisions, type, now);
  }

  /** Every deployment, or the one with this id, the oldest first, unaffected by fault rules about reads. */
  snapshot(id?: string): DeploymentSnapshot[] {
    const now = this.#begin();
    const { store } = this.#options;
    const rows = id === undefined ? store.list("") : [store.find(id)].filter((row) => row !== undefined);
    return rows.map((deployment) => ({
      ...this.#view(deployment, now),
      revisions: this.#revisions.all(deployment.id).map((revision) => this.#revisions.view(revision, now)),
    }));
  }

  /**
   * A new revision by somebody else: the deployment's current configuration, or this ref.
   * @throws {RefusedError} 404
   */
  addConcurrentRevision(id: string, ref?: string): RevisionView {
    const now = this.#begin();
    const revision = this.#change(id, () => this.#revisions.create(this.#find(id), now, ref));
    return this.#revisions.view(revision, now);
  }

  /** The result of `work`, which changes a deployment or its revisions. */
  #change<T>(deploymentId: string, work: () => T): T {
    const { store, executor } = this.#options;
    const result = store.transaction(work);
    executor.changed(deploymentId);
    return result;
  }

  /** The moment of an operation, in milliseconds since the epoch. Deletions that are over by then are completed. */
  #begin(): number {
    const now = this.#options.now();
    const { store, uploads } = this.#options;
    if (store.purge(now)) uploads.removeUnused();
    return now;
  }

  #find(id: string): DeploymentRow {
    const found = this.#options.store.find(id);
    if (found === undefined) throw new RefusedError(404, `Deployment ${id} not found.`);
    return found;
  }

  #findToChange(id: string): DeploymentRow {
    const found = this.#find(id);
    if (found.gone_at !== null) throw new RefusedError(409, "The deployment is being deleted.");
    return found;
  }

  /** `place` is the kind of read, for `hide_new` rules. */
  #view(deployment: DeploymentRow, now: number, place?: ReadPlace): DeploymentView {
    const { store, workspaceId, dialect, faults, executor } = this.#options;
    const { id } = deployment;
    const revisions = place === undefined ? this.#revisions.all(id) : this.#revisions.visible(id, now, place);
    const view = deploymentView(deployment, {
      workspaceId,
      secretNames: store.secretNames(id),
      revisions,
      liveStatuses: faults.failedTakesOver() ? ["DEPLOYED", "DEPLOY_FAILED"] : ["DEPLOYED"],
      deletionStatus: faults.deletionStatus(),
      liveUrl: (one) => executor.liveUrl(one),
      now,
    });
    return dialect.showDeployment(view, revisions[0]?.source_revision_config);
  }
}
