// The source of a deployment can't change on any platform. An input for another source would be ignored.

import type { InputProblem } from "../input-problem.ts";
import type { InputName } from "../text/input-names.ts";
import { inputName, type Phrase, phrase, quote, text } from "../text/message.ts";
import type { Deployment } from "./deployment.ts";
import { type DesiredDeployment, sourceKinds } from "./desired-deployment.ts";

/** The input that each source is deployed from. A source that is missing here may take any of them. */
const inputsOfSources: ReadonlyMap<string, "repo_ref" | "source_path" | "image_uri"> = new Map([
  [sourceKinds.github, "repo_ref"],
  [sourceKinds.upload, "source_path"],
  [sourceKinds.platformImage, "image_uri"],
  [sourceKinds.otherImage, "image_uri"],
]);

export function findSourceProblems(
  { sourceKind: given, upload, content: { imageUri } }: DesiredDeployment,
  { sourceKind: current }: Deployment,
): InputProblem[] {
  if (current === undefined) return [];
  const usedInput =
    upload === undefined ? (imageUri === undefined ? "repo_ref" : "image_uri") : "source_path";
  const problem = phrase`can't be used`;
  if (given !== undefined && given !== current) {
    return [fixedProblem(upload === undefined ? "source" : usedInput, problem, "source", current)];
  }
  const neededInput = inputsOfSources.get(current) ?? usedInput;
  if (usedInput === neededInput) return [];
  // The ref may be a default, so the missing input is the problem.
  return usedInput === "repo_ref"
    ? [fixedProblem(neededInput, phrase`is required`, "source", current)]
    : [fixedProblem(usedInput, problem, "source", current)];
}

/** Returns the problem of an input that would change a fixed field. `current`: its value. */
export function fixedProblem(
  name: InputName,
  problem: Phrase,
  field: InputName,
  current: string | null,
): InputProblem {
  const value = current === null ? phrase`not set` : quote(current, 200);
  return {
    input: name,
    problem: phrase`${problem}, because the deployment's ${inputName(field)} is ${value} and can't change once the deployment exists`,
    hint: text`Correct ${inputName(name)}, or create another deployment: with a ${inputName("name")} that does not exist yet, and without an ID.`,
  };
}
