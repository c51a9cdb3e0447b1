import * as v from "valibot";
import type { GitHubClient } from "./client.ts";
import { GitHubError, operations } from "./errors.ts";
import { CommentListSchema, commentSchema, WrittenSchema } from "./schemas.ts";

// Comments on pull requests: https://docs.github.com/en/rest/issues/comments. Every function throws GitHubError.

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/**
 * This action's comment on a pull request: the oldest one that starts with the marker and that the login of the token
 * wrote. Two runs at the same time may have written one each, so all others are deleted.
 */
export async function findComment(
  github: GitHubClient,
  pullRequest: number,
  marker: string,
): Promise<OwnComment | undefined> {
  const operation = operations.readComments;
  const viewer = await github.viewer(operation);
  const path = `/issues/${pullRequest}/comments`;
  const comments = await github.readPages(operation, CommentListSchema, path);
  const [oldest, ...others] = comments.filter(
    ({ user, body }) => user?.login === viewer && body.trimStart().startsWith(marker),
  );
  for (const { id } of others) await unlessDeleted(() => deleteComment(github, id));
  return oldest && { id: oldest.id, body: oldest.body };
}

export async function readComment(github: GitHubClient, id: number): Promise<string> {
  const comment = await github.read(operations.readComments, commentSchema(id), `/issues/comments/${id}`);
  return comment.body;
}

/** Returns the id of the new comment. */
export async function createComment(
  github: GitHubClient,
  pullRequest: number,
  body: string,
): Promise<number> {
  const path = `/issues/${pullRequest}/comments`;
  const { id } = await github.write({
    operation: operations.writeComment,
    schema: WrittenSchema,
    method: "POST",
    path,
    body: { body },
  });
  return id;
}

/** Returns false if the comment was deleted. */
export async function updateComment(github: GitHubClient, id: number, body: string): Promise<boolean> {
  const path = `/issues/comments/${id}`;
  return await unlessDeleted(() =>
    github.write({
      operation: operations.writeComment,
      schema: WrittenSchema,
      method: "PATCH",
      path,
      body: { body },
    }),
  );
}

async function deleteComment(github: GitHubClient, id: number): Promise<void> {
  await github.write({
    operation: operations.writeComment,
    schema: v.unknown(),
    method: "DELETE",
    path: `/issues/comments/${id}`,
  });
}

async function unlessDeleted(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return false;
    throw error;
  }
}
