import { toResult, undefinedIf } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { withoutRoot } from "../platform/compare-content.ts";
import { fullRef, type WorkflowRun } from "../workflow-run.ts";
import type { GitHubClient, SendRequest } from "./github-client.ts";
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

export type MissingPart = "ref" | "file";

/**
 * Finds a missing ref or file, because of which a build would fail only after minutes. GitHub also responds with 404 if a
 * permission is missing, so a 404 counts only if the token can read the repository's root. A failed check is ignored.
 */
export async function findMissingPart(
  { ref, path }: FetchedFile,
  github: GitHubClient,
  { workflow, cancelled }: { readonly workflow: WorkflowRun; readonly cancelled: AbortSignal },
): Promise<MissingPart | undefined> {
  const exists = async (at: string, inRef: string) => {
    const isThere = () => github.untilCancelled(() => pathExists(github, at, inRef));
    return (await toResult(isThere, cancelled)).value;
  };
  const root = "";
  if (path !== undefined && (await exists(withoutRoot(path), fullRef(ref))) !== false) return undefined;
  const hasRef = await exists(root, fullRef(ref));
  if (hasRef !== false) return hasRef && path !== undefined ? "file" : undefined;
  return (await exists(root, workflow.sha)) ? "ref" : undefined;
}

/** Whether a repository has a file or folder at a ref. @throws RequestError */
async function pathExists(github: GitHubClient, path: string, ref: string): Promise<boolean> {
  const send: SendRequest = ({ octokit, repo }) => octokit.rest.repos.getContent({ ...repo, path, ref });
  const content = await undefinedIf(
    () => github.call(operations.readContents, ContentSchema, send),
    (error) => hasStatus(error, 404),
  );
  return content !== undefined;
}
