// The wire format of the control plane, used by the client and the emulator. Requests are strict: the emulator rejects
// an unknown field with 422. Responses may have unknown fields. An optional field of an unexpected type counts as absent,
// so that only a required field can make a response invalid.

import * as v from "valibot";
import { arrayOf, IdSchema, orAbsent } from "../text/schemas.ts";
import { DeploymentIdSchema, RevisionIdSchema } from "./ids.ts";

const nullableString = v.nullable(v.string());
/** An empty text counts as absent: some platforms send it in place of `null`. */
const shownString = orAbsent(v.pipe(v.string(), v.minLength(1)));
/** The SHA-1 or SHA-256 of a commit. */
export const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Says that there is no id. */
const noId = v.pipe(
  v.nullable(v.literal("")),
  v.transform(() => null),
);

/** The shape of `resource_spec` is not published, so any JSON object passes. */
export const ResourceSpecSchema = v.record(v.string(), v.unknown());

export const SecretSchema = v.strictObject({ name: v.string(), value: v.string() });

const sourceConfigEntries = {
  integration_id: nullableString,
  repo_url: nullableString,
  deployment_type: v.string(),
  /** Sent only with source `github`. */
  build_on_push: v.optional(v.boolean()),
  custom_url: nullableString,
  resource_spec: v.nullable(ResourceSpecSchema),
};

const sourceRevisionConfigEntries = {
  repo_ref: nullableString,
  app_config_path: nullableString,
  image_uri: nullableString,
};

/** POST /v2/deployments: has every field, `null` if nothing was given. */
export const CreateRequestSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  source: v.string(),
  source_config: v.strictObject(sourceConfigEntries),
  source_revision_config: v.strictObject(sourceRevisionConfigEntries),
  secrets: v.array(SecretSchema),
});
export type CreateBody = v.InferOutput<typeof CreateRequestSchema>;

/** PATCH /v2/deployments/{deployment_id}: has only the fields that change. */
export const UpdateRequestSchema = v.strictObject({
  source_config: v.optional(v.partial(v.strictObject(sourceConfigEntries))),
  source_revision_config: v.optional(v.partial(v.strictObject(sourceRevisionConfigEntries))),
  secrets: v.optional(v.array(SecretSchema)),
});

type Sent<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

export type SourceConfig = Sent<
  CreateBody["source_config"] & {
    listener_id: string;
    listener_config: { readonly k8s_namespace: string };
    install_command: string;
    build_command: string;
  }
>;

export type RevisionConfig = Sent<
  CreateBody["source_revision_config"] & { langgraph_config_path: string | null; source_tarball_path: string }
>;

/** A create or an update, with the fields of LangSmith Deployment. Those that are undefined are not sent. */
export interface RequestBody {
  readonly name?: string;
  readonly source?: string;
  readonly revision_source?: string;
  readonly source_config?: SourceConfig;
  readonly source_revision_config?: RevisionConfig;
  readonly secrets?: CreateBody["secrets"];
}

const ShownSourceConfigSchema = v.looseObject({
  repo_url: shownString,
  custom_url: shownString,
  integration_id: shownString,
  deployment_type: shownString,
  listener_id: orAbsent(v.union([IdSchema, noId])),
  listener_config: orAbsent(v.looseObject({ k8s_namespace: shownString })),
});

const ShownRevisionConfigSchema = v.looseObject({
  repo_ref: shownString,
  app_config_path: shownString,
  /** LangSmith Deployment's name for `app_config_path`. */
  langgraph_config_path: shownString,
  image_uri: shownString,
  source_tarball_path: shownString,
  /** A full SHA-1 or SHA-256. Any other text counts as absent. */
  repo_commit_sha: orAbsent(v.pipe(v.string(), v.regex(commitPattern))),
});

/** A deployment in a response: only `id` is promised. */
export const DeploymentSchema = v.looseObject({
  id: DeploymentIdSchema,
  name: shownString,
  tenant_id: shownString,
  status: shownString,
  source: shownString,
  url: shownString,
  latest_revision_id: orAbsent(RevisionIdSchema),
  active_revision_id: orAbsent(RevisionIdSchema),
  source_config: orAbsent(ShownSourceConfigSchema),
  /** Some platforms also show the values. */
  secrets: orAbsent(v.array(v.object({ name: v.string(), value: orAbsent(v.string()) }))),
});

/** GET /v2/deployments. Its `offset` is ignored, because platforms disagree on its meaning. */
export const DeploymentListSchema = v.looseObject({ resources: arrayOf(DeploymentSchema) });

export const RevisionSchema = v.looseObject({
  id: RevisionIdSchema,
  /** Without one, the revision is in progress. */
  status: v.nullish(v.string(), ""),
  created_at: shownString,
  updated_at: shownString,
  status_message: shownString,
  source_revision_config: orAbsent(ShownRevisionConfigSchema),
});

/** GET …/revisions, newest first. */
export const RevisionListSchema = v.looseObject({ resources: arrayOf(RevisionSchema) });

/** https://docs.langchain.com/api-reference/integrations-v1/list-github-integrations */
export const IntegrationListSchema = arrayOf(
  v.looseObject({ id: IdSchema, name: v.fallback(v.optional(v.string(), ""), "") }),
);

/** https://docs.langchain.com/api-reference/integrations-v1/list-github-repositories */
export const RepositoryListSchema = arrayOf(v.looseObject({ url: v.string() }));

/** POST /v2/deployments/{deployment_id}/upload-url */
export const UploadAddressSchema = v.pipe(
  v.looseObject({
    upload_url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)),
    upload_headers: v.nullish(v.record(v.pipe(v.string(), v.toLowerCase()), v.string()), {}),
    object_path: v.pipe(v.string(), v.minLength(1)),
  }),
  v.transform((wire) => ({
    /** A credential: whoever knows it may upload. */
    url: new URL(wire.upload_url),
    /** The headers that the store requires, by lower-case names. They may be credentials too. */
    headers: wire.upload_headers ?? {},
    /** The platform's name for the archive. */
    objectPath: wire.object_path,
  })),
);

export type UploadAddress = Readonly<v.InferOutput<typeof UploadAddressSchema>>;
