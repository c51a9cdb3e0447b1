/**
 * The dialect of LangSmith Deployment (docs/specification.md#platform-langsmith): other field names, most fields
 * optional and nullable, more fields in responses. Inside the emulator fields have the names of
 * the published API.
 */
import * as v from "valibot";
import { deploymentsEntries, pageEntries } from "../pages.ts";
import type { Config } from "../store/deployments.ts";
import { reasonFor } from "../timeline.ts";
import type { Dialect } from "./dialect.ts";
import { checkCreate, checkUpdate, failureOf, ListenerConfigSchema } from "./langsmith-rules.ts";
import { ResourceSpecSchema, SecretSchema } from "./parts.ts";

const UuidSchema = v.pipe(v.string(), v.uuid("Input should be a UUID"));

const text = v.nullish(v.string(), null);

const SourceConfigSchema = v.strictObject({
  integration_id: v.nullish(UuidSchema, null),
  repo_url: text,
  // Not a list of the known ones: it grows (docs/specification.md#platform-langsmith).
  deployment_type: v.nullish(v.pipe(v.string(), v.minLength(1)), null),
  build_on_push: v.nullish(v.boolean(), null),
  custom_url: text,
  resource_spec: v.nullish(ResourceSpecSchema, null),
  listener_id: v.nullish(UuidSchema, null),
  listener_config: v.nullish(ListenerConfigSchema, null),
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

const CreateSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  source: v.picklist(["github", "external_docker", "internal_docker", "internal_source"]),
  source_config: SourceConfigSchema,
  source_revision_config: RevisionConfigSchema,
  secrets: v.array(SecretSchema),
});

/** A null means the same as an absent field. */
const UpdateSchema = v.pipe(
  v.strictObject({
    revision_source: v.nullish(v.picklist(["github", "internal_docker", "internal_source"])),
    /** Sent by the vendor's client, and ignored. */
    tracked_packages: v.nullish(v.array(v.string())),
    source_config: v.nullish(SourceConfigSchema),
    source_revision_config: v.nullish(RevisionConfigSchema),
    secrets: v.nullish(v.array(SecretSchema)),
  }),
  v.transform(({ revision_source, source_config, source_revision_config, secrets }) => ({
    revision_source: revision_source ?? undefined,
    source_config: withoutNulls(source_config),
    source_revision_config: withoutNulls(source_revision_config),
    secrets: secrets ?? undefined,
  })),
);

/** `POST …/revisions`. The vendor's documentation names these fields; a null means the same as an absent one. */
const CreateRevisionSchema = v.pipe(
  v.strictObject({
    source_revision_config: v.optional(RevisionConfigSchema),
    source_config: v.nullish(
      v.pick(SourceConfigSchema, [
        ...(["install_command", "build_command", "resource_spec"] as const),
        ...(["integration_id", "repo_url", "build_on_push", "custom_url"] as const),
      ]),
    ),
    secrets: v.nullish(v.array(SecretSchema)),
  }),
  v.transform(({ source_config, source_revision_config, secrets }) => ({
    source_config: withoutNulls(source_config),
    source_revision_config: withoutNulls(source_revision_config),
    secrets: secrets ?? undefined,
  })),
);

/** The fields that are not null; undefined if all are. */
function withoutNulls(config: Config | null | undefined): Config | undefined {
  const entries = Object.entries(config ?? {}).filter(([, value]) => value !== null);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `status` is a comma separated list. */
const RevisionsQuerySchema = v.strictObject({
  ...pageEntries,
  status: v.optional(
    v.pipe(
      v.string(),
      v.transform((list) => list.split(",")),
    ),
  ),
});

/** Sources that come after the create, and the field that names what came. */
const LATER_SOURCES: ReadonlyMap<string, string> = new Map([
  ["internal_source", "source_tarball_path"],
  ["internal_docker", "image_uri"],
]);

/** Responses show a masked value of every secret. */
const MASKED = "********";

export const langsmith: Dialect = {
  createSchema: CreateSchema,
  updateSchema: UpdateSchema,
  createRevisionSchema: CreateRevisionSchema,
  // The vendor's client in Python asks for the name, too.
  deploymentsQuerySchema: v.strictObject({ ...deploymentsEntries, name: v.optional(v.string()) }),
  revisionsQuerySchema: RevisionsQuerySchema,
  deleteQuerySchema: v.pipe(
    v.strictObject({ delete_tracing_project: v.optional(v.picklist(["true", "false"])) }),
    v.transform(({ delete_tracing_project: isDeleted }) => ({ leavesTracingProject: isDeleted !== "true" })),
  ),
  idSchema: UuidSchema,
  checkCreate,
  checkUpdate,
  queues: true,
  createsWithoutRevision: (source) => LATER_SOURCES.has(source),
  awaitsSource: ({ source, source_revision_config: config }) => {
    const field = LATER_SOURCES.get(source);
    return field !== undefined && (config[field] ?? null) === null;
  },
  revisionConfig: (config, commit) => ({ ...config, repo_commit_sha: commit }),
  failureOf,
  showRevision: (view, step) => ({
    ...view,
    source_revision_config: withWireNames(view.source_revision_config),
    status_message: reasonFor(step),
  }),
  showDeployment: (view, latest) => ({
    ...view,
    source_config: { ...view.source_config, custom_url: view.source_config.custom_url ?? view.url },
    source_revision_config: withWireNames(latest ?? view.source_revision_config),
    secrets: view.secrets.map(({ name }) => ({ name, value: MASKED })),
  }),
  hasExtensions: true,
};

function withWireNames({ app_config_path: langgraph_config_path = null, ...others }: Config): Config {
  return { ...others, langgraph_config_path };
}
