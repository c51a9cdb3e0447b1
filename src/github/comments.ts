import type { GitHub } from "./client.ts";
import { GitHubError } from "./errors.ts";

export interface OwnComment {
  readonly id: number;
  readonly body: string;
}

/**
 * This action's comment on a pull request: the oldest that begins with the marker and was written by the token's own
 * login. Two runs at once may have written one each: the others are deleted. @throws GitHubError
 */
export async function findComment(
  github: GitHub,
  pullRequest: number,
  marker: string,
): Promise<OwnComment | undefined> {
  const viewer = await github.viewer("readComments");
  const comments = await github.comments.list(pullRequest);
  const [oldest, ...others] = comments.filter(
    ({ user, body }) => user?.login === viewer && body.trimStart().startsWith(marker),
  );
  for (const { id } of others) await ifStillThere(() => github.comments.delete(id));
  return oldest && { id: oldest.id, body: oldest.body };
}

/** Updates the comment; false where someone deleted it. @throws GitHubError */
export async function updateComment(github: GitHub, id: number, body: string): Promise<boolean> {
  return await ifStillThere(() => github.comments.update(id, body));
}

async function ifStillThere(change: () => Promise<void>): Promise<boolean> {
  try {
    await change();
    return true;
  } catch (error) {
    if (error instanceof GitHubError && error.status === 404) return false;
    throw error;
  }
}
