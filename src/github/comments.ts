import { type GitHubClient, sentOnce } from "./client.ts";
import { GitHubError, operations } from "./errors.ts";
import { CommentListSchema, CommentSchema, WrittenSchema } from "./schemas.ts";

// Comments on pull requests: https://docs.github.com/en/rest/issues/comments. Every function throws GitHubError.

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/** The oldest comment on a pull request that starts with the marker and that the login of the token wrote. */
export async function findComment(
  github: GitHubClient,
  pullRequest: number,
  marker: string,
): Promise<OwnComment | undefined> {
  const operation = operations.readComments;
  const viewer = await github.viewer(operation);
  const comments = await github.call(operation, CommentListSchema, async ({ octokit, repo }) => ({
    data: await octokit.paginate(octokit.rest.issues.listComments, {
      ...repo,
      issue_number: pullRequest,
      per_page: 100,
    }),
  }));
  return comments.find(({ user, body }) => user?.login === viewer && body.trimStart().startsWith(marker));
}

export async function readComment(github: GitHubClient, id: number): Promise<string> {
  const { body } = await github.call(operations.readComments, CommentSchema, ({ octokit, repo }) =>
    octokit.rest.issues.getComment({ ...repo, comment_id: id }),
  );
  return body;
}

interface WantedComment {
  readonly pullRequest: number;
  readonly marker: string;
  readonly body: string;
  /** If it is known; otherwise the comment is searched for. */
  readonly id: number | undefined;
  readonly mayCreate: boolean;
}

/** Updates this action's comment on a pull request, or makes it. Returns its id, undefined if there is none. */
export async function upsertComment(
  github: GitHubClient,
  { pullRequest, marker, body, id, mayCreate }: WantedComment,
): Promise<number | undefined> {
  if (id !== undefined && (await updateComment(github, id, body))) return id;
  const found = await findComment(github, pullRequest, marker);
  if (found !== undefined && (await updateComment(github, found.id, body))) return found.id;
  return mayCreate ? await createComment(github, pullRequest, body) : undefined;
}

async function createComment(github: GitHubClient, pullRequest: number, body: string): Promise<number> {
  const { id } = await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.issues.createComment({ ...repo, issue_number: pullRequest, body, request: sentOnce }),
  );
  return id;
}

/** Returns false if the comment was deleted. */
export async function updateComment(github: GitHubClient, id: number, body: string): Promise<boolean> {
  try {
    await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
      octokit.rest.issues.updateComment({ ...repo, comment_id: id, body }),
    );
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return false;
    throw error;
  }
}
