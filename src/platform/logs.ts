import * as v from "valibot";
import { parseBody } from "../http/response.ts";
import { retryIdempotent } from "../http/retry.ts";
import { parseTimestamp } from "../text/time.ts";
import type { PlatformApi } from "./api.ts";
import { isUnsupported } from "./error-kinds.ts";
import { orAbsent } from "./schemas.ts";

export type LogType = "build" | "deploy";

/** One log of a revision. */
export interface RevisionLog {
  readonly deploymentId: string;
  readonly revisionId: string;
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
  /** The oldest first. */
  readonly entries: readonly LogEntry[];
  /** Where the next page begins; undefined if the platform does not say so. */
  readonly nextOffset: string | undefined;
}

export interface LogEntry {
  /** Milliseconds since the epoch; NaN if the platform does not show it. */
  readonly at: number;
  readonly level?: string | undefined;
  /** May have several lines. */
  readonly message: string;
}

/** Reads a page of one log. */
export type LogReader = (query: LogQuery) => Promise<LogPage>;

/** The reader of one log. The platform may only have the older endpoint, that of a project. */
export function openLog(
  { client, url }: PlatformApi,
  { deploymentId, revisionId, type }: RevisionLog,
): LogReader {
  const readOfRevision = ({ order, limit, offset }: LogQuery) => {
    const address = url`/v2/deployments/${deploymentId}/revisions/${revisionId}/logs?type=${type}&limit=${limit}&order=${order}`;
    if (offset !== undefined) address.searchParams.set("offset", offset);
    return client.read(address, LogPageSchema);
  };
  const readOfProject = async (query: LogQuery) => {
    const address = url`/v1/projects/${deploymentId}/revisions/${revisionId}/${`${type}_logs`}`;
    // A read, although it is a POST.
    return parseBody(await client.send("POST", address, query, retryIdempotent), LogPageSchema);
  };
  let read = readOfRevision;
  return async (query) => {
    const { logs, next_offset: next } = await read(query).catch(async (error) => {
      if (!isUnsupported(error)) throw error;
      const page = await readOfProject(query);
      read = readOfProject;
      return page;
    });
    const entries = logs.map(toLogEntry);
    const nextOffset = next === undefined || next === "" ? undefined : String(next);
    return { entries: query.order === "asc" ? entries : entries.reverse(), nextOffset };
  };
}

const shownText = orAbsent(v.union([v.string(), v.number()]));

/** The response of both endpoints; a list of entries alone will do. */
const LogPageSchema = v.union([
  v.looseObject({ logs: v.array(v.unknown()), next_offset: shownText }),
  v.pipe(
    v.array(v.unknown()),
    v.transform((logs) => ({ logs, next_offset: undefined })),
  ),
]);

const EntrySchema = v.looseObject({
  timestamp: shownText,
  level: orAbsent(v.string()),
  message: v.nullable(v.string(), ""),
});

/** The shape of an entry is not published. An entry of another shape is shown as it came. */
function toLogEntry(item: unknown): LogEntry {
  const parsed = v.safeParse(EntrySchema, item);
  if (!parsed.success) return { at: Number.NaN, message: JSON.stringify(item) };
  const { timestamp, level, message } = parsed.output;
  return { at: typeof timestamp === "number" ? timestamp : parseTimestamp(timestamp), level, message };
}
