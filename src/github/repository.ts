import type * as v from "valibot";
import type { Context } from "../context.ts";
import { toResult } from "../errors.ts";
import { hasStatus } from "../http/request-error.ts";
import { withoutRoot } from "../platform/compare-content.ts";
import { fullRef } from "../workflow-run.ts";
import type { GitHubClient, SendRequest } from "./github-client.ts";
import { type Operation, operations } from "./operations.ts";
import { ContentSchema, PullRequestSchema } from "./schemas.ts";

/** @throws Failure */
export async function readPullRequest(
  github: GitHubClient,
  number: number,
  operation: Operation = operations.readPullRequest,
): Promise<v.InferOutput<typeof PullRequestSchema>> {
  return await github.call(operation, PullRequestSchema, ({ octokit, repo }) =>
    octokit.rest.pulls.get({ ...repo, pull_number: number }),
  );
}

/** A ref of this repository, and the path of the configuration file; undefined if none is sent. */
export interface RefAndFile {
  readonly ref: string;
  readonly path: string | undefined;
}

export type MissingPart = "ref" | "file";

/**
 * Finds a missing ref or file, because of which a build would fail only after minutes. GitHub also responds with 404 if a
 * permission is missing, so a 404 counts only if the token can read the repository's root. A failed check is ignored.
 */
export async function findMissingPart(
  { ref, path }: RefAndFile,
  github: GitHubClient,
  { workflow }: Pick<Context, "workflow">,
): Promise<MissingPart | undefined> {
  const exists = (at: string, inRef: string) => pathExists(at, inRef, github);
  const root = "";
  if (path !== undefined && (await exists(withoutRoot(path), fullRef(ref))) !== false) return undefined;
  const hasRef = await exists(root, fullRef(ref));
  if (hasRef) return path === undefined ? undefined : "file";
  const canRead = hasRef === false && (await exists(root, workflow.sha));
  return canRead ? "ref" : undefined;
}

/** Whether the repository has a file or folder at a ref; undefined if GitHub does not say. */
async function pathExists(path: string, ref: string, github: GitHubClient): Promise<boolean | undefined> {
  const send: SendRequest = ({ octokit, repo }) => octokit.rest.repos.getContent({ ...repo, path, ref });
  const read = () => github.untilCancelled(() => github.call(operations.readContents, ContentSchema, send));
  const { error } = await toResult(read);
  if (error === undefined) return true;
  return hasStatus(error, 404) ? false : undefined;
}
