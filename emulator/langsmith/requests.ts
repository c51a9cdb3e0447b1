/**
 * What the live platform takes: its own names, everything nullable and most of it optional (platform-field-notes,
 * Names, Fields and Rules). Inside the emulator fields have the names of `src/control-plane/schemas.ts`.
 */
import * as v from "valibot";
import { ResourceSpecSchema, SecretSchema } from "../../src/platform/schemas.ts";
import { limitUpTo, pageEntries } from "../deployments/requests.ts";
import type { Config } from "../deployments/store.ts";

/** Ids of everything there. */
export const UuidSchema = v.pipe(v.string(), v.uuid("Input should be a UUID"));

const text = v.nullish(v.string(), null);

const SourceConfigSchema = v.strictObject({
  integration_id: v.nullish(UuidSchema, null),
  repo_url: text,
  deployment_type: v.nullish(v.picklist(["dev_free", "dev", "prod"]), null),
  build_on_push: v.nullish(v.boolean(), null),
  custom_url: text,
  resource_spec: v.nullish(ResourceSpecSchema, null),
  listener_id: v.nullish(UuidSchema, null),
  listener_config: v.nullish(v.record(v.string(), v.unknown()), null),
  install_command: text,
  build_command: text,
});

const RevisionConfigSchema = v.pipe(
  v.strictObject({
    repo_ref: text,
    langgraph_config_path: text,
    image_uri: text,
    source_tarball_path: text,
  }),
  v.transform(({ langgraph_config_path: app_config_path, ...others }) => ({ ...others, app_config_path })),
);

/** POST /v2/deployments. */
export const CreateSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  source: v.picklist(["github", "external_docker", "internal_docker", "internal_source"]),
  source_config: SourceConfigSchema,
  source_revision_config: RevisionConfigSchema,
  secrets: v.array(SecretSchema),
});

/** PATCH /v2/deployments/{deployment_id}: null is the same as nothing (platform-field-notes, Rules). */
export const UpdateSchema = v.pipe(
  v.strictObject({
    source_config: v.nullish(SourceConfigSchema),
    source_revision_config: v.nullish(RevisionConfigSchema),
    secrets: v.nullish(v.array(SecretSchema)),
  }),
  v.transform(({ source_config, source_revision_config, secrets }) => ({
    source_config: given(source_config),
    source_revision_config: given(source_revision_config),
    secrets: secrets ?? undefined,
  })),
);

/** The fields that aren't null; undefined where there is none. */
function given(config: Config | null | undefined): Config | undefined {
  const entries = Object.entries(config ?? {}).filter(([, value]) => value !== null);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** GET …/revisions; `status` is a comma separated list. */
export const RevisionsQuerySchema = v.strictObject({
  ...pageEntries,
  status: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(",")),
    ),
  ),
});

/** DELETE /v2/deployments/{deployment_id}; there is no tracing project here to delete. */
export const DeleteQuerySchema = v.strictObject({
  delete_tracing_project: v.optional(v.picklist(["true", "false"])),
});

/** GET …/logs (platform-field-notes, "Endpoints beyond platform-api"). Defaults aren't published. */
export const LogQuerySchema = v.strictObject({
  type: v.picklist(["build", "deploy"]),
  order: v.optional(v.picklist(["asc", "desc"]), "asc"),
  limit: v.optional(limitUpTo(1000), "100"),
  /** A cursor: the `next_offset` of the page before. */
  offset: v.optional(v.string()),
  level: v.optional(v.string()),
});
export type LogQuery = v.InferOutput<typeof LogQuerySchema>;
