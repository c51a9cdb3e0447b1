// Comments on pull requests: https://docs.github.com/en/rest/issues/comments. Every function throws RequestError.

import { type GitHubClient, sentOnce } from "./github-client.ts";
import { operations } from "./operations.ts";
import { CommentListSchema, WrittenSchema } from "./schemas.ts";

/** Returns the oldest comment on a pull request that starts with the marker and that the login of the token wrote. */
export async function findComment(
  github: GitHubClient,
  pullRequest: number,
  marker: string,
): Promise<{ readonly id: number; readonly body: string } | undefined> {
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

export async function createComment(github: GitHubClient, pullRequest: number, body: string): Promise<void> {
  await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.issues.createComment({ ...repo, issue_number: pullRequest, body, request: sentOnce }),
  );
}

export async function updateComment(github: GitHubClient, id: number, body: string): Promise<void> {
  await github.call(operations.writeComment, WrittenSchema, ({ octokit, repo }) =>
    octokit.rest.issues.updateComment({ ...repo, comment_id: id, body }),
  );
}
