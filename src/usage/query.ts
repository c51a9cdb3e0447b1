import type { GroupBy } from "./schemas.ts";

/** What usage is asked for. */
export interface UsageQuery {
  /** Both in milliseconds since the epoch; the end is not part of the range. */
  readonly start: number;
  readonly end: number;
  readonly workspaceIds: readonly string[];
  readonly groupBy: GroupBy;
}

/** The query of both usage operations: several workspaces are a parameter that is repeated (platform-field-notes, Usage). */
export function searchParams(query: UsageQuery): URLSearchParams {
  const parameters = new URLSearchParams({
    start_time: new Date(query.start).toISOString(),
    end_time: new Date(query.end).toISOString(),
    group_by: query.groupBy,
  });
  for (const id of query.workspaceIds) parameters.append("workspace_ids", id);
  return parameters;
}
