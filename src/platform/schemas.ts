// What the control plane responds with. Unknown fields are allowed. An optional field of an unexpected type counts as absent,
// so that only a required field can make a response invalid.

import * as v from "valibot";
import { arrayOf, IdSchema, orAbsent } from "../text/schemas.ts";
import { DeploymentIdSchema, RevisionIdSchema } from "./ids.ts";

/** An empty text counts as absent: some platforms send it in place of `null`. */
const shownString = orAbsent(v.pipe(v.string(), v.minLength(1)));
/** The SHA-1 or SHA-256 of a commit. */
export const commitPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
/** Says that there is no id. */
const noId = v.pipe(
  v.nullable(v.literal("")),
  v.transform(() => null),
);

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
