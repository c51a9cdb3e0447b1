/** Talks to an emulator the way any client would: over HTTP, with what the contract names. */
import * as v from "valibot";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../emulator/server.ts";
import { DeploymentSchema, RevisionListSchema, RevisionSchema } from "../../../src/platform/schemas.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, else text. */
  readonly body: unknown;
}

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly workspaceId: string;
}

export async function call(target: Target, line: string, body?: unknown, headers = {}): Promise<Answer> {
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
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** A request that creates; what is given replaces the top-level fields. */
export function createRequest(replaced: Record<string, unknown> = {}) {
  return {
    name: "my-agent",
    source: "github",
    source_config: {
      integration_id: "integration-1",
      repo_url: "https://github.com/octo/agents",
      deployment_type: "dev",
      build_on_push: false,
      custom_url: null,
      resource_spec: null,
    },
    source_revision_config: { repo_ref: "main", app_config_path: "agent.json", image_uri: null },
    secrets: [],
    ...replaced,
  };
}

/** A deployment in an answer, with the id of its newest revision. */
export function deploymentIn(answer: Answer): { id: string; latest: string } {
  const shown = v.parse(v.required(DeploymentSchema, ["latest_revision_id"]), answer.body);
  return { id: shown.id, latest: v.parse(v.string(), shown.latest_revision_id) };
}

export async function create(target: Target, replaced: Record<string, unknown> = {}) {
  const answer = await call(target, "POST /v2/deployments", createRequest(replaced));
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}`);
  return deploymentIn(answer);
}

export async function statusOf(target: Target, deployment: string, revision: string): Promise<string> {
  const { body } = await call(target, `GET /v2/deployments/${deployment}/revisions/${revision}`);
  return v.parse(RevisionSchema, body).status;
}

/** Ids, the newest revision first. */
export async function revisionIds(target: Target, deployment: string): Promise<string[]> {
  const { body } = await call(target, `GET /v2/deployments/${deployment}/revisions`);
  return v.parse(RevisionListSchema, body).resources.map(({ id }) => id);
}

/** Runs `use` with an emulator that is closed afterwards, whatever happens. */
export async function withEmulator(
  options: EmulatorOptions,
  use: (emulator: Emulator) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator(options);
  try {
    await use(emulator);
  } finally {
    await emulator.close();
  }
}

/** The places (`loc`, joined by dots) that a 422 complains about. */
export function complaints({ status, body }: Answer): string[] {
  if (status !== 422) throw new Error(`answered ${status}, not 422`);
  const item = v.strictObject({
    loc: v.array(v.union([v.string(), v.number()])),
    msg: v.pipe(v.string(), v.minLength(1)),
    type: v.pipe(v.string(), v.minLength(1)),
  });
  const { detail } = v.parse(v.strictObject({ detail: v.array(item) }), body);
  return detail.map(({ loc }) => loc.join(".")).sort();
}
