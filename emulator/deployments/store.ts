/** Deployments and their revisions in the database. */
import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { transaction } from "../database.ts";
import { secretHash } from "../hash.ts";
import { type Timeline, TimelineSchema } from "../lifecycle.ts";

/** A `source_config` or `source_revision_config`, its fields named as in `src/control-plane/schemas.ts`. */
export type Config = Record<string, unknown>;

export interface NewDeployment {
  readonly name: string;
  readonly source: string;
  readonly source_config: Config;
  readonly source_revision_config: Config;
  readonly secrets: readonly Secret[];
}

/** What is to change, and nothing else. */
export interface DeploymentChange {
  readonly source_config?: Config | undefined;
  readonly source_revision_config?: Config | undefined;
  readonly secrets?: readonly Secret[] | undefined;
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

const ConfigColumn = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

const DeploymentRowSchema = v.object({
  id: v.string(),
  name: v.string(),
  source: v.string(),
  source_config: ConfigColumn,
  source_revision_config: ConfigColumn,
  /** Milliseconds since the epoch, like every time here. */
  created_at: v.number(),
  updated_at: v.number(),
  /** When a deployment that is being deleted will be gone. */
  gone_at: v.nullable(v.number()),
});
export type DeploymentRow = v.InferOutput<typeof DeploymentRowSchema>;

const RevisionRowSchema = v.object({
  /** The order in which revisions were made: two may share a millisecond. */
  sequence: v.number(),
  id: v.string(),
  deployment_id: v.string(),
  source: v.string(),
  source_revision_config: ConfigColumn,
  created_at: v.number(),
  timeline: v.pipe(v.string(), v.parseJson(), TimelineSchema),
});
export type RevisionRow = v.InferOutput<typeof RevisionRowSchema>;

export interface NewRevision {
  readonly deployment: Pick<DeploymentRow, "id" | "source">;
  readonly config: Config;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly timeline: Timeline;
}

/** The rows of deployments and revisions. Knows no rules: what may be changed when is its callers' business. */
export class DeploymentStore {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs `work` in one transaction. */
  transaction<T>(work: () => T): T {
    return transaction(this.#database, work);
  }

  /** Forgets the deployments whose deletion is over at `now`. */
  purge(now: number): void {
    this.#database.prepare("DELETE FROM deployments WHERE gone_at <= ?").run(now);
  }

  nameIsTaken(name: string): boolean {
    return this.#database.prepare("SELECT 1 FROM deployments WHERE name = ?").get(name) !== undefined;
  }

  insert(request: NewDeployment, at: number): DeploymentRow {
    const id = randomUUID();
    this.#database
      .prepare(
        `INSERT INTO deployments (id, name, source, source_config, source_revision_config, created_at, updated_at)
         VALUES (:id, :name, :source, :sourceConfig, :revisionConfig, :at, :at)`,
      )
      .run({
        id,
        at,
        name: request.name,
        source: request.source,
        sourceConfig: JSON.stringify(request.source_config),
        revisionConfig: JSON.stringify(request.source_revision_config),
      });
    this.#replaceSecrets(id, request.secrets);
    return this.#get(id);
  }

  /** Merges what the request says into the deployment; secrets are replaced as a whole. */
  update(deployment: DeploymentRow, request: DeploymentChange, at: number): DeploymentRow {
    this.#database
      .prepare(
        `UPDATE deployments SET source_config = :sourceConfig, source_revision_config = :revisionConfig,
         updated_at = :at WHERE id = :id`,
      )
      .run({
        id: deployment.id,
        at,
        sourceConfig: JSON.stringify({ ...deployment.source_config, ...request.source_config }),
        revisionConfig: JSON.stringify({
          ...deployment.source_revision_config,
          ...request.source_revision_config,
        }),
      });
    if (request.secrets !== undefined) this.#replaceSecrets(deployment.id, request.secrets);
    return this.#get(deployment.id);
  }

  #replaceSecrets(deploymentId: string, secrets: readonly Secret[]): void {
    this.#database.prepare("DELETE FROM secrets WHERE deployment_id = ?").run(deploymentId);
    const insert = this.#database.prepare("INSERT OR REPLACE INTO secrets VALUES (?, ?, ?)");
    for (const { name, value } of secrets) insert.run(deploymentId, name, secretHash(value));
  }

  secretNames(deploymentId: string): string[] {
    const rows = this.#database
      .prepare("SELECT name FROM secrets WHERE deployment_id = ? ORDER BY rowid")
      .all(deploymentId);
    return rows.map((row) => String(row.name));
  }

  find(id: string): DeploymentRow | undefined {
    const row = this.#database.prepare("SELECT * FROM deployments WHERE id = ?").get(id);
    return row === undefined ? undefined : v.parse(DeploymentRowSchema, row);
  }

  #get(id: string): DeploymentRow {
    const found = this.find(id);
    if (found === undefined) throw new Error(`deployment ${id} vanished within a transaction`);
    return found;
  }

  /** Deployments whose name contains a text, the oldest first. */
  list(nameContains: string): DeploymentRow[] {
    const rows = this.#database
      .prepare("SELECT * FROM deployments WHERE instr(name, ?) > 0 OR ? = '' ORDER BY created_at, rowid")
      .all(nameContains, nameContains);
    return rows.map((row) => v.parse(DeploymentRowSchema, row));
  }

  /** Deletes a deployment, at once or, with a `goneAt` still to come, at that moment (milliseconds). */
  delete(id: string, goneAt: number): void {
    this.#database.prepare("UPDATE deployments SET gone_at = ? WHERE id = ?").run(goneAt, id);
  }

  insertRevision({ deployment, config, at, timeline }: NewRevision): RevisionRow {
    const id = randomUUID();
    this.#database
      .prepare(
        `INSERT INTO revisions (id, deployment_id, source, source_revision_config, created_at, timeline)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(id, deployment.id, deployment.source, JSON.stringify(config), at, JSON.stringify(timeline));
    return v.parse(RevisionRowSchema, this.#database.prepare("SELECT * FROM revisions WHERE id = ?").get(id));
  }

  /** Gives a revision another life than the one it was made with. */
  setTimeline(revisionId: string, timeline: Timeline): void {
    this.#database
      .prepare("UPDATE revisions SET timeline = ? WHERE id = ?")
      .run(JSON.stringify(timeline), revisionId);
  }

  /** All revisions of a deployment, the newest first. */
  revisions(deploymentId: string): RevisionRow[] {
    const rows = this.#database
      .prepare("SELECT * FROM revisions WHERE deployment_id = ? ORDER BY sequence DESC")
      .all(deploymentId);
    return rows.map((row) => v.parse(RevisionRowSchema, row));
  }
}
