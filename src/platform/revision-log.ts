import * as v from "valibot";
import type { ApiClient } from "../http/api-client.ts";
import { isUnsupported } from "../http/request-error.ts";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { path } from "../http/url.ts";
import { arrayOf, orAbsent } from "../text/schemas.ts";
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

export interface LogPage {
  /** The messages of the entries, the oldest first. A message may have several lines. */
  readonly messages: readonly string[];
  /** The `offset` of the next page; undefined if the platform does not report it. */
  readonly nextOffset: string | undefined;
}

export type LogReader = (query: LogQuery) => Promise<LogPage>;

/** Returns the reader of one log. It uses the older endpoint, with a project, if the platform lacks the newer one. */
export function openLog(api: ApiClient, { deploymentId, revisionId, type }: RevisionLog): LogReader {
  const readOfRevision = ({ order, limit, offset }: LogQuery) => {
    const page = path`/v2/deployments/${deploymentId}/revisions/${revisionId}/logs?type=${type}&limit=${limit}&order=${order}`;
    return api.read(offset === undefined ? page : page + path`&offset=${offset}`, LogPageSchema);
  };
  const readOfProject = async (query: LogQuery) => {
    const page = path`/v1/projects/${deploymentId}/revisions/${revisionId}/${`${type}_logs`}`;
    // A read, although it is a POST.
    return parseBody(await api.send("POST", page, query, retryIdempotent), LogPageSchema);
  };
  let read = readOfRevision;
  return async (query) => {
    const { logs, next_offset: next } = await read(query).catch(async (error: unknown) => {
      if (!isUnsupported(error)) throw error;
      const page = await readOfProject(query);
      read = readOfProject;
      return page;
    });
    const nextOffset = next === undefined || next === "" ? undefined : String(next);
    return { messages: query.order === "asc" ? logs : logs.toReversed(), nextOffset };
  };
}

/** The shape of an entry is not published. An entry without a message is shown as its JSON. */
const MessagesSchema = arrayOf(
  v.union([
    v.pipe(
      v.looseObject({ message: v.nullable(v.string(), "") }),
      v.transform(({ message }) => message),
    ),
    v.pipe(
      v.unknown(),
      v.transform((entry) => JSON.stringify(entry)),
    ),
  ]),
);

/** The response of both endpoints. */
const LogPageSchema = v.looseObject({
  logs: MessagesSchema,
  next_offset: orAbsent(v.union([v.string(), v.number()])),
});
