/** A client of the emulator over HTTP. */
import * as v from "valibot";
import { DeploymentSchema } from "../../../src/platform/deployment.ts";
import { RevisionSchema } from "../../../src/platform/revision.ts";

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed if it is JSON, else text. */
  readonly body: unknown;
}

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

/** @param line a method and a path, as in `GET /v2/deployments` */
export async function call(target: Target, line: string, body?: unknown, headers = {}): Promise<ApiResponse> {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(target.url + path, {
    method,
    headers: {
      "X-Api-Key": target.apiKey,
      "X-Tenant-Id": target.workspaceId,
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isFromApi = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, body: isFromApi ? JSON.parse(text) : text };
}

let created = 0;

/** A name that no other test of the file uses. */
export function newName(): string {
  created += 1;
  return `agent-${created}`;
}

/** Fields of a create request; those of a configuration are added to its defaults. */
export interface Replaced {
  readonly source_config?: object;
  readonly source_revision_config?: object;
  readonly [field: string]: unknown;
}

/** A create request with a new name. */
export function createRequest({ source_config, source_revision_config, ...others }: Replaced = {}) {
  return {
    name: newName(),
    source: "github",
    source_config: {
      integration_id: "integration-1",
      repo_url: "https://github.com/octo/agents",
      deployment_type: "dev",
      build_on_push: false,
      custom_url: null,
      resource_spec: null,
      ...source_config,
    },
    source_revision_config: {
      repo_ref: "main",
      app_config_path: "agent.json",
      image_uri: null,
      ...source_revision_config,
    },
    secrets: [],
    ...others,
  };
}

/** The ids of a deployment and of its latest revision. */
export function deploymentIn(response: ApiResponse): { id: string; latest: string } {
  const shown = v.parse(v.required(DeploymentSchema, ["latest_revision_id"]), response.body);
  return { id: shown.id, latest: v.parse(v.string(), shown.latest_revision_id) };
}

/** Creates a deployment; returns its id and that of its first revision. */
export async function create(target: Target, request: object = createRequest()) {
  const response = await call(target, "POST /v2/deployments", request);
  if (response.status !== 201) throw new Error(`create answered ${response.status}`);
  return deploymentIn(response);
}

/** Deploys a ref; returns the id of the new revision. */
export async function deployRef(target: Target, id: string, ref: string): Promise<string> {
  const request = { source_revision_config: { repo_ref: ref } };
  return deploymentIn(await call(target, `PATCH /v2/deployments/${id}`, request)).latest;
}

export async function statusOf(target: Target, deployment: string, revision: string): Promise<string> {
  const { body } = await call(target, `GET /v2/deployments/${deployment}/revisions/${revision}`);
  return v.parse(RevisionSchema, body).status.raw;
}

/** The ids and statuses of all revisions, the newest first. */
export async function revisionsOf(target: Target, deployment: string) {
  const { body } = await call(target, `GET /v2/deployments/${deployment}/revisions?limit=100`);
  const { resources } = v.parse(v.object({ resources: v.array(RevisionSchema) }), body);
  return { ids: resources.map(({ id }) => id), statuses: resources.map(({ status }) => status.raw) };
}

/** The places (`loc`, joined by dots) in a 422. */
export function violations({ status, body }: ApiResponse): string[] {
  if (status !== 422) throw new Error(`answered ${status}, not 422`);
  const item = v.strictObject({
    loc: v.array(v.union([v.string(), v.number()])),
    msg: v.pipe(v.string(), v.minLength(1)),
    type: v.pipe(v.string(), v.minLength(1)),
  });
  const { detail } = v.parse(v.strictObject({ detail: v.array(item) }), body);
  return detail.map(({ loc }) => loc.join(".")).sort();
}
