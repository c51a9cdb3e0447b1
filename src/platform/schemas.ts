/**
 * The wire format of the control plane, in one place: the client and the emulator both read it from here, and
 * a request that is planned has these types. Source of every rule: platform-api, "Resources and their
 * fields" and "Endpoints".
 *
 * Requests are strict (the emulator answers an unknown field with 422). Responses let unknown fields through,
 * and an optional field of an unexpected type counts as not shown: only what is needed can make an answer wrong.
 */
import * as v from "valibot";

const nullableString = v.nullable(v.string());
const shownString = v.fallback(v.nullish(v.string()), undefined);

/** `resource_spec`: its shape is not published, so any JSON object passes. */
export const ResourceSpecSchema = v.record(v.string(), v.unknown());

export const SecretSchema = v.strictObject({ name: v.string(), value: v.string() });

const sourceConfigEntries = {
  integration_id: nullableString,
  repo_url: nullableString,
  deployment_type: v.string(),
  build_on_push: v.boolean(),
  custom_url: nullableString,
  resource_spec: v.nullable(ResourceSpecSchema),
};

const sourceRevisionConfigEntries = {
  repo_ref: nullableString,
  app_config_path: nullableString,
  image_uri: nullableString,
};

/** Beyond platform-api: sent only to a platform that has listeners, and only where it was given. */
interface ListenerChoice {
  listener_id?: string;
}

/** POST /v2/deployments: every field is there, `null` where nothing was given (contract, 3.1). */
export const CreateRequestSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  source: v.string(),
  source_config: v.strictObject(sourceConfigEntries),
  source_revision_config: v.strictObject(sourceRevisionConfigEntries),
  secrets: v.array(SecretSchema),
});
export type CreateRequest = v.InferOutput<typeof CreateRequestSchema> & { source_config: ListenerChoice };

/** PATCH /v2/deployments/{deployment_id}: only what is to change. */
export const UpdateRequestSchema = v.strictObject({
  source_config: v.optional(v.partial(v.strictObject(sourceConfigEntries))),
  source_revision_config: v.optional(v.partial(v.strictObject(sourceRevisionConfigEntries))),
  secrets: v.optional(v.array(SecretSchema)),
});
export type UpdateRequest = v.InferOutput<typeof UpdateRequestSchema> & { source_config?: ListenerChoice };

const ShownSourceConfigSchema = v.looseObject({
  repo_url: shownString,
  custom_url: shownString,
  integration_id: shownString,
  deployment_type: shownString,
});

const ShownRevisionConfigSchema = v.looseObject({
  repo_ref: shownString,
  app_config_path: shownString,
  image_uri: shownString,
  repo_commit_sha: shownString,
});

/** A deployment as reads and creates show it; beyond `id` nothing is promised (platform-api, "Gaps in this part"). */
export const DeploymentSchema = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  name: shownString,
  status: shownString,
  created_at: shownString,
  source: shownString,
  url: shownString,
  latest_revision_id: shownString,
  active_revision_id: shownString,
  source_config: v.fallback(v.nullish(ShownSourceConfigSchema), undefined),
});

/** GET /v2/deployments (contract, 9). `offset` is not used: platforms disagree on which page's it is. */
export const DeploymentListSchema = v.looseObject({ resources: v.array(DeploymentSchema) });

export const RevisionSchema = v.looseObject({
  id: v.pipe(v.string(), v.minLength(1)),
  status: v.string(),
  created_at: shownString,
  updated_at: shownString,
  status_message: shownString,
  source_revision_config: v.fallback(v.nullish(ShownRevisionConfigSchema), undefined),
});

/** GET …/revisions, newest first. */
export const RevisionListSchema = v.looseObject({ resources: v.array(RevisionSchema) });
