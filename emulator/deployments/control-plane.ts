/** What the control plane does with deployments, apart from HTTP: rows in, views out. */
import { RefusedError } from "../errors.ts";
import type { DeploymentRecords, RecordParts } from "./records.ts";
import type { DeploymentChange, DeploymentRow, NewDeployment } from "./store.ts";

/** A deployment as reads show it, with its revisions, the newest first. */
export type DeploymentSnapshot = ReturnType<ControlPlane["snapshot"]>[number];

/** The operations on deployments; each happens at one moment, as a whole or not at all. */
export class ControlPlane {
  readonly #parts: RecordParts;
  readonly #records: DeploymentRecords;

  constructor(parts: RecordParts, records: DeploymentRecords) {
    this.#parts = parts;
    this.#records = records;
  }

  /** @throws {RefusedError} 409 when the name is taken */
  create(request: NewDeployment) {
    const { store, platform } = this.#parts;
    const now = this.#records.start();
    return store.transaction(() => {
      platform.checkCreate(request);
      if (store.nameIsTaken(request.name)) {
        throw new RefusedError(409, `A deployment with the name '${request.name}' already exists.`);
      }
      const deployment = store.insert(request, now);
      this.#records.addRevision(deployment, now);
      return this.#records.view(deployment, now);
    });
  }

  /** @throws {RefusedError} 404, or 409 while the deployment is being deleted */
  update(id: string, request: DeploymentChange) {
    const { store, platform } = this.#parts;
    const now = this.#records.start();
    return store.transaction(() => {
      const before = this.#records.findToChange(id);
      platform.checkUpdate(before, request);
      const deployment = store.update(before, request, now);
      if (!makesRevision(request)) return this.#records.view(deployment, now);
      this.#addForeignRevisions("before", before, now);
      this.#records.addRevision(deployment, now);
      const answer = this.#records.view(deployment, now);
      this.#addForeignRevisions("after", deployment, now);
      return answer;
    });
  }

  /** @throws {RefusedError} 404 */
  delete(id: string): void {
    const { store, misbehaviour } = this.#parts;
    const now = this.#records.start();
    const deployment = this.#records.find(id);
    if (deployment.gone_at === null) store.delete(id, now + misbehaviour.deletionTime());
  }

  /** @throws {RefusedError} 404 */
  read(id: string) {
    const now = this.#records.start();
    return this.#records.view(this.#records.find(id), now, "deployment");
  }

  /** Every deployment whose name contains the text, the oldest first. */
  list(nameContains: string) {
    const now = this.#records.start();
    return this.#parts.store
      .list(nameContains)
      .filter(({ id }) => this.#records.shownRevisions(id, now, "deployments").length > 0)
      .map((deployment) => this.#records.view(deployment, now));
  }

  /**
   * The newest first.
   * @throws {RefusedError} 404
   */
  revisions(id: string) {
    const now = this.#records.start();
    const deployment = this.#records.find(id);
    return this.#records
      .shownRevisions(deployment.id, now, "revisions")
      .map((one) => this.#records.revisionView(one, now));
  }

  /** @throws {RefusedError} 404 */
  revision(id: string, revisionId: string) {
    const now = this.#records.start();
    return this.#records.revisionView(this.#records.findShownRevision(id, revisionId, now), now);
  }

  /** Everything there is, each deployment with its revisions (the newest first), whatever rules are in force. */
  snapshot() {
    const now = this.#records.start();
    return this.#parts.store.list("").map((deployment) => ({
      ...this.#records.view(deployment, now),
      revisions: this.#records.revisions(deployment.id).map((one) => this.#records.revisionView(one, now)),
    }));
  }

  /**
   * A revision that somebody else makes now, in the deployment as it is but for its ref.
   * @throws {RefusedError} 404
   */
  addForeignRevision(id: string, ref?: string) {
    const now = this.#records.start();
    const revision = this.#records.addRevision(withRef(this.#records.find(id), ref), now);
    return this.#records.revisionView(revision, now);
  }

  #addForeignRevisions(when: "before" | "after", deployment: DeploymentRow, at: number): void {
    for (const { repo_ref } of this.#parts.misbehaviour.foreignRevisions(when)) {
      this.#records.addRevision(withRef(deployment, repo_ref), at);
    }
  }
}

function withRef(deployment: DeploymentRow, ref: string | undefined): DeploymentRow {
  if (ref === undefined) return deployment;
  const config = { ...deployment.source_revision_config, repo_ref: ref };
  return { ...deployment, source_revision_config: config };
}

/** platform-api, States 2; platform-field-notes, Rules: secrets and a resource_spec make one too. */
function makesRevision(request: DeploymentChange): boolean {
  return (
    request.source_revision_config !== undefined ||
    request.secrets !== undefined ||
    (request.source_config?.resource_spec ?? null) !== null
  );
}
