import type { Context } from "../context.ts";
import { bestEffort } from "../errors.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { GitHubClient } from "./client.ts";
import { type PathKind, readPathKind, refExists } from "./repository.ts";
import { fullRef } from "./workflow-run.ts";

/** What the platform will fetch from this repository. */
export interface FetchedSource {
  readonly ref: string;
  /** Of the configuration file; undefined if none is sent. */
  readonly path: string | undefined;
  /** Whether the path is the default of the platform. */
  readonly isDefaultPath: boolean;
}

/** What an input names that is not there, in the form of an input problem. */
export interface MissingSource {
  readonly input: "repo_ref" | "app_config_path";
  readonly problem: string;
  readonly hint: string;
}

/**
 * Checks that the ref exists and that the path is a file there, before a build fails because of it after minutes.
 * GitHub may answer 404 if a permission is missing, so a 404 only counts if the token can read the repository's root.
 * What can't be checked is left out without a warning. @throws the reason of a cancellation
 */
export async function findMissingSource(
  source: FetchedSource,
  github: GitHubClient,
  { workflow, cancelled }: Context,
): Promise<MissingSource | undefined> {
  const ref = fullRef(source.ref);
  const read = async <T>(call: () => Promise<T>) => {
    const result = await bestEffort(call, cancelled);
    return "value" in result ? result.value : undefined;
  };
  const path = source.path?.replace(/^(\.?\/)+/, "");
  const kind = path === undefined ? undefined : await read(() => readPathKind(github, path, ref));
  // If the file is there, so is the ref. If it can't be read, neither can the ref.
  if (kind === "file" || (path !== undefined && kind === undefined)) return undefined;
  const exists = kind === "folder" || (await read(() => refExists(github, ref)));
  const missing = exists === undefined ? undefined : describeMissing(source, exists, kind);
  if (missing === undefined) return undefined;
  const root = await read(() => readPathKind(github, "", workflow.sha));
  return root === "folder" ? missing : undefined;
}

/** `kind`: undefined if there is no path to check. */
function describeMissing(
  { ref, path, isDefaultPath }: FetchedSource,
  refIsThere: boolean,
  kind: PathKind | undefined,
): MissingSource | undefined {
  const shownRef = sanitizeExcerpt(ref, 100);
  if (!refIsThere) {
    // A name without a prefix is a branch, which users who give the name of a tag may not know.
    const form = ref.startsWith("refs/") ? "" : " (give a tag as refs/tags/NAME)";
    const problem = `names ${shownRef}, which is no ${kindOfRef(ref)}${form}`;
    return { input: "repo_ref", problem, hint: `Push the ${kindOfRef(ref)}, or correct the name.` };
  }
  if (path === undefined) return undefined;
  const what = kind === "folder" ? "is a folder" : "does not exist";
  const shownPath = sanitizeExcerpt(path, 200);
  const problem = isDefaultPath
    ? `is not given, and the default ${shownPath} ${what} on ${shownRef}`
    : `names ${shownPath}, which ${what} on ${shownRef}`;
  return { input: "app_config_path", problem, hint: "Push the file, or correct the path." };
}

function kindOfRef(ref: string): string {
  return ref.startsWith("refs/tags/") ? "tag" : "branch";
}
