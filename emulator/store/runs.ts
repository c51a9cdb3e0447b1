/** What a runner needs to build and start revisions, in the database. */
import type { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { isTerminal, type Step, TimelineSchema } from "../timeline.ts";
import { tryTransaction } from "./database.ts";
import type { DeploymentStore, RevisionRow } from "./deployments.ts";

const nullableText = v.nullable(v.string());

/** Everything about a revision that does not change any more once it is created. */
const RunRequestSchema = v.object({
  source: v.string(),
  repoUrl: nullableText,
  ref: nullableText,
  /** `source_tarball_path` of an upload. */
  archivePath: nullableText,
  configPath: nullableText,
  installCommand: nullableText,
  buildCommand: nullableText,
  secrets: v.array(v.object({ name: v.string(), value: v.string() })),
});
export type RunRequest = v.InferOutput<typeof RunRequestSchema>;

const RunRowSchema = v.object({
  revision_id: v.string(),
  request: v.pipe(v.string(), v.parseJson(), RunRequestSchema),
  commit_sha: nullableText,
  folder: nullableText,
});

export interface Run {
  readonly revisionId: string;
  readonly request: RunRequest;
  /** Null before it is known. */
  readonly commit: string | null;
  /** The checkout that is built; null before. */
  readonly folder: string | null;
}

/** Writes fail at once while another program has locked the data file: their callers retry them. */
export class RunStore {
  readonly #database: DatabaseSync;
  readonly #deployments: DeploymentStore;

  constructor(database: DatabaseSync, deployments: DeploymentStore) {
    this.#database = database;
    this.#deployments = deployments;
  }

  insert({ revisionId, request, commit, folder }: Run): void {
    this.#database
      .prepare("INSERT INTO runs (revision_id, request, commit_sha, folder) VALUES (?, ?, ?, ?)")
      .run(revisionId, JSON.stringify(request), commit, folder);
  }

  find(revisionId: string): Run | undefined {
    const row = this.#database.prepare("SELECT * FROM runs WHERE revision_id = ?").get(revisionId);
    if (row === undefined) return undefined;
    const { revision_id, request, commit_sha, folder } = v.parse(RunRowSchema, row);
    return { revisionId: revision_id, request, commit: commit_sha, folder };
  }

  /** Stores the commit that a revision deploys, and shows it if the dialect shows commits. */
  setCommit(revisionId: string, commit: string): void {
    tryTransaction(this.#database, () => {
      this.#database.prepare("UPDATE runs SET commit_sha = ? WHERE revision_id = ?").run(commit, revisionId);
      const config = this.#deployments.findRevision(revisionId)?.source_revision_config ?? {};
      if (!("repo_commit_sha" in config)) return;
      this.#deployments.setRevisionConfig(revisionId, { ...config, repo_commit_sha: commit });
    });
  }

  setFolder(revisionId: string, folder: string): void {
    tryTransaction(this.#database, () => {
      this.#database.prepare("UPDATE runs SET folder = ? WHERE revision_id = ?").run(folder, revisionId);
    });
  }

  /** The oldest revision of a deployment that has not ended. */
  nextPending(deploymentId: string): Run | undefined {
    const pending = this.#deployments.revisions(deploymentId).filter((one) => !hasEnded(one));
    return this.#runOf(pending.at(-1));
  }

  /** The revisions that were or are live, the newest first: the first one is live now. */
  live(deploymentId: string): Run[] {
    return this.#deployments
      .revisions(deploymentId)
      .filter((one) => statusOf(one) === "DEPLOYED")
      .map((one) => this.#runOf(one))
      .filter((run) => run !== undefined);
  }

  #runOf(revision: RevisionRow | undefined): Run | undefined {
    return revision && this.find(revision.id);
  }

  /** Whether the revision has not ended, and still exists. */
  isPending(revisionId: string): boolean {
    const revision = this.#deployments.findRevision(revisionId);
    return revision !== undefined && !hasEnded(revision);
  }

  /**
   * Moves a revision on to another status, `now` (milliseconds since the epoch).
   * @returns false if it has ended or is gone
   */
  advance(revisionId: string, now: number, { status, message }: Omit<Step, "after">): boolean {
    return tryTransaction(this.#database, () => {
      const revision = this.#deployments.findRevision(revisionId);
      if (revision === undefined || hasEnded(revision)) return false;
      const after = Math.max(now - revision.created_at, revision.timeline.at(-1)?.after ?? 0);
      const timeline = v.parse(TimelineSchema, [...revision.timeline, { status, message, after }]);
      this.#deployments.setTimeline(revisionId, timeline);
      return true;
    });
  }

  /** The port of a deployment's URL; undefined if it has none yet. */
  port(deploymentId: string): number | undefined {
    const row = this.#database.prepare("SELECT port FROM ports WHERE deployment_id = ?").get(deploymentId);
    return row === undefined ? undefined : Number(row.port);
  }

  setPort(deploymentId: string, port: number): void {
    tryTransaction(this.#database, () => {
      this.#database
        .prepare("INSERT OR IGNORE INTO ports SELECT id, ? FROM deployments WHERE id = ?")
        .run(port, deploymentId);
    });
  }
}

function statusOf({ timeline }: RevisionRow): string {
  return (timeline.at(-1) ?? timeline[0]).status;
}

function hasEnded(revision: RevisionRow): boolean {
  return isTerminal(statusOf(revision));
}
