/** The query of both usage operations (platform-api, "Granular usage"). */
import * as v from "valibot";
import { type GroupBy, GroupBySchema } from "../../src/usage/schemas.ts";
import type { Range } from "./buckets.ts";
import { parseDateTime } from "./date-time.ts";

const DateTimeSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const milliseconds = parseDateTime(dataset.value);
    if (milliseconds !== undefined) return milliseconds;
    addIssue({ message: "Input should be an ISO 8601 date or date-time" });
    return NEVER;
  }),
);

const WorkspaceIdsSchema = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((given) => [given].flat()),
  v.array(v.pipe(v.string(), v.uuid("Input should be a UUID"), v.toLowerCase())),
);

const QuerySchema = v.strictObject({
  start_time: DateTimeSchema,
  end_time: DateTimeSchema,
  workspace_ids: WorkspaceIdsSchema,
  group_by: v.optional(GroupBySchema, "workspace"),
});

export interface UsageQuery {
  readonly range: Range;
  /** In lower case. */
  readonly workspaceIds: readonly string[];
  readonly groupBy: GroupBy;
}

export const UsageQuerySchema = v.pipe(
  QuerySchema,
  v.forward(
    v.partialCheck(
      [["start_time"], ["end_time"]],
      ({ start_time, end_time }) => end_time > start_time,
      "end_time should be after start_time",
    ),
    ["end_time"],
  ),
  v.transform(
    ({ start_time, end_time, workspace_ids, group_by }): UsageQuery => ({
      range: { start: start_time, end: end_time },
      workspaceIds: workspace_ids,
      groupBy: group_by,
    }),
  ),
);
