import { type FetchedSource, findMissingSource, type MissingSource } from "../github/repository.ts";
import { repositoryUrl } from "../github/workflow-run.ts";
import { type InputProblem, inputError } from "../inputs/input-error.ts";
import { isSameRepository } from "../platform/compare-source.ts";
import { code, text } from "../text/message.ts";
import { findDeployment, isOfOtherRepository } from "./apply/find-deployment.ts";
import type { PreflightJob } from "./job.ts";
import { describeSource } from "./plan/plan.ts";

/**
 * Checks what can be checked before anything is sent, and logs what will be done.
 *
 * @throws Failure if ref or configuration file are missing, and the errors of `ControlPlane` and `findDeployment`.
 */
export async function preflight(job: PreflightJob): Promise<void> {
  const { plan, report } = job;
  await requireSource(job);
  const source = describeSource(plan) ?? text`its current source`;
  report.info(
    plan.target.kind === "id"
      ? text`To deploy: ${source}, to deployment ${code(plan.target.id)}.`
      : text`To deploy: ${source}, as ${code(plan.target.name)} (created if it does not exist).`,
  );
  for (const name of plan.desired.secrets.quoted) {
    report.warning(
      text`The value of secret ${code(name)} is in quotes, which are sent as part of it. If that is not intended, remove them.`,
    );
  }
}

/**
 * Checks on GitHub that ref and configuration file exist, if this repository is deployed, before a build fails for it
 * after minutes. What is missing is an error only if the platform would fetch it, for which it may have to be asked.
 */
async function requireSource(job: PreflightJob): Promise<void> {
  const { plan, github, workflow } = job;
  const ownUrl = repositoryUrl(workflow);
  const source = fetchedSource(plan);
  if (github === undefined || source === undefined || ownUrl === undefined) return;
  if (plan.repoUrl === undefined || !isSameRepository(plan.repoUrl, ownUrl)) return;
  const missing = await findMissingSource(source, github, job);
  if (missing === undefined) return;
  const isDefaultPath = plan.source.appConfigPath === undefined;
  // Only a create sends the default path.
  const isFetched = missing !== "ref" && isDefaultPath ? await isCreate(job) : await isOwnRepository(job);
  if (isFetched) throw inputError([problemOf(missing, source, isDefaultPath)]);
}

/** Undefined if no ref is sent. Without a path of its own, a plan has the default one of the platform, if any. */
function fetchedSource({ source, create }: PreflightJob["plan"]): FetchedSource | undefined {
  const { repoRef: ref, appConfigPath } = source;
  const defaultPath = create?.source_revision_config.app_config_path ?? undefined;
  return ref === undefined ? undefined : { ref, path: appConfigPath ?? defaultPath };
}

function problemOf(
  missing: MissingSource,
  { ref, path = "" }: FetchedSource,
  isDefaultPath: boolean,
): InputProblem {
  if (missing === "ref") {
    const kind = ref.startsWith("refs/tags/") ? text`tag` : text`branch`;
    // A name without a prefix is a branch, which users who set the name of a tag may not know.
    const form = ref.startsWith("refs/") ? undefined : text` (write a tag as ${code("refs/tags/NAME")})`;
    return {
      input: "repo_ref",
      problem: text`names ${code(ref)}, which is not an existing ${kind}${form}`,
      hint: text`Push the ${kind}, or correct the name.`,
    };
  }
  const state = missing === "file_is_folder" ? text`is a folder` : text`does not exist`;
  return {
    input: "app_config_path",
    problem: isDefaultPath
      ? text`is not set, and the default ${code(path)} ${state} on ${code(ref)}`
      : text`is ${code(path)}, which ${state} on ${code(ref)}`,
    hint: text`Push the file, or correct the path.`,
    place: { path },
  };
}

/** A deployment that is given by its id may belong to another repository. */
async function isOwnRepository({ plan: { target, repoUrl }, controlPlane }: PreflightJob): Promise<boolean> {
  return target.kind === "name" || !isOfOtherRepository(await controlPlane.getDeployment(target.id), repoUrl);
}

/** Without a list, the record of an earlier run may still find the deployment. */
async function isCreate(job: PreflightJob): Promise<boolean> {
  if (job.plan.target.kind === "id") return await isOwnRepository(job);
  const found = await findDeployment(job, job.plan);
  return found.kind === "missing" ? found.hasList : found.kind === "being_deleted";
}
