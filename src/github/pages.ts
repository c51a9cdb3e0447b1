import { GitHubError, type Purpose } from "./errors.ts";

/** The most that GitHub gives at a time. */
export const pageSize = 100;
/**
 * A million items: more than a repository has, and more requests than a workflow's token has in hours. It ends only the
 * reading of a list that a server never ends.
 */
const mostPages = 10_000;

/**
 * All items of a list, each once, page by page until one isn't full or holds nothing new: what is added meanwhile
 * shifts items on to the next page. Octokit's own pagination would lose the signal that bounds a request's time.
 *
 * @param get asks for a page, counted from 1
 * @throws GitHubError where the list never ends, and what `get` throws.
 */
export async function everyPage<Item extends { readonly id: number }>(
  purpose: Purpose,
  get: (page: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items = new Map<number, Item>();
  for (let page = 1; page <= mostPages; page++) {
    const found = await get(page);
    const fresh = found.filter(({ id }) => !items.has(id));
    for (const item of fresh) items.set(item.id, item);
    if (found.length < pageSize || fresh.length === 0) return [...items.values()];
  }
  throw new GitHubError(purpose, undefined, `the list goes on after ${mostPages} pages`);
}
