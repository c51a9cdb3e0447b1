import * as v from "valibot";
import {
  type Answer,
  account,
  type Call,
  errorAnswer,
  notFound,
  page,
  type Routes,
  timestamp,
  validationFailed,
} from "./answer.ts";
import {
  type DeploymentObstacles,
  type DeploymentRecord,
  type DeploymentStatus,
  type Deployments,
  NewDeploymentSchema,
  type NewStatus,
  NewStatusSchema,
} from "./deployments.ts";
import { example } from "./description.ts";
import type { Repository } from "./repository.ts";

/** Said in the description's prose, not in its schema. */
const descriptionLength = 140;

function shown(record: DeploymentRecord, call: Call) {
  const url = `${call.repositoryUrl}/deployments/${record.id}`;
  const latest = record.statuses[0];
  return {
    ...example("deployment"),
    url,
    id: record.id,
    node_id: record.nodeId,
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
function obstacle(
  given: v.InferOutput<typeof NewDeploymentSchema>,
  obstacles: DeploymentObstacles,
  main: string,
) {
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
  const given = v.parse(NewDeploymentSchema, call.body);
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
  const given = v.parse(NewStatusSchema, call.body);
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
