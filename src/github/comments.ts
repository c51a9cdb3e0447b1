import type { GitHub } from "./client.ts";
import { GitHubError } from "./errors.ts";

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/**
 * This action's comment on a pull request: the oldest that holds the marker and was written by the token's own login.
 * Two runs at once may have written one each: the others are deleted. @throws GitHubError
 */
export async function findComment(
  github: GitHub,
  pullRequest: number,
  marker: string,
): Promise<OwnComment | undefined> {
  const viewer = await github.viewer();
  const comments = await github.comments(pullRequest);
  const [oldest, ...others] = comments.filter(
    ({ user, body }) => user?.login === viewer && body.includes(marker),
  );
  for (const { id } of others) await github.deleteComment(id);
  return oldest && { id: oldest.id, body: oldest.body };
}

/** Updates the comment, or writes it anew where someone deleted it. Answers with its id. @throws GitHubError */
export async function putComment(
  github: GitHub,
  pullRequest: number,
  id: number | undefined,
  body: string,
): Promise<number> {
  if (id === undefined) return await github.createComment(pullRequest, body);
  try {
    await github.updateComment(id, body);
    return id;
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404)
      return await github.createComment(pullRequest, body);
    throw error;
  }
}
