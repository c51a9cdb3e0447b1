import * as v from "valibot";
import {
  type ApiCall,
  type ApiResponse,
  account,
  errorResponse,
  notFound,
  page,
  type Routes,
  timestamp,
  validationFailed,
} from "./api-response.ts";
import {
  type DeploymentRecord,
  type DeploymentStatus,
  type Deployments,
  NewDeploymentSchema,
  type NewStatus,
  NewStatusSchema,
} from "./deployments.ts";
import { example } from "./description.ts";
import type { Repository } from "./repository.ts";

/** The description says this in prose only. */
const maxDescriptionLength = 140;

function deploymentJson(record: DeploymentRecord) {
  const { id, sha, ref, task, payload, environment, description } = record;
  return {
    ...Object(example("deployment")),
    ...{ id, sha, ref, task, payload, environment, description },
    node_id: record.nodeId,
    creator: account(record.login),
    created_at: timestamp(record.createdAt),
    transient_environment: record.transient,
    production_environment: record.production,
  };
}

function statusJson({ id, state, description, environment, ...status }: DeploymentStatus) {
  return {
    ...Object(example("deployment-status")),
    ...{ id, state, description, environment },
    creator: account(status.login),
    log_url: status.logUrl,
    environment_url: status.environmentUrl,
    created_at: timestamp(status.createdAt),
  };
}

function create(deployments: Deployments, repository: Repository, call: ApiCall): ApiResponse {
  const given = v.parse(NewDeploymentSchema, call.body);
  if (repository.resolve(given.ref) === undefined) {
    return errorResponse(422, `No ref found for: ${given.ref}`);
  }
  return { status: 201, body: deploymentJson(deployments.add(given, call.login)) };
}

function list(deployments: Deployments, call: ApiCall): ApiResponse {
  const { task, environment } = call.query;
  const matching = deployments
    .all()
    .filter((record) => task === undefined || record.task === task)
    .filter((record) => environment === undefined || record.environment === environment);
  return page(call, matching.map(deploymentJson));
}

/** Rules of statuses that the description has in prose, or not at all. */
function statusProblem(given: NewStatus): ApiResponse | undefined {
  if (given.description.length > maxDescriptionLength) {
    const message = `description is too long (maximum is ${maxDescriptionLength} characters)`;
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

function createStatus(deployments: Deployments, { id }: DeploymentRecord, call: ApiCall): ApiResponse {
  const given = v.parse(NewStatusSchema, call.body);
  const problem = statusProblem(given);
  if (problem !== undefined) return problem;
  return { status: 201, body: statusJson(deployments.addStatus(id, given, call.login)) };
}

/** The operations on deployments. */
export function deploymentRoutes(deployments: Deployments, repository: Repository): Routes {
  const all = "/repos/{owner}/{repo}/deployments";
  const ofOne = `${all}/{deployment_id}/statuses`;
  const ofRecord = (respond: (record: DeploymentRecord, call: ApiCall) => ApiResponse) => (call: ApiCall) => {
    const record = deployments.find(Number(call.pathValues.deployment_id));
    return record === undefined ? notFound() : respond(record, call);
  };
  return new Map([
    [`POST ${all}`, (call: ApiCall) => create(deployments, repository, call)],
    [`GET ${all}`, (call: ApiCall) => list(deployments, call)],
    [`POST ${ofOne}`, ofRecord((record, call) => createStatus(deployments, record, call))],
    [`GET ${ofOne}`, ofRecord(({ statuses }, call) => page(call, statuses.map(statusJson)))],
  ]);
}
