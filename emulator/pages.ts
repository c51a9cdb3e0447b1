/** Pages of lists: by offset for deployments and revisions, by cursor for logs. */
import * as v from "valibot";
import { InvalidRequestError } from "./errors.ts";

const digits = v.pipe(v.string(), v.digits(), v.transform(Number));
const offset = v.optional(digits, "0");

function limitUpTo(max: number) {
  return v.pipe(digits, v.minValue(1), v.maxValue(max));
}

/** The parameters of a list that has 20 items on a page by default. */
export const pageEntries = { limit: v.optional(limitUpTo(100), "20"), offset };

/** The query of the list of deployments. */
export const DeploymentsQuerySchema = v.strictObject({
  name_contains: v.optional(v.string(), ""),
  ...pageEntries,
});

/** The parameters of a list that is complete by default. */
export const optionalPageEntries = { limit: v.optional(limitUpTo(100)), offset };

export interface Page {
  readonly limit?: number | undefined;
  readonly offset: number;
}

/** One page of a list; its `offset` is that of the next page. */
export function pageOf<T>(all: readonly T[], { limit, offset }: Page) {
  const resources = all.slice(offset, limit === undefined ? undefined : offset + limit);
  return { resources, offset: offset + resources.length };
}

export const LogQuerySchema = v.strictObject({
  type: v.picklist(["build", "deploy"]),
  order: v.optional(v.picklist(["asc", "desc"]), "asc"),
  limit: v.optional(limitUpTo(1000), "100"),
  /** A cursor: the `next_offset` of the previous page. */
  offset: v.optional(v.string()),
  level: v.optional(v.string()),
});
type LogQuery = v.InferOutput<typeof LogQuerySchema>;

/**
 * One page of a log.
 * @param lines the oldest first
 * @throws {InvalidRequestError} if the cursor is not a `next_offset`
 */
export function logPageOf(lines: readonly unknown[], { order, limit, offset, level }: LogQuery) {
  const all = lines.filter((line) => level === undefined || hasLevel(line, level));
  if (order === "desc") all.reverse();
  const start = offset === undefined ? 0 : placeOf(offset);
  const end = start + limit;
  return { logs: all.slice(start, end), next_offset: end < all.length ? cursorFor(end) : null };
}

function hasLevel(line: unknown, level: string): boolean {
  if (typeof line !== "object" || line === null || !("level" in line)) return false;
  return String(line.level).toLowerCase() === level.toLowerCase();
}

// Not a plain number: a client that counts lines instead of sending the cursor back has to fail here.
function cursorFor(place: number): string {
  return Buffer.from(`line ${place}`).toString("base64url");
}

function placeOf(cursor: string): number {
  const [, place] = /^line (\d+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (place !== undefined) return Number(place);
  throw new InvalidRequestError([
    { loc: ["query", "offset"], msg: "Input should be a next_offset", type: "value_error" },
  ]);
}
