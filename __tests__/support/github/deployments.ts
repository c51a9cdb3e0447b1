import * as v from "valibot";
import { idSequence } from "./api-response.ts";
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

/** A GitHub deployment. */
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
  /** Who created it. */
  readonly login: string;
  readonly createdAt: number;
  /** Newest first, as GitHub lists them. */
  readonly statuses: readonly DeploymentStatus[];
}

/** With the defaults of GitHub's description. Bodies were checked against that before. */
export const NewDeploymentSchema = v.object({
  ref: v.string(),
  task: v.optional(v.string(), "deploy"),
  // Without effect: tests assert what the action sends.
  auto_merge: v.optional(v.boolean()),
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
  // Without effect too.
  auto_inactive: v.optional(v.boolean()),
});
export type NewStatus = v.InferOutput<typeof NewStatusSchema>;

export type NewDeployment = v.InferInput<typeof NewDeploymentSchema>;

/** The deployments of a repository and their statuses. */
export class Deployments {
  readonly #repository: Repository;
  readonly #now: () => number;
  readonly #nextId = idSequence();
  readonly #records: (DeploymentRecord & { statuses: DeploymentStatus[] })[] = [];

  constructor(repository: Repository, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  /** Newest first. A copy: later changes do not show in it. */
  all(): readonly DeploymentRecord[] {
    return this.#records.map((record) => ({ ...record, statuses: [...record.statuses] }));
  }

  find(id: number): DeploymentRecord | undefined {
    return this.#records.find((record) => record.id === id);
  }

  /** @throws an error if the ref does not exist */
  add(deployment: NewDeployment, login: string): DeploymentRecord {
    const given = v.parse(NewDeploymentSchema, deployment);
    const sha = this.#repository.resolve(given.ref);
    if (sha === undefined) throw new Error(`No ref found for: ${given.ref}`);
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

  /** @throws an error if there is no such deployment */
  addStatus(id: number, status: v.InferInput<typeof NewStatusSchema>, login: string): DeploymentStatus {
    const record = this.#records.find((each) => each.id === id);
    if (record === undefined) throw new Error(`There is no deployment ${id}`);
    const given = v.parse(NewStatusSchema, status);
    const added = {
      id: this.#nextId(),
      state: given.state,
      description: given.description,
      environment: given.environment ?? record.environment,
      logUrl: given.log_url ?? given.target_url,
      environmentUrl: given.environment_url,
      login,
      createdAt: this.#now(),
    };
    record.statuses.unshift(added);
    return added;
  }
}
