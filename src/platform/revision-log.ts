import * as v from "valibot";
import type { ApiClient } from "../http/api-client.ts";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { apiPath } from "../http/url.ts";
import { arrayOf, textOrAbsent } from "../text/schemas.ts";
import type { DeploymentId, RevisionId } from "./ids.ts";

export type LogType = "build" | "deploy";

export interface RevisionLog {
  readonly deploymentId: DeploymentId;
  readonly revisionId: RevisionId;
  readonly type: LogType;
}

export interface LogQuery {
  /** The newest entries first (`desc`) or the oldest. */
  readonly order: "asc" | "desc";
  /** At most 1000. */
  readonly limit: number;
  /** The `nextOffset` of an earlier page; undefined for the first page. */
  readonly offset?: string | undefined;
}

export type LogReader = (query: LogQuery) => Promise<LogPage>;

/**
 * Returns the reader of one log. It uses the endpoint of the vendor's clients, which every version of the platform has:
 * https://github.com/langchain-ai/langgraph/blob/main/libs/cli/langgraph_cli/host_backend.py
 */
export function openLog(api: ApiClient, { deploymentId, revisionId, type }: RevisionLog): LogReader {
  const log = apiPath`/v1/projects/${deploymentId}/revisions/${revisionId}/${`${type}_logs`}`;
  // A read, although it is a POST.
  return async (query) =>
    parseBody(await api.send({ method: "POST", path: log, body: query }, retryIdempotent), LogPageSchema);
}

const LogPageSchema = v.pipe(
  v.looseObject({
    logs: arrayOf(v.looseObject({ message: v.nullish(v.string(), "") })),
    next_offset: textOrAbsent,
  }),
  v.transform(({ logs, next_offset: nextOffset }) => ({
    /** The messages of the entries, in the order of the query. A message may have several lines. */
    messages: logs.map(({ message }) => message),
    /** The `offset` of the next page; undefined if the platform does not report it. */
    nextOffset,
  })),
);
export type LogPage = Readonly<v.InferOutput<typeof LogPageSchema>>;
