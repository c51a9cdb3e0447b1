// The wire format of the granular usage API, used by the client and the emulator.
// https://docs.langchain.com/langsmith/granular-usage

import * as v from "valibot";

export const usagePath = "/api/v1/orgs/current/billing/granular-usage";
export const usageExportPath = `${usagePath}/export`;

export const GroupBySchema = v.picklist(["workspace", "project", "user", "api_key"]);
export type GroupBy = v.InferOutput<typeof GroupBySchema>;

/** The keys of `dimensions` for each grouping: the ID, and the name if there is one. `user_email` may be missing. */
export const dimensionKeys = {
  workspace: ["workspace_id", "workspace_name"],
  project: ["project_id", "project_name"],
  user: ["user_id", "user_email"],
  api_key: ["api_key_short_key"],
} as const satisfies Record<GroupBy, readonly string[]>;

const CountSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** The traces of one time bucket and one combination of dimensions. */
const UsageItemSchema = v.looseObject({
  /** The start of the bucket. */
  time_bucket: v.string(),
  // An unknown key may have any value.
  dimensions: v.record(v.string(), v.fallback(v.nullish(v.string()), undefined)),
  traces: CountSchema,
});

/** The length of a time bucket, in days or in hours. */
const StrideSchema = v.looseObject({ days: v.optional(CountSchema, 0), hours: v.optional(CountSchema, 0) });
export type Stride = v.InferOutput<typeof StrideSchema>;

export const UsageResponseSchema = v.looseObject({ stride: StrideSchema, usage: v.array(UsageItemSchema) });
export type UsageResponse = v.InferOutput<typeof UsageResponseSchema>;
