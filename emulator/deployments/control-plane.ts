/** What the control plane does with deployments, apart from HTTP: rows in, views out. */
import type { CreateRequest, UpdateRequest } from "../../src/control-plane/schemas.ts";
import { RefusedError } from "../errors.ts";
import { type Timeline, timelineOf } from "../lifecycle.ts";
import type { Misbehaviour } from "../misbehave/misbehaviour.ts";
import type { LagPlace } from "../misbehave/rules.ts";
import type { DeploymentRow, DeploymentStore, RevisionRow } from "./store.ts";
import { deploymentView, revisionView } from "./views.ts";

export interface ControlPlaneParts {
  readonly store: DeploymentStore;
  readonly misbehaviour: Misbehaviour;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly workspaceId: string;
  readonly statusSeconds: number;
  /** Ref → the status in which its revisions end. */
  readonly failRefs: ReadonlyMap<string, string>;
}

/** A deployment as reads show it, with its revisions, the newest first. */
export type DeploymentSnapshot = ReturnType<ControlPlane["snapshot"]>[number];

export class ControlPlane {
  readonly #parts: ControlPlaneParts;

  constructor(parts: ControlPlaneParts) {
    this.#parts = parts;
  }

  /** @throws {RefusedError} 409 when the name is taken */
  create(request: CreateRequest) {
    const { store } = this.#parts;
    const now = this.#start();
    return store.transaction(() => {
      if (store.nameIsTaken(request.name)) {
        throw new RefusedError(409, `A deployment with the name '${request.name}' already exists.`);
      }
      const deployment = store.insert(request, now);
      this.#addRevision(deployment, now);
      return this.#view(deployment, now);
    });
  }

  /** @throws {RefusedError} 404, or 409 while the deployment is being deleted */
  update(id: string, request: UpdateRequest) {
    const { store } = this.#parts;
    const now = this.#start();
    return store.transaction(() => {
      const before = this.#find(id);
      if (before.gone_at !== null) throw new RefusedError(409, "The deployment is being deleted.");
      const deployment = store.update(before, request, now);
      if (!makesRevision(request)) return this.#view(deployment, now);
      this.#addForeignRevisions("before", before, now);
      this.#addRevision(deployment, now);
      const answer = this.#view(deployment, now);
      this.#addForeignRevisions("after", deployment, now);
      return answer;
    });
  }

  /** @throws {RefusedError} 404 */
  delete(id: string): void {
    const { store, misbehaviour } = this.#parts;
    const now = this.#start();
    const deployment = this.#find(id);
    if (deployment.gone_at === null) store.delete(id, now + misbehaviour.deletionTime());
  }

  /** @throws {RefusedError} 404 */
  read(id: string) {
    const now = this.#start();
    return this.#view(this.#find(id), now, "deployment");
  }

  /** Every deployment whose name contains the text, the oldest first. */
  list(nameContains: string) {
    const { store } = this.#parts;
    const now = this.#start();
    return store
      .list(nameContains)
      .filter(({ id }) => this.#shownRevisions(id, now, "deployments").length > 0)
      .map((deployment) => this.#view(deployment, now));
  }

  /**
   * The newest first.
   * @throws {RefusedError} 404
   */
  revisions(id: string) {
    const now = this.#start();
    const deployment = this.#find(id);
    return this.#shownRevisions(deployment.id, now, "revisions").map((one) => revisionView(one, now));
  }

  /** @throws {RefusedError} 404 */
  revision(id: string, revisionId: string) {
    const { store, misbehaviour } = this.#parts;
    const now = this.#start();
    const found = store.revisions(this.#find(id).id).find((one) => one.id === revisionId);
    if (found === undefined || misbehaviour.lags("revision", found.id, now - found.created_at)) {
      throw new RefusedError(404, `Revision ${revisionId} not found.`);
    }
    return revisionView(found, now);
  }

  /** Everything there is, each deployment with its revisions (the newest first), whatever rules are in force. */
  snapshot() {
    const { store } = this.#parts;
    const now = this.#start();
    return store.list("").map((deployment) => ({
      ...this.#view(deployment, now),
      revisions: store.revisions(deployment.id).map((one) => revisionView(one, now)),
    }));
  }

  /**
   * A revision that somebody else makes now, in the deployment as it is but for its ref.
   * @throws {RefusedError} 404
   */
  addForeignRevision(id: string, ref?: string) {
    const now = this.#start();
    return revisionView(this.#addRevision(withRef(this.#find(id), ref), now), now);
  }

  #start(): number {
    const now = this.#parts.now();
    this.#parts.store.purge(now);
    return now;
  }

  #find(id: string): DeploymentRow {
    const found = this.#parts.store.find(id);
    if (found === undefined) throw new RefusedError(404, `Deployment ${id} not found.`);
    return found;
  }

  #addRevision(deployment: DeploymentRow, at: number): RevisionRow {
    return this.#parts.store.insertRevision({ deployment, at, timeline: this.#timelineFor(deployment) });
  }

  #addForeignRevisions(when: "before" | "after", deployment: DeploymentRow, at: number): void {
    for (const { repo_ref } of this.#parts.misbehaviour.foreignRevisions(when)) {
      this.#addRevision(withRef(deployment, repo_ref), at);
    }
  }

  #timelineFor({ source_revision_config: config }: DeploymentRow): Timeline {
    const { misbehaviour, statusSeconds, failRefs } = this.#parts;
    const ref = typeof config.repo_ref === "string" ? config.repo_ref : null;
    const builds = (config.image_uri ?? null) === null;
    const endsIn = failRefs.get(ref ?? "");
    return misbehaviour.timelineFor(ref) ?? timelineOf({ builds, statusSeconds, endsIn });
  }

  #shownRevisions(deploymentId: string, now: number, place: LagPlace): RevisionRow[] {
    const { store, misbehaviour } = this.#parts;
    return store
      .revisions(deploymentId)
      .filter((one) => !misbehaviour.lags(place, one.id, now - one.created_at));
  }

  #view(deployment: DeploymentRow, now: number, place?: LagPlace) {
    const { store, workspaceId } = this.#parts;
    const revisions =
      place === undefined ? store.revisions(deployment.id) : this.#shownRevisions(deployment.id, now, place);
    return deploymentView(deployment, {
      workspaceId,
      secretNames: store.secretNames(deployment.id),
      revisions,
      now,
    });
  }
}

function withRef(deployment: DeploymentRow, ref: string | undefined): DeploymentRow {
  if (ref === undefined) return deployment;
  const config = { ...deployment.source_revision_config, repo_ref: ref };
  return { ...deployment, source_revision_config: config };
}

/** platform-api, States 2; platform-field-notes, Rules: secrets and a resource_spec make one too. */
function makesRevision(request: UpdateRequest): boolean {
  return (
    request.source_revision_config !== undefined ||
    request.secrets !== undefined ||
    (request.source_config?.resource_spec ?? null) !== null
  );
}
