import { toResult } from "../errors.ts";
import { withoutRoot } from "../platform/compare-source.ts";
import type { GitHubClient } from "./client.ts";
import { GitHubError, type Operation, operations } from "./errors.ts";
import { ContentSchema, pullRequestSchema, RefSchema } from "./schemas.ts";
import { fullRef, type WorkflowRun } from "./workflow-run.ts";

/** What decides whether a pull request has a preview. */
interface PullRequestState {
  readonly isOpen: boolean;
  readonly labels: readonly string[];
}

/** @throws GitHubError */
export async function readPullRequest(
  github: GitHubClient,
  number: number,
  operation: Operation = operations.readPullRequest,
): Promise<PullRequestState> {
  const { state, labels } = await github.call(operation, pullRequestSchema(number), ({ octokit, repo }) =>
    octokit.rest.pulls.get({ ...repo, pull_number: number }),
  );
  return { isOpen: state === "open", labels: labels.map(({ name }) => name) };
}

/** What the platform will fetch from this repository. */
export interface FetchedSource {
  readonly ref: string;
  /** Of the configuration file; undefined if none is sent. */
  readonly path: string | undefined;
}

/** What is not there: the ref, or at the path a file. */
export type MissingSource = "ref" | "file" | "file_is_folder";

/**
 * Checks that the ref exists and that the path is a file there, before a build fails because of it after minutes.
 * GitHub may answer 404 if a permission is missing, so a 404 only counts if the token can read the repository's root.
 * What can't be checked is left out without a warning. @throws the reason of a cancellation
 */
export async function findMissingSource(
  source: FetchedSource,
  github: GitHubClient,
  { workflow, cancelled }: { readonly workflow: WorkflowRun; readonly cancelled: AbortSignal },
): Promise<MissingSource | undefined> {
  const ref = fullRef(source.ref);
  const read = async <T>(call: () => Promise<T>) => {
    const result = await toResult(call, cancelled);
    return "value" in result ? result.value : undefined;
  };
  const path = source.path === undefined ? undefined : withoutRoot(source.path);
  const kind = path === undefined ? undefined : await read(() => readPathKind(github, path, ref));
  // If the file is there, so is the ref. If it can't be read, neither can the ref.
  if (kind === "file" || (path !== undefined && kind === undefined)) return undefined;
  const refIsThere = kind === "folder" || (await read(() => refExists(github, ref)));
  if (refIsThere === undefined || (refIsThere && kind === undefined)) return undefined;
  const root = await read(() => readPathKind(github, "", workflow.sha));
  if (root !== "folder") return undefined;
  if (!refIsThere) return "ref";
  return kind === "folder" ? "file_is_folder" : "file";
}

/** Whether a ref such as `refs/heads/main` exists. @throws GitHubError */
async function refExists(github: GitHubClient, fullRef: string): Promise<boolean> {
  const ref = fullRef.replace(/^refs\//, "");
  const found = await undefinedIf404(
    github.call(operations.readContents, RefSchema, ({ octokit, repo }) =>
      octokit.rest.git.getRef({ ...repo, ref }),
    ),
  );
  return found !== undefined;
}

/** What a path is at a ref; `""` is the root of the repository. @throws GitHubError */
async function readPathKind(
  github: GitHubClient,
  path: string,
  ref: string,
): Promise<"file" | "folder" | "missing"> {
  const content = await undefinedIf404(
    github.call(operations.readContents, ContentSchema, ({ octokit, repo }) =>
      octokit.rest.repos.getContent({ ...repo, path, ref }),
    ),
  );
  if (content === undefined) return "missing";
  return Array.isArray(content) ? "folder" : "file";
}

async function undefinedIf404<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return undefined;
    throw error;
  }
}
