/** Deployments and their revisions in the database. */
import { randomUUID } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import * as v from "valibot";
import { type Timeline, TimelineSchema } from "../timeline.ts";
import { hashSecret, transaction } from "./database.ts";

/** A `source_config` or `source_revision_config` with the field names of `src/platform/request-body.ts`, in every dialect. */
export type Config = Record<string, unknown>;

/** The ref of a configuration; null if it has none. */
export function refOf({ repo_ref }: Config): string | null {
  return typeof repo_ref === "string" ? repo_ref : null;
}

export interface NewDeployment {
  readonly name: string;
  readonly source: string;
  readonly source_config: Config;
  readonly source_revision_config: Config;
  readonly secrets: readonly Secret[];
}

/** An absent part stays unchanged, and so does an absent field of a configuration. */
export interface DeploymentChange {
  /** The kind of source of the new revision, by default that of the deployment. */
  readonly revision_source?: string | undefined;
  readonly source_config?: Config | undefined;
  readonly source_revision_config?: Config | undefined;
  readonly secrets?: readonly Secret[] | undefined;
}

const SecretSchema = v.object({ name: v.string(), value: v.string() });
export type Secret = v.InferOutput<typeof SecretSchema>;

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
  /** The end of a deletion that is in progress. */
  gone_at: v.nullable(v.number()),
});
export type DeploymentRow = v.InferOutput<typeof DeploymentRowSchema>;

const RevisionRowSchema = v.object({
  /** The order of creation: two revisions may share a millisecond. */
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

/** Reads and writes rows. The rules of the platform are in `control-plane/` and `dialects/`. */
export class DeploymentStore {
  readonly #database: DatabaseSync;
  readonly #keepsSecretValues: boolean;

  readonly #statements = new Map<string, StatementSync>();

  /** @param keepsSecretValues whether the values of secrets are needed again; otherwise only hashes are kept */
  constructor(database: DatabaseSync, keepsSecretValues = false) {
    this.#database = database;
    this.#keepsSecretValues = keepsSecretValues;
  }

  /** A statement that is compiled once: every request needs some of them. */
  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** The result of `work`, run in one transaction that is rolled back if it throws. */
  transaction<T>(work: () => T): T {
    return transaction(this.#database, work);
  }

  /**
   * Removes the deployments whose deletion has ended at `now`.
   * @returns whether there was any
   */
  purge(now: number): boolean {
    // Even a write that changes nothing waits while another program has locked the data file, and reads call this too.
    if (this.#prepare("SELECT 1 FROM deployments WHERE gone_at <= ?").get(now) === undefined) return false;
    return this.#prepare("DELETE FROM deployments WHERE gone_at <= ?").run(now).changes !== 0;
  }

  /** What has this name; undefined if it is free. */
  holderOf(name: string): "deployment" | "tracing project" | undefined {
    const isIn = (table: string) =>
      this.#prepare(`SELECT 1 FROM ${table} WHERE name = ?`).get(name) !== undefined;
    if (isIn("deployments")) return "deployment";
    return isIn("tracing_projects") ? "tracing project" : undefined;
  }

  /** The name stays taken although no deployment has it. */
  leaveTracingProject(name: string): void {
    this.#prepare("INSERT OR IGNORE INTO tracing_projects VALUES (?)").run(name);
  }

  insert(request: NewDeployment, at: number): DeploymentRow {
    const id = randomUUID();
    this.#prepare(
      `INSERT INTO deployments (id, name, source, source_config, source_revision_config, created_at, updated_at)
         VALUES (:id, :name, :source, :sourceConfig, :revisionConfig, :at, :at)`,
    ).run({
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

  /** The deployment after a change. Configurations are merged; secrets replace all earlier ones. */
  update(deployment: DeploymentRow, request: DeploymentChange, at: number): DeploymentRow {
    this.#prepare(
      `UPDATE deployments SET source_config = :sourceConfig, source_revision_config = :revisionConfig,
         updated_at = :at WHERE id = :id`,
    ).run({
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
    this.#prepare("DELETE FROM secrets WHERE deployment_id = ?").run(deploymentId);
    const insert = this.#prepare("INSERT OR REPLACE INTO secrets VALUES (?, ?, ?, ?)");
    for (const { name, value } of secrets) {
      insert.run(deploymentId, name, hashSecret(value), this.#keepsSecretValues ? value : null);
    }
  }

  secretNames(deploymentId: string): string[] {
    const rows = this.#prepare("SELECT name FROM secrets WHERE deployment_id = ? ORDER BY rowid").all(
      deploymentId,
    );
    return rows.map((row) => String(row.name));
  }

  /** The secrets whose values are kept. */
  secrets(deploymentId: string): Secret[] {
    const rows = this.#prepare(
      "SELECT name, value FROM secrets WHERE deployment_id = ? AND value IS NOT NULL ORDER BY rowid",
    ).all(deploymentId);
    return v.parse(v.array(SecretSchema), rows);
  }

  find(id: string): DeploymentRow | undefined {
    const row = this.#prepare("SELECT * FROM deployments WHERE id = ?").get(id);
    return row === undefined ? undefined : v.parse(DeploymentRowSchema, row);
  }

  #get(id: string): DeploymentRow {
    const found = this.find(id);
    if (found === undefined) throw new Error(`deployment ${id} is missing inside its own transaction`);
    return found;
  }

  /** The deployments whose name contains the text, the oldest first. */
  list(nameContains: string): DeploymentRow[] {
    const rows = this.#prepare(
      "SELECT * FROM deployments WHERE instr(name, ?) > 0 OR ? = '' ORDER BY created_at, rowid",
    ).all(nameContains, nameContains);
    return rows.map((row) => v.parse(DeploymentRowSchema, row));
  }

  /** Marks a deployment as deleted; `purge` removes it after `goneAt` (milliseconds since the epoch). */
  delete(id: string, goneAt: number): void {
    this.#prepare("UPDATE deployments SET gone_at = ? WHERE id = ?").run(goneAt, id);
  }

  insertRevision({ deployment, config, at, timeline }: NewRevision): RevisionRow {
    const id = randomUUID();
    this.#prepare(
      `INSERT INTO revisions (id, deployment_id, source, source_revision_config, created_at, timeline)
         VALUES (?, ?, ?, ?, ?, ?)`,
    ).run(id, deployment.id, deployment.source, JSON.stringify(config), at, JSON.stringify(timeline));
    return v.parse(RevisionRowSchema, this.#prepare("SELECT * FROM revisions WHERE id = ?").get(id));
  }

  findRevision(id: string): RevisionRow | undefined {
    const row = this.#prepare("SELECT * FROM revisions WHERE id = ?").get(id);
    return row === undefined ? undefined : v.parse(RevisionRowSchema, row);
  }

  setRevisionConfig(revisionId: string, config: Config): void {
    this.#prepare("UPDATE revisions SET source_revision_config = ? WHERE id = ?").run(
      JSON.stringify(config),
      revisionId,
    );
  }

  setTimeline(revisionId: string, timeline: Timeline): void {
    this.#prepare("UPDATE revisions SET timeline = ? WHERE id = ?").run(JSON.stringify(timeline), revisionId);
  }

  /** The newest first. */
  revisions(deploymentId: string): RevisionRow[] {
    const rows = this.#prepare("SELECT * FROM revisions WHERE deployment_id = ? ORDER BY sequence DESC").all(
      deploymentId,
    );
    return rows.map((row) => v.parse(RevisionRowSchema, row));
  }
}
