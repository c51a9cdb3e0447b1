import * as v from "valibot";
import {
  type Answer,
  account,
  type Call,
  errorAnswer,
  idSequence,
  notFound,
  page,
  type Routes,
  timestamp,
  validationFailed,
} from "./answer.ts";
import { example } from "./description.ts";
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
const CreateSchema = v.object({
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

const StatusSchema = v.object({
  state: v.string(),
  target_url: v.optional(v.string(), ""),
  log_url: v.optional(v.string()),
  description: v.optional(v.string(), ""),
  environment: v.optional(v.string()),
  environment_url: v.optional(v.string(), ""),
  auto_inactive: v.optional(v.boolean(), true),
});
type NewStatus = v.InferOutput<typeof StatusSchema>;

export type NewDeployment = v.InferInput<typeof CreateSchema>;

const descriptionLength = 140;

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

  /** Newest first. */
  all(): readonly DeploymentRecord[] {
    return this.#records;
  }

  find(id: number): DeploymentRecord | undefined {
    return this.#records.find((record) => record.id === id);
  }

  /** Makes one without asking; throws when its ref isn't there. */
  add(deployment: NewDeployment, login: string): DeploymentRecord {
    const given = v.parse(CreateSchema, deployment);
    const sha = this.#repository.resolve(given.ref);
    if (sha === undefined) {
      throw new Error(`No ref found for: ${given.ref}`);
    }
    const record = {
      id: this.#nextId(),
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
  addStatus(id: number, status: v.InferInput<typeof StatusSchema>, login: string): DeploymentStatus {
    const record = this.#records.find((each) => each.id === id);
    if (record === undefined) {
      throw new Error(`There is no deployment ${id}`);
    }
    const given = v.parse(StatusSchema, status);
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

function shown(record: DeploymentRecord, call: Call) {
  const url = `${call.repositoryUrl}/deployments/${record.id}`;
  const latest = record.statuses[0];
  return {
    ...example("deployment"),
    url,
    id: record.id,
    sha: record.sha,
    ref: record.ref,
    task: record.task,
    payload: record.payload,
    original_environment: record.environment,
    environment: latest?.environment ?? record.environment,
    description: record.description,
    creator: account(record.login),
    created_at: timestamp(record.createdAt),
    updated_at: timestamp(latest?.createdAt ?? record.createdAt),
    statuses_url: `${url}/statuses`,
    repository_url: call.repositoryUrl,
    transient_environment: record.transient,
    production_environment: record.production,
  };
}

function shownStatus(status: DeploymentStatus, id: number, call: Call) {
  const deployment = `${call.repositoryUrl}/deployments/${id}`;
  return {
    ...example("deployment-status"),
    url: `${deployment}/statuses/${status.id}`,
    id: status.id,
    state: status.state,
    creator: account(status.login),
    description: status.description,
    environment: status.environment,
    target_url: status.logUrl,
    log_url: status.logUrl,
    environment_url: status.environmentUrl,
    created_at: timestamp(status.createdAt),
    updated_at: timestamp(status.createdAt),
    deployment_url: deployment,
    repository_url: call.repositoryUrl,
  };
}

/** GitHub's answers instead of a deployment: merged first (202), or a conflict (409). */
function obstacle(given: v.InferOutput<typeof CreateSchema>, obstacles: DeploymentObstacles, main: string) {
  if (given.auto_merge && obstacles.behindDefaultBranch === "conflicts") {
    return errorAnswer(409, `Conflict merging ${main} into ${given.ref}.`);
  }
  if (given.auto_merge && obstacles.behindDefaultBranch === "succeeds") {
    return { status: 202, body: { message: `Auto-merged ${main} into ${given.ref} on deployment.` } };
  }
  const required = given.required_contexts;
  const failing = (obstacles.failingContexts ?? []).filter((context) => required?.includes(context) ?? true);
  return failing.length > 0
    ? errorAnswer(409, `Conflict: Commit status checks failed for ${given.ref}.`)
    : undefined;
}

function create(deployments: Deployments, repository: Repository, call: Call): Answer {
  const given = v.parse(CreateSchema, call.body);
  if (repository.resolve(given.ref) === undefined) {
    return errorAnswer(422, `No ref found for: ${given.ref}`);
  }
  const instead = obstacle(given, deployments.obstacles, repository.defaultBranch);
  return instead ?? { status: 201, body: shown(deployments.add(given, call.login), call) };
}

function list(deployments: Deployments, call: Call): Answer {
  const { ref, sha, task, environment } = call.query;
  const matching = deployments
    .all()
    .filter((record) => ref === undefined || record.ref === ref)
    .filter((record) => sha === undefined || record.sha === sha)
    .filter((record) => task === undefined || record.task === task)
    .filter((record) => environment === undefined || record.environment === environment);
  return page(
    call,
    matching.map((record) => shown(record, call)),
  );
}

/** Rules of statuses that stand in the description's prose, or nowhere. */
function statusProblem(given: NewStatus): Answer | undefined {
  if (given.description.length > descriptionLength) {
    const message = `description is too long (maximum is ${descriptionLength} characters)`;
    return validationFailed("DeploymentStatus", "description", message);
  }
  for (const field of ["environment_url", "log_url", "target_url"] as const) {
    const url = given[field] ?? "";
    if (url !== "" && !/^https?:$/u.test(URL.parse(url)?.protocol ?? "")) {
      return validationFailed("DeploymentStatus", field, `${field} must use http(s) scheme`);
    }
  }
  return undefined;
}

function createStatus(deployments: Deployments, record: DeploymentRecord, call: Call): Answer {
  const given = v.parse(StatusSchema, call.body);
  const problem = statusProblem(given);
  if (problem !== undefined) {
    return problem;
  }
  const status = deployments.addStatus(record.id, given, call.login);
  return { status: 201, body: shownStatus(status, record.id, call) };
}

/** What can be asked of deployments. */
export function deploymentRoutes(deployments: Deployments, repository: Repository): Routes {
  const all = "/repos/{owner}/{repo}/deployments";
  const one = `${all}/{deployment_id}`;
  const withRecord = (answer: (record: DeploymentRecord, call: Call) => Answer) => (call: Call) => {
    const record = deployments.find(Number(call.pathValues.deployment_id));
    return record === undefined ? notFound() : answer(record, call);
  };
  return new Map([
    [`POST ${all}`, (call: Call) => create(deployments, repository, call)],
    [`GET ${all}`, (call: Call) => list(deployments, call)],
    [`GET ${one}`, withRecord((record, call) => ({ status: 200, body: shown(record, call) }))],
    [`POST ${one}/statuses`, withRecord((record, call) => createStatus(deployments, record, call))],
    [
      `GET ${one}/statuses`,
      withRecord((record, call) =>
        page(
          call,
          record.statuses.map((status) => shownStatus(status, record.id, call)),
        ),
      ),
    ],
  ]);
}
