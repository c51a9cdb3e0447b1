/** The live platform's dialect, for tests: its requests, and an emulator that speaks it on a virtual clock. */
import * as v from "valibot";
import type { Emulator, EmulatorOptions } from "../../../emulator/server.ts";
import { RevisionListSchema, RevisionSchema } from "../../../src/platform/schemas.ts";
import { type Answer, call, deploymentIn, type Target, withEmulator } from "./client.ts";

export const INTEGRATION_ID = "00000000-0000-4000-8000-000000000002";
export const UNKNOWN_ID = "00000000-0000-4000-8000-0000000000ff";

/** 2026-03-02T09:00:00Z */
export const START = Date.UTC(2026, 2, 2, 9);

export interface DialectTest {
  readonly emulator: Emulator;
  /** Lets virtual time pass, in seconds. */
  readonly pass: (seconds: number) => void;
}

/** Runs `use` with an emulator of which each pending status lasts a second. */
export function withLangsmith(
  options: EmulatorOptions,
  use: (test: DialectTest) => Promise<void>,
): Promise<void> {
  let now = START;
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return withEmulator({ platform: "langsmith", now: () => now, ...options }, (emulator) =>
    use({ emulator, pass }),
  );
}

/** A create with every field that the action sends; what is given replaces the top-level fields. */
export function createRequest(replaced: Record<string, unknown> = {}) {
  return {
    name: "my-agent",
    source: "github",
    source_config: {
      integration_id: INTEGRATION_ID,
      repo_url: "https://github.com/octo-org/octo-repo",
      deployment_type: "dev",
      build_on_push: false,
      custom_url: null,
      resource_spec: null,
    },
    source_revision_config: { repo_ref: "main", langgraph_config_path: "langgraph.json", image_uri: null },
    secrets: [],
    ...replaced,
  };
}

/** A create for an image, with nothing in it that could be left out. */
export function imageRequest(replaced: Record<string, unknown> = {}) {
  return {
    name: "my-image",
    source: "external_docker",
    source_config: {},
    source_revision_config: { image_uri: "registry.example/agent:1" },
    secrets: [],
    ...replaced,
  };
}

/** Creates and gives back the deployment's id and that of its first revision. */
export async function create(target: Target, request: object = createRequest()) {
  const answer = await call(target, "POST /v2/deployments", request);
  if (answer.status !== 201) throw new Error(`create answered ${answer.status}`);
  return deploymentIn(answer);
}

/** Deploys a ref and gives back the id of the revision. */
export async function deployRef(target: Target, id: string, ref: string): Promise<string> {
  const answer = await call(target, `PATCH /v2/deployments/${id}`, {
    source_revision_config: { repo_ref: ref },
  });
  return deploymentIn(answer).latest;
}

/** The `detail` of a refusal. */
export function detailOf({ body }: Answer): string {
  return v.parse(v.strictObject({ detail: v.string() }), body).detail;
}

const ShownRevisionSchema = v.object({
  ...RevisionSchema.entries,
  status_message: v.nullable(v.string()),
  updated_at: v.string(),
  source_revision_config: v.looseObject({ repo_commit_sha: v.nullable(v.string()) }),
});

export async function readRevision(target: Target, id: string, revisionId: string) {
  const { body } = await call(target, `GET /v2/deployments/${id}/revisions/${revisionId}`);
  return v.parse(ShownRevisionSchema, body);
}

/** The statuses of all revisions, the oldest first. */
export async function statuses(target: Target, id: string): Promise<string[]> {
  const { body } = await call(target, `GET /v2/deployments/${id}/revisions?limit=100`);
  return v
    .parse(RevisionListSchema, body)
    .resources.map(({ status }) => status)
    .reverse();
}
