import * as v from "valibot";
import { IdSchema } from "../text/schemas.ts";
import { equalsIgnoringCase } from "../text/strings.ts";

// Both are text on the wire. Their types differ, so that the compiler refuses one in place of the other.
export const DeploymentIdSchema = v.pipe(IdSchema, v.brand("deployment"));
export const RevisionIdSchema = v.pipe(IdSchema, v.brand("revision"));

export type DeploymentId = v.InferOutput<typeof DeploymentIdSchema>;
export type RevisionId = v.InferOutput<typeof RevisionIdSchema>;

/** Whether two IDs are the same: the platform may write one in another case than the user or an earlier response. */
export function isSameId<Id extends DeploymentId | RevisionId>(one: Id | undefined, other: Id): boolean {
  return equalsIgnoringCase(one, other);
}
