/** The build or deploy log of a revision. The shape of its entries is not published, so any shape is accepted. */
import * as v from "valibot";
import { retryIdempotent } from "../http/retry.ts";
import { parseTimestamp } from "../text/time.ts";
import { isUnsupported } from "./error-kinds.ts";
import type { PlatformApi } from "./routes.ts";

export type LogType = "build" | "deploy";

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
  readonly id: string | undefined;
  /** Milliseconds since the epoch; undefined if the platform does not show it. */
  readonly at: number | undefined;
  readonly level: string | undefined;
  /** May have several lines. */
  readonly message: string;
}

/** Reads a page of one log. */
export type LogReader = (query: LogQuery) => Promise<LogPage>;

/** The platform may only have the older endpoint, that of a project. */
export function openLog(api: PlatformApi, log: RevisionLog): LogReader {
  let hasOlderOnly = false;
  return async (query) => {
    if (!hasOlderOnly) {
      try {
        return await readRevisionLog(api, log, query);
      } catch (error) {
        if (!isUnsupported(error)) throw error;
      }
    }
    const page = await readProjectLog(api, log, query);
    hasOlderOnly = true;
    return page;
  };
}

async function readRevisionLog(
  { client, routes }: PlatformApi,
  { deploymentId, revisionId, type }: RevisionLog,
  { order, limit, offset }: LogQuery,
): Promise<LogPage> {
  const query = { type, limit: String(limit), order, ...(offset !== undefined && { offset }) };
  const url = routes.revisionLog(deploymentId, revisionId, query);
  return toLogPage(await client.read(url, LogPageSchema), order);
}

async function readProjectLog(
  { client, routes }: PlatformApi,
  { deploymentId, revisionId, type }: RevisionLog,
  query: LogQuery,
): Promise<LogPage> {
  const url = routes.projectLog(deploymentId, revisionId, `${type}_logs`);
  // A read, although it is a POST.
  const response = await client.send("POST", url, retryIdempotent, query);
  return toLogPage(client.parse(response, LogPageSchema), query.order);
}

const shownText = v.fallback(v.nullish(v.union([v.string(), v.number()])), undefined);

/** The response of both endpoints; a list of entries alone will do. */
const LogPageSchema = v.union([
  v.looseObject({ logs: v.array(v.unknown()), next_offset: shownText }),
  v.pipe(
    v.array(v.unknown()),
    v.transform((logs) => ({ logs, next_offset: undefined })),
  ),
]);

const EntrySchema = v.looseObject({
  id: shownText,
  timestamp: shownText,
  level: v.fallback(v.nullish(v.string()), undefined),
  message: v.pipe(
    v.nullable(v.string()),
    v.transform((message) => message ?? ""),
  ),
});

/** The page in a response to a request in this order. */
function toLogPage(
  { logs, next_offset: nextOffset }: v.InferOutput<typeof LogPageSchema>,
  order: LogQuery["order"],
): LogPage {
  const entries = logs.map(toLogEntry);
  return { entries: order === "asc" ? entries : entries.reverse(), nextOffset: toText(nextOffset) };
}

function toLogEntry(item: unknown): LogEntry {
  const parsed = v.safeParse(EntrySchema, item);
  if (!parsed.success) {
    const message = typeof item === "string" ? item : JSON.stringify(item);
    return { id: undefined, at: undefined, level: undefined, message };
  }
  const { id, timestamp, level, message } = parsed.output;
  const at = typeof timestamp === "number" ? timestamp : parseTimestamp(timestamp ?? undefined);
  const isTime = !Number.isNaN(new Date(at).getTime());
  return { id: toText(id), at: isTime ? at : undefined, level: level || undefined, message };
}

function toText(value: string | number | null | undefined): string | undefined {
  return String(value ?? "") || undefined;
}
