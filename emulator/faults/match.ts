/** The parts of fault rules that several kinds share. */
import * as v from "valibot";

export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
export const duration = v.pipe(v.number(), v.minValue(0));

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** The requests that a rule affects. An absent field matches any. */
const MatchSchema = v.strictObject({
  method: v.optional(v.string()),
  /** A regular expression for the path without host, `/api-host` and query. */
  path: v.optional(v.pipe(v.string(), v.check(isPattern, "path has to be a regular expression"))),
  /** The first affected request among those that match, counted from 1 since the rule was added. */
  from: v.optional(positive, 1),
  /** The number of affected requests. */
  times: v.optional(v.union([positive, v.literal("always")]), 1),
});
export type Match = v.InferOutput<typeof MatchSchema>;

/** By default it affects every request that it matches. */
const EveryMatchSchema = v.strictObject({
  ...MatchSchema.entries,
  times: v.optional(v.union([positive, v.literal("always")]), "always"),
});

export const match = v.optional(MatchSchema, {});
/** By default every request. */
export const everyMatch = v.optional(EveryMatchSchema, {});
