import type { InputReader } from "./reader.ts";

/** Which deployment an action is about. An id takes precedence over a name. */
export type Target =
  | { readonly kind: "id"; readonly id: string }
  /** `recordedId`: the id that an earlier run recorded for this name. The deployment may be another one now. */
  | { readonly kind: "name"; readonly name: string; readonly recordedId?: string | undefined };

/** The id or name of a target, for messages. */
export function titleOf(target: Target): string {
  return target.kind === "id" ? target.id : target.name;
}

/** Stands for a target that was rejected. */
const invalidTarget: Target = { kind: "name", name: "" };

/** The deployment of `deployment_id`, or else of `name`. */
export function readTarget(reader: InputReader): Target {
  const id = reader.id("deployment_id");
  if (id === "") return invalidTarget;
  if (id !== undefined) return { kind: "id", id };
  const name = reader.optional("name");
  if (name !== undefined) return { kind: "name", name };
  reader.reject("name", "or deployment_id must be given");
  return invalidTarget;
}
