/** Fault rules for the agents of deployments, and the kinds of broken responses that agents are known for. */
import * as v from "valibot";
import { duration, everyMatch, match, positive } from "./match.ts";

export const agentFaultSchemas = [
  /** The response begins, and white space follows forever, a line at this interval in real time. */
  v.strictObject({ kind: v.literal("whitespace"), match, milliseconds: duration }),
  /** The real response comes after this time, in real time. */
  v.strictObject({ kind: v.literal("delay"), match, milliseconds: duration }),
  /** A JSON string of this many bytes. */
  v.strictObject({ kind: v.literal("huge"), match, bytes: v.optional(positive, 20_000_000) }),
  /** A response that shows the request, with its headers. */
  v.strictObject({ kind: v.literal("echo"), match }),
] as const;

export const agentRuleSchemas = [
  /** The revision that was live before responds in place of the live one. */
  v.strictObject({ kind: v.literal("old_revision"), match: everyMatch }),
  /** Runs of revisions, of one ref or of all, end as an error or interrupted, or the graph is missing. */
  v.strictObject({
    kind: v.literal("run"),
    ends: v.picklist(["error", "interrupted", "missing"]),
    repo_ref: v.optional(v.string()),
    message: v.optional(v.string(), "The model refused the key."),
  }),
] as const;
