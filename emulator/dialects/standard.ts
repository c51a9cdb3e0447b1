/** The dialect of the published API. */
import * as v from "valibot";
import { CreateRequestSchema, UpdateRequestSchema } from "../../src/platform/schemas.ts";
import { deploymentsEntries, optionalPageEntries } from "../pages.ts";
import type { Dialect } from "./dialect.ts";

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
