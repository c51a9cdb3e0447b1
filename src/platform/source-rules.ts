// The source of a deployment can't change on any platform. The input for another source would be ignored.

import type { InputProblem } from "../errors.ts";
import { inputName, type Message, quote, text } from "../text/message.ts";
import type { Deployment } from "./deployment.ts";
import type { DesiredFields } from "./platform.ts";
import { sourceKinds } from "./source-kinds.ts";

/** The inputs that hold what is deployed, by the source of the deployment. Any source that is not here may take each. */
const inputsOfSources: ReadonlyMap<string, "repo_ref" | "source_path" | "image_uri"> = new Map([
  [sourceKinds.github, "repo_ref"],
  [sourceKinds.upload, "source_path"],
  [sourceKinds.platformImage, "image_uri"],
  [sourceKinds.otherImage, "image_uri"],
]);

/** Returns the problem of an update with another source than that of the deployment. */
export function findSourceProblems(
  { source, upload, imageUri }: DesiredFields,
  { sourceKind: shown }: Deployment,
): InputProblem[] {
  if (shown === undefined) return [];
  const given = upload === undefined ? (imageUri === undefined ? "repo_ref" : "image_uri") : "source_path";
  const wrong = text`can't be used`;
  if (source !== undefined && source !== shown) {
    return [fixedProblem(upload === undefined ? "source" : given, wrong, "source", shown)];
  }
  const needed = inputsOfSources.get(shown) ?? given;
  if (given === needed) return [];
  // The ref is often a default.
  return given === "repo_ref"
    ? [fixedProblem(needed, text`is required`, "source", shown)]
    : [fixedProblem(given, wrong, "source", shown)];
}

/** Returns the problem of an input that would change a field of a deployment. */
export function fixedProblem(
  name: string,
  problem: Message,
  field: string,
  shown: string | null,
): InputProblem {
  const value = shown === null ? text`not set` : quote(shown, 200);
  return {
    input: name,
    problem: text`${problem}, because the deployment's ${inputName(field)} is ${value} and can't change once the deployment exists`,
    hint: text`Correct ${inputName(name)}, or create another deployment: with a ${inputName("name")} that does not exist yet, and without an ID.`,
  };
}
