import type * as v from "valibot";
import type { GitHubClient } from "./client.ts";
import { GitHubError, type Operation, operations } from "./errors.ts";
import { ContentSchema, pullRequestSchema, RefSchema } from "./schemas.ts";

/** What decides whether a pull request has a preview. */
export interface PullRequestState {
  readonly isOpen: boolean;
  readonly labels: readonly string[];
}

/** @throws GitHubError */
export async function readPullRequest(
  github: GitHubClient,
  number: number,
  operation: Operation = operations.readPullRequest,
): Promise<PullRequestState> {
  const { state, labels } = await github.read(operation, pullRequestSchema(number), `/pulls/${number}`);
  return { isOpen: state === "open", labels: labels.map(({ name }) => name) };
}

/** Whether a ref such as `refs/heads/main` exists. @throws GitHubError */
export async function refExists(github: GitHubClient, fullRef: string): Promise<boolean> {
  const ref = encodeURIComponent(fullRef.replace(/^refs\//, ""));
  return (await readContents(github, RefSchema, `/git/ref/${ref}`)) !== undefined;
}

export type PathKind = "file" | "folder" | "missing";

/** What a path is at a ref; `""` is the root of the repository. @throws GitHubError */
export async function readPathKind(github: GitHubClient, path: string, ref: string): Promise<PathKind> {
  const segment = path === "" ? "" : `/${encodeURIComponent(path)}`;
  const content = await readContents(github, ContentSchema, `/contents${segment}`, ref);
  if (content === undefined) return "missing";
  return Array.isArray(content) ? "folder" : "file";
}

/** Undefined if GitHub does not find it. */
async function readContents<Schema extends v.GenericSchema>(
  github: GitHubClient,
  schema: Schema,
  path: string,
  ref?: string,
): Promise<v.InferOutput<Schema> | undefined> {
  try {
    return await github.read(operations.readContents, schema, path, { ref });
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return undefined;
    throw error;
  }
}
