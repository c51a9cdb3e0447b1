import type { Target } from "../plan/deployment-plan.ts";
import type { InputReader } from "./reader.ts";

/** The deployment that is meant, by `deployment_id` or else `name`. Its problems stay in the reader. */
export function readTarget(reader: InputReader): Target {
  const id = reader.optional("deployment_id");
  if (id === "." || id === "..") reader.refuse("deployment_id", 'can\'t be "." or ".."');
  if (id !== undefined) return { kind: "id", id };
  const name = reader.optional("name");
  if (name === undefined) reader.refuse("name", "or deployment_id has to be given");
  return { kind: "name", name: name ?? "" };
}
