import type { InputProblem } from "../inputs/errors.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { inertExcerpt } from "../text/inert.ts";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./errors.ts";

/**
 * Looks in this repository whether what is to be deployed is there, before a build fails for it after minutes:
 * `repo_ref` exists, and `app_config_path` is a file there. GitHub may answer 404 where a permission is missing, so a
 * 404 counts only if the same token can read the repository's root at the run's commit. What can't be checked is
 * passed over in silence.
 */
export async function preflight(plan: DeploymentPlan, sha: string, github: GitHub): Promise<InputProblem[]> {
  const { repoRef, appConfigPath } = plan.source;
  if (repoRef === undefined) return [];
  const missing = await findMissing(repoRef, appConfigPath, github);
  if (missing === undefined) return [];
  const readable = await quietly(github.pathKind("", sha));
  return readable === "folder" ? [missing] : [];
}

/** The file is asked for first: where it is there, so is the ref. */
async function findMissing(
  ref: string,
  path: string | undefined,
  github: GitHub,
): Promise<InputProblem | undefined> {
  const kind = path === undefined ? "missing" : await quietly(github.pathKind(bare(path), fullRef(ref)));
  if (kind === "file" || kind === undefined) return undefined;
  const shownRef = inertExcerpt(ref, 100);
  const shownPath = inertExcerpt(path ?? "", 200);
  if (kind === "folder")
    return { input: "app_config_path", problem: `names ${shownPath}, which is a folder on ${shownRef}` };
  const exists = await quietly(github.refExists(fullRef(ref)));
  if (exists === undefined) return undefined;
  if (!exists)
    return {
      input: "repo_ref",
      problem: `names ${shownRef}, which isn't a branch or tag of this repository`,
    };
  return path === undefined
    ? undefined
    : { input: "app_config_path", problem: `names ${shownPath}, which isn't there on ${shownRef}` };
}

/** A bare name is a branch's; a tag is given as `refs/tags/NAME` (contract, 3). */
function fullRef(ref: string): string {
  return ref.startsWith("refs/") ? ref : `refs/heads/${ref}`;
}

function bare(path: string): string {
  return path.replace(/^(\.?\/)+/, "");
}

async function quietly<T>(question: Promise<T>): Promise<T | undefined> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof GitHubError) return undefined;
    throw error;
  }
}
