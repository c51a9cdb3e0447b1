/** Pages of lists of deployments and revisions, by offset. */
import * as v from "valibot";

const digits = v.pipe(v.string(), v.digits(), v.transform(Number));
const offset = v.optional(digits, "0");

/** A limit in a query. */
export function limitUpTo(max: number) {
  return v.pipe(digits, v.minValue(1), v.maxValue(max));
}

/** The parameters of a list that has 20 items on a page by default. */
export const pageEntries = { limit: v.optional(limitUpTo(100), "20"), offset };

/** The parameters of the list of deployments. */
export const deploymentsEntries = { name_contains: v.optional(v.string(), ""), ...pageEntries };

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
