import * as v from "valibot";
import { idSequence } from "./answer.ts";
import type { Repository } from "./repository.ts";

export interface DeploymentStatus {
  readonly id: number;
  readonly state: string;
  readonly description: string;
  readonly environment: string;
  readonly logUrl: string;
  readonly environmentUrl: string;
  readonly login: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A GitHub deployment, as tests look at it. */
export interface DeploymentRecord {
  readonly id: number;
  /** Its id in GraphQL. */
  readonly nodeId: string;
  readonly ref: string;
  readonly sha: string;
  readonly task: string;
  readonly environment: string;
  readonly description: string | null;
  readonly payload: unknown;
  readonly transient: boolean;
  readonly production: boolean;
  /** Who made it. */
  readonly login: string;
  readonly createdAt: number;
  /** Newest first, as GitHub lists them. */
  readonly statuses: readonly DeploymentStatus[];
}

/** What makes GitHub refuse or put off a deployment, unless the request says to leave it alone. */
export interface DeploymentObstacles {
  /** The ref is behind the default branch, and merging that into it `succeeds` or `conflicts`. */
  behindDefaultBranch?: "succeeds" | "conflicts";
  /** Commit statuses that haven't succeeded. */
  failingContexts?: readonly string[];
}

/** Fields and defaults as GitHub's description has them; that request bodies fit it was checked before. */
export const NewDeploymentSchema = v.object({
  ref: v.string(),
  task: v.optional(v.string(), "deploy"),
  auto_merge: v.optional(v.boolean(), true),
  required_contexts: v.optional(v.array(v.string())),
  payload: v.optional(v.union([v.record(v.string(), v.unknown()), v.string()]), {}),
  environment: v.optional(v.string(), "production"),
  description: v.optional(v.nullable(v.string()), null),
  transient_environment: v.optional(v.boolean(), false),
  production_environment: v.optional(v.boolean()),
});

export const NewStatusSchema = v.object({
  state: v.string(),
  target_url: v.optional(v.string(), ""),
  log_url: v.optional(v.string()),
  description: v.optional(v.string(), ""),
  environment: v.optional(v.string()),
  environment_url: v.optional(v.string(), ""),
  auto_inactive: v.optional(v.boolean(), true),
});
export type NewStatus = v.InferOutput<typeof NewStatusSchema>;

export type NewDeployment = v.InferInput<typeof NewDeploymentSchema>;

/** The deployments of a repository and their statuses. */
export class Deployments {
  readonly #repository: Repository;
  readonly #now: () => number;
  readonly #nextId = idSequence();
  readonly #records: (DeploymentRecord & { statuses: DeploymentStatus[] })[] = [];
  obstacles: DeploymentObstacles = {};

  constructor(repository: Repository, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  /** Newest first, as they are now: what happens later doesn't show in them. */
  all(): readonly DeploymentRecord[] {
    return this.#records.map((record) => ({ ...record, statuses: [...record.statuses] }));
  }

  find(id: number): DeploymentRecord | undefined {
    return this.#records.find((record) => record.id === id);
  }

  /** Makes one without asking; throws when its ref isn't there. */
  add(deployment: NewDeployment, login: string): DeploymentRecord {
    const given = v.parse(NewDeploymentSchema, deployment);
    const sha = this.#repository.resolve(given.ref);
    if (sha === undefined) {
      throw new Error(`No ref found for: ${given.ref}`);
    }
    const id = this.#nextId();
    const record = {
      id,
      nodeId: `DE_${Buffer.from(String(id)).toString("base64url")}`,
      ref: given.ref,
      sha,
      task: given.task,
      environment: given.environment,
      description: given.description,
      payload: given.payload,
      transient: given.transient_environment,
      production: given.production_environment ?? given.environment === "production",
      login,
      createdAt: this.#now(),
      statuses: [],
    };
    this.#records.unshift(record);
    return record;
  }

  /** Adds a status, and what `auto_inactive` brings about; throws when there is no such deployment. */
  addStatus(id: number, status: v.InferInput<typeof NewStatusSchema>, login: string): DeploymentStatus {
    const record = this.#records.find((each) => each.id === id);
    if (record === undefined) {
      throw new Error(`There is no deployment ${id}`);
    }
    const given = v.parse(NewStatusSchema, status);
    const added = this.#append(record, given, login);
    if (given.state === "success" && given.auto_inactive) {
      for (const other of this.#records.filter((each) => madeInactive(each, record, added.environment))) {
        this.#append(other, { ...given, state: "inactive", description: "", environment: undefined }, login);
      }
    }
    return added;
  }

  #append(record: { environment: string; statuses: DeploymentStatus[] }, given: NewStatus, login: string) {
    const status = {
      id: this.#nextId(),
      state: given.state,
      description: given.description,
      environment: given.environment ?? record.statuses[0]?.environment ?? record.environment,
      logUrl: given.log_url ?? given.target_url,
      environmentUrl: given.environment_url,
      login,
      createdAt: this.#now(),
    };
    record.statuses.unshift(status);
    return status;
  }
}

/** Earlier, of the same environment, neither transient nor production, and last said to be a success. */
function madeInactive(other: DeploymentRecord, record: DeploymentRecord, environment: string): boolean {
  const latest = other.statuses[0];
  return (
    other.id < record.id &&
    (latest?.environment ?? other.environment) === environment &&
    !other.transient &&
    !other.production &&
    latest?.state === "success"
  );
}
