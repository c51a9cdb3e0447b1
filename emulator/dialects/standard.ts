/** The dialect of the published API. */
import * as v from "valibot";
import { deploymentsEntries, optionalPageEntries } from "../pages.ts";
import type { Dialect } from "./dialect.ts";
import { ResourceSpecSchema, SecretSchema } from "./parts.ts";

const nullableString = v.nullable(v.string());

const sourceConfigEntries = {
  integration_id: nullableString,
  repo_url: nullableString,
  deployment_type: v.string(),
  /** Only with source `github`. */
  build_on_push: v.optional(v.boolean()),
  custom_url: nullableString,
  resource_spec: v.nullable(ResourceSpecSchema),
};

const revisionConfigEntries = {
  repo_ref: nullableString,
  app_config_path: nullableString,
  image_uri: nullableString,
};

/** Has every field, `null` if nothing was given. */
export const CreateRequestSchema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(1)),
  source: v.string(),
  source_config: v.strictObject(sourceConfigEntries),
  source_revision_config: v.strictObject(revisionConfigEntries),
  secrets: v.array(SecretSchema),
});
export type CreateRequest = v.InferOutput<typeof CreateRequestSchema>;

/** Has only the fields that change. */
export const UpdateRequestSchema = v.strictObject({
  source_config: v.optional(v.partial(v.strictObject(sourceConfigEntries))),
  source_revision_config: v.optional(v.partial(v.strictObject(revisionConfigEntries))),
  secrets: v.optional(v.array(SecretSchema)),
});

const NEEDED = "Input should be string for the source github";

/** With the fields that the source github needs. */
const CreateSchema = v.pipe(
  CreateRequestSchema,
  v.forward(
    v.partialCheck(
      [["source"], ["source_config", "integration_id"]],
      ({ source, source_config }) => source !== "github" || source_config.integration_id !== null,
      NEEDED,
    ),
    ["source_config", "integration_id"],
  ),
  v.forward(
    v.partialCheck(
      [["source"], ["source_config", "build_on_push"]],
      ({ source, source_config }) => source !== "github" || source_config.build_on_push !== undefined,
      "Field required for the source github",
    ),
    ["source_config", "build_on_push"],
  ),
  v.forward(
    v.partialCheck(
      [["source"], ["source_config", "repo_url"]],
      ({ source, source_config }) => source !== "github" || source_config.repo_url !== null,
      NEEDED,
    ),
    ["source_config", "repo_url"],
  ),
  v.forward(
    v.partialCheck(
      [["source"], ["source_revision_config", "repo_ref"], ["source_revision_config", "image_uri"]],
      ({ source, source_revision_config: { repo_ref, image_uri } }) =>
        source !== "github" || repo_ref !== null || image_uri !== null,
      NEEDED,
    ),
    ["source_revision_config", "repo_ref"],
  ),
  v.forward(
    v.partialCheck(
      [["source"], ["source_revision_config", "app_config_path"]],
      ({ source, source_revision_config }) =>
        source !== "github" || source_revision_config.app_config_path !== null,
      NEEDED,
    ),
    ["source_revision_config", "app_config_path"],
  ),
);

export const standard: Dialect = {
  createSchema: CreateSchema,
  updateSchema: UpdateRequestSchema,
  createRevisionSchema: undefined,
  deploymentsQuerySchema: v.strictObject(deploymentsEntries),
  revisionsQuerySchema: v.strictObject(optionalPageEntries),
  deleteQuerySchema: v.pipe(
    v.strictObject({}),
    v.transform(() => ({ leavesTracingProject: false })),
  ),
  idSchema: v.string(),
  checkCreate() {},
  checkUpdate() {},
  queues: false,
  createsWithoutRevision: () => false,
  awaitsSource: () => false,
  revisionConfig: (config) => config,
  failureOf: () => undefined,
  showRevision: (view) => view,
  showDeployment: (view) => view,
  hasExtensions: false,
};
