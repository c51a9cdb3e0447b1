import type { Context } from "../../context.ts";
import type { GitHubClient } from "../../github/client.ts";
import { findMissingSource, type MissingSource } from "../../github/repository.ts";
import { repositoryUrl } from "../../github/workflow-run.ts";
import { type InputProblem, inputError } from "../../inputs/reader.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { isBeingDeleted } from "../../platform/deployment.ts";
import { code, text } from "../../text/message.ts";
import { isOfOtherRepository, locateDeployment } from "../apply/find-deployment.ts";
import { isSameRepository } from "./compare-source.ts";
import type { DeploymentPlan } from "./plan.ts";

/**
 * Checks on GitHub that ref and configuration file exist, if this repository is deployed, before a build fails for it
 * after minutes. What is missing is an error only if the platform would fetch it, for which it may have to be asked.
 *
 * @throws ActionError, and the errors of `ControlPlane` and `locateDeployment`.
 */
export async function checkSourceExists(
  plan: DeploymentPlan,
  github: GitHubClient | undefined,
  controlPlane: ControlPlane,
  context: Context,
): Promise<void> {
  const ownUrl = repositoryUrl(context.workflow);
  const source = sourceToFetch(plan);
  if (github === undefined || source === undefined || ownUrl === undefined) return;
  if (plan.repoUrl === undefined || !isSameRepository(plan.repoUrl, ownUrl)) return;
  const missing = await findMissingSource(source, github, context);
  if (missing === undefined) return;
  // Only a create sends the default path.
  const isFetched =
    missing !== "ref" && source.isDefaultPath
      ? await isCreate(plan, controlPlane)
      : await isOurs(plan, controlPlane);
  if (isFetched) throw inputError([describeMissing(missing, source)]);
}

interface FetchedSource {
  readonly ref: string;
  /** Of the configuration file; undefined if none is sent. */
  readonly path: string | undefined;
  /** Whether the path is the default of the platform. */
  readonly isDefaultPath: boolean;
}

/** What is missing, as a problem of the input that names it. */
function describeMissing(
  missing: MissingSource,
  { ref, path = "", isDefaultPath }: FetchedSource,
): InputProblem {
  if (missing === "ref") {
    const kind = ref.startsWith("refs/tags/") ? text`tag` : text`branch`;
    // A name without a prefix is a branch, which users who give the name of a tag may not know.
    const form = ref.startsWith("refs/") ? undefined : text` (give a tag as ${code("refs/tags/NAME")})`;
    const problem = text`names ${code(ref, 100)}, which is no ${kind}${form}`;
    return { input: "repo_ref", problem, hint: text`Push the ${kind}, or correct the name.` };
  }
  const what = missing === "file" ? text`does not exist` : text`is a folder`;
  const problem = isDefaultPath
    ? text`is not given, and the default ${code(path, 200)} ${what} on ${code(ref, 100)}`
    : text`names ${code(path, 200)}, which ${what} on ${code(ref, 100)}`;
  return { input: "app_config_path", problem, hint: text`Push the file, or correct the path.` };
}

function sourceToFetch({ source, create }: DeploymentPlan): FetchedSource | undefined {
  const { repoRef: ref, appConfigPath: given } = source;
  const defaultPath = create?.source_revision_config.app_config_path ?? undefined;
  if (ref === undefined) return undefined;
  return { ref, path: given ?? defaultPath, isDefaultPath: given === undefined && defaultPath !== undefined };
}

/** A deployment that is given by its id may belong to another repository. */
async function isOurs({ target, repoUrl }: DeploymentPlan, controlPlane: ControlPlane): Promise<boolean> {
  return target.kind === "name" || !isOfOtherRepository(await controlPlane.getDeployment(target.id), repoUrl);
}

/** Without a list, the record of an earlier run may still find the deployment. */
async function isCreate(plan: DeploymentPlan, controlPlane: ControlPlane): Promise<boolean> {
  if (plan.target.kind === "id") return await isOurs(plan, controlPlane);
  const located = await locateDeployment(plan.target, plan.repoUrl, controlPlane);
  return located.kind === "missing" ? located.hasList : isBeingDeleted(located.deployment);
}
