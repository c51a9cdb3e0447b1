/** What the control plane takes: the shared request schemas, and the rules that only the platform checks. */
import * as v from "valibot";
import { CreateRequestSchema, UpdateRequestSchema } from "../../src/platform/schemas.ts";

const NEEDED = "Input should be string for the source github";

/** POST /v2/deployments. What the source github cannot do without: contract, 3.1. */
export const CreateSchema = v.pipe(
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

/** PATCH /v2/deployments/{deployment_id}. */
export const UpdateSchema = UpdateRequestSchema;

const digits = v.pipe(v.string(), v.digits(), v.transform(Number));
const offset = v.optional(digits, "0");

/** How many of a list to show, `most` at most. */
export function limitUpTo(most: number) {
  return v.pipe(digits, v.minValue(1), v.maxValue(most));
}

/** `limit` and `offset` of every list that has pages (contract, 9). */
export const pageEntries = { limit: v.optional(limitUpTo(100), "20"), offset };

/** GET /v2/deployments (contract, 9). */
export const DeploymentsQuerySchema = v.strictObject({
  name_contains: v.optional(v.string(), ""),
  ...pageEntries,
});

/** GET …/revisions: all of them when no `limit` is given, as platform-api describes it. */
export const RevisionsQuerySchema = v.strictObject({ limit: v.optional(limitUpTo(100)), offset });

export interface Page {
  readonly limit?: number | undefined;
  readonly offset: number;
}

/** One page of a list; its `offset` is the next page's. */
export function pageOf<T>(all: readonly T[], { limit, offset }: Page) {
  const resources = all.slice(offset, limit === undefined ? undefined : offset + limit);
  return { resources, offset: offset + resources.length };
}
