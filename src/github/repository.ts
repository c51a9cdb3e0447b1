import { toResult } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { withoutRoot } from "../platform/compare-content.ts";
import { fullRef, type WorkflowRun } from "../workflow-run.ts";
import type { GitHubClient } from "./github-client.ts";
import { type Operation, operations } from "./operations.ts";
import { ContentSchema, PullRequestSchema } from "./schemas.ts";

/** @throws RequestError */
export async function readPullRequest(
  github: GitHubClient,
  number: number,
  operation: Operation = operations.readPullRequest,
): Promise<{ readonly isOpen: boolean; readonly labels: readonly string[] }> {
  const { state, labels } = await github.call(operation, PullRequestSchema, ({ octokit, repo }) =>
    octokit.rest.pulls.get({ ...repo, pull_number: number }),
  );
  return { isOpen: state === "open", labels: labels.map(({ name }) => name) };
}

/** What the platform will fetch of this repository. */
export interface FetchedFile {
  readonly ref: string;
  /** The path of the configuration file; undefined if none is sent. */
  readonly path: string | undefined;
}

/** `folder`: there is a folder in place of the file. */
export type MissingPart = "ref" | "file" | "folder";

/**
 * Finds a missing ref or file, because of which a build would fail only after minutes. GitHub also responds with 404 if a
 * permission is missing, so a 404 counts only if the token can read the repository's root. A failed check is ignored.
 */
export async function findMissingPart(
  { ref, path }: FetchedFile,
  github: GitHubClient,
  { workflow, cancelled }: { readonly workflow: WorkflowRun; readonly cancelled: AbortSignal },
): Promise<MissingPart | undefined> {
  const kindOf = async (at: string, inRef: string) => {
    const result = await toResult(
      () => github.untilCancelled(() => readPathKind(github, at, inRef)),
      cancelled,
    );
    return result.error === undefined ? result.value : "unreadable";
  };
  if (path !== undefined) {
    const kind = await kindOf(withoutRoot(path), fullRef(ref));
    if (kind === "folder") return kind;
    if (kind !== "missing") return undefined;
  }
  const root = await kindOf("", fullRef(ref));
  if (root !== "missing") return path !== undefined && root === "folder" ? "file" : undefined;
  return (await kindOf("", workflow.sha)) === "folder" ? "ref" : undefined;
}

/** Returns the kind of a path at a ref; `""` is the root of the repository. @throws RequestError */
async function readPathKind(
  github: GitHubClient,
  path: string,
  ref: string,
): Promise<"file" | "folder" | "missing"> {
  try {
    const content = await github.call(operations.readContents, ContentSchema, ({ octokit, repo }) =>
      octokit.rest.repos.getContent({ ...repo, path, ref }),
    );
    return Array.isArray(content) ? "folder" : "file";
  } catch (error) {
    if (hasStatus(error, 404)) return "missing";
    throw error;
  }
}
