/** Requests and responses of the `langsmith` dialect. */
import * as v from "valibot";
import {
  type ApiResponse,
  call,
  create as createFrom,
  newName,
  type Replaced,
  revisionsOf,
  createRequest as standardRequest,
  type Target,
} from "./client.ts";

export const INTEGRATION_ID = "00000000-0000-4000-8000-000000000002";
export const UNKNOWN_ID = "00000000-0000-4000-8000-0000000000ff";

const ownConfig = { integration_id: INTEGRATION_ID, repo_url: "https://github.com/octo-org/octo-repo" };

/** A create request with a new name. */
export function createRequest({ source_config, source_revision_config, ...others }: Replaced = {}) {
  const revision = { repo_ref: "main", langgraph_config_path: "langgraph.json", image_uri: null };
  return {
    ...standardRequest({ ...others, source_config: { ...ownConfig, ...source_config } }),
    source_revision_config: { ...revision, ...source_revision_config },
  };
}

/** A create request for this ref. */
export function onRef(repo_ref: string) {
  return createRequest({ source_revision_config: { repo_ref } });
}

/** A create request for an image, with the required fields alone. */
export function imageRequest(replaced: Replaced = {}) {
  return {
    name: newName(),
    source: "external_docker",
    source_config: { resource_spec: {} },
    source_revision_config: { image_uri: "registry.example/agent:1" },
    secrets: [],
    ...replaced,
  };
}

/** Creates a deployment; returns its id and that of its first revision. */
export function create(target: Target, request: object = createRequest()) {
  return createFrom(target, request);
}

/** The status and the `detail` of a refusal. */
export function refusalIn({ status, body }: ApiResponse): [status: number, detail: string] {
  return [status, v.parse(v.strictObject({ detail: v.string() }), body).detail];
}

const ShownRevisionSchema = v.looseObject({
  id: v.string(),
  status: v.string(),
  status_message: v.nullable(v.string()),
  source_revision_config: v.looseObject({ repo_commit_sha: v.nullable(v.string()) }),
});

export async function readRevision(target: Target, id: string, revisionId: string) {
  const { body } = await call(target, `GET /v2/deployments/${id}/revisions/${revisionId}`);
  return v.parse(ShownRevisionSchema, body);
}

/** The statuses of all revisions, the oldest first. */
export async function statusesOf(target: Target, id: string): Promise<string[]> {
  return (await revisionsOf(target, id)).statuses.toReversed();
}
