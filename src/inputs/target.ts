import { readId } from "./id.ts";
import type { InputReader } from "./reader.ts";

/** Which deployment is meant. With an id the name is not used (contract, 3.1). */
export type Target =
  | { readonly kind: "id"; readonly id: string }
  /** `recordedId`: the id that the record of an earlier run gives for the name, if it is still that. */
  | { readonly kind: "name"; readonly name: string; readonly recordedId?: string | undefined };

/** What a target is called. */
export function titleOf(target: Target): string {
  return target.kind === "id" ? target.id : target.name;
}

/** Has no title: what was refused is none. */
const noTarget: Target = { kind: "name", name: "" };

/** The deployment that is meant, by `deployment_id` or else `name`. Its problems stay in the reader. */
export function readTarget(reader: InputReader): Target {
  const id = readId(reader, "deployment_id");
  if (id === "") return noTarget;
  if (id !== undefined) return { kind: "id", id };
  const name = reader.optional("name");
  if (name !== undefined) return { kind: "name", name };
  reader.refuse("name", "or deployment_id has to be given");
  return noTarget;
}
