import type { InputProblem } from "../inputs/errors.ts";
import { fullRef } from "../inputs/ref.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { GitHub } from "./client.ts";
import { GitHubError } from "./errors.ts";

/** What the platform will fetch from this repository. */
export interface Fetched {
  readonly ref: string;
  /** Undefined where none is sent. */
  readonly path: string | undefined;
  /** Whether the path is the platform's default, as none was given. */
  readonly byDefault: boolean;
}

/**
 * Looks in this repository whether what is to be deployed is there, before a build fails for it after minutes: the
 * ref exists, and the path is a file there. GitHub may answer 404 where a permission is missing, so a 404 counts only
 * if the same token can read the repository's root at the run's commit. What can't be checked is passed over in
 * silence. Answers with what is missing.
 */
export async function preflight(
  fetched: Fetched,
  sha: string,
  github: GitHub,
): Promise<InputProblem | undefined> {
  const missing = await findMissing(fetched, github);
  if (missing === undefined) return undefined;
  const readable = await quietly(github.repository.pathKind("", sha));
  return readable === "folder" ? missing : undefined;
}

/** The file is asked for first: where it is there, so is the ref. */
async function findMissing(fetched: Fetched, github: GitHub): Promise<InputProblem | undefined> {
  const { ref, path } = fetched;
  const kind =
    path === undefined ? "missing" : await quietly(github.repository.pathKind(bare(path), fullRef(ref)));
  if (kind === "file" || kind === undefined) return undefined;
  if (kind === "folder") return pathProblem(fetched, "is a folder");
  const exists = await quietly(github.repository.refExists(fullRef(ref)));
  if (exists === undefined) return undefined;
  if (!exists)
    return {
      input: "repo_ref",
      problem: `names ${sanitizeExcerpt(ref, 100)}, which isn't a ${kindOf(ref)} of this repository`,
    };
  return path === undefined ? undefined : pathProblem(fetched, "isn't there");
}

function pathProblem({ ref, path = "", byDefault }: Fetched, what: string): InputProblem {
  const subject = byDefault ? "isn't given, and the default" : "names";
  const shown = `${sanitizeExcerpt(path, 200)}${byDefault ? "" : ", which"}`;
  return { input: "app_config_path", problem: `${subject} ${shown} ${what} on ${sanitizeExcerpt(ref, 100)}` };
}

/** A bare name is a branch's, which who gives a tag's may not know. */
function kindOf(ref: string): string {
  if (ref.startsWith("refs/tags/")) return "tag";
  return ref.startsWith("refs/") ? "branch" : "branch (a tag is given as refs/tags/NAME)";
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
