import { Failure } from "../../errors.ts";
import { findMissingPart, type MissingPart, type RefAndFile } from "../../github/repository.ts";
import { type InputProblem, inputFailure } from "../../input-problem.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { commitPattern } from "../../platform/revision.ts";
import { code, inputName, phrase, text } from "../../text/message.ts";
import type { DeployContext } from "../deploy-context.ts";
import { deploysRepositoryOfRun, desiredOnCreate } from "../plan/desired-on-create.ts";

/**
 * Checks on GitHub that the ref and the configuration file exist, because a build would fail only after minutes. Other
 * repositories are not checked. `existing`: undefined for a create, which alone sends the default path.
 *
 * @throws Failure if one of them is missing
 */
export async function requireRefAndFile(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<void> {
  const { plan, github } = context;
  const { desired, isRefOfRun } = plan;
  const { content } = existing === undefined ? desiredOnCreate(context) : desired;
  const { repoRef: ref, appConfigPath: path } = content;
  if (github === undefined || ref === undefined || !deploysRepositoryOfRun(context, existing)) return;
  const missing = await findMissingPart({ ref, path }, github, context);
  if (missing === undefined) return;
  // No input is wrong if the run's own branch or tag is gone.
  if (missing === "ref" && isRefOfRun) {
    throw new Failure(text`${code(ref)}, the ref of this run, does not exist any more.`, {
      hint: text`If it was merged, run the workflow for the branch that it was merged into. To deploy another ref, set ${inputName("repo_ref")}.`,
    });
  }
  throw inputFailure([problemOf(missing, { ref, path }, desired.content.appConfigPath === undefined)]);
}

function problemOf(
  missing: MissingPart,
  { ref, path = "" }: RefAndFile,
  isDefaultPath: boolean,
): InputProblem {
  if (missing === "ref") {
    const kind = ref.startsWith("refs/tags/") ? phrase`tag` : phrase`branch`;
    // Users who set the name of a tag may not know that a name without a prefix is a branch.
    const form = ref.startsWith("refs/") ? undefined : phrase` (write a tag as ${code("refs/tags/NAME")})`;
    return {
      input: "repo_ref",
      problem: phrase`names ${code(ref)}, which is not an existing ${kind}${form}`,
      hint: commitPattern.test(ref)
        ? text`A commit is not a ref here: set the branch or tag, and ${code("verify_commit: true")} to require this run's commit.`
        : text`Push the ${kind}, or correct the name.`,
    };
  }
  return {
    input: "app_config_path",
    problem: isDefaultPath
      ? phrase`is not set, and the default ${code(path)} does not exist on ${code(ref)}`
      : phrase`is ${code(path)}, which does not exist on ${code(ref)}`,
    hint: text`Push the file, or correct the path.`,
    place: { path },
  };
}
