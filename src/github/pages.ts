import { EndlessListError, type Purpose } from "./errors.ts";

/** The most that GitHub gives at a time. */
export const pageSize = 100;
/**
 * A hundred thousand items: more than a repository has, and as many requests as a workflow's token has in an hour
 * (docs.github.com, Rate limits for the REST API). It ends only the reading of a list that a server never ends.
 */
const maxPages = 1000;

/**
 * All items of a list, each once, page by page until one isn't full or holds nothing new: what is added meanwhile
 * shifts items on to the next page. Octokit's own pagination would lose the signal that bounds a request's time.
 *
 * @param get asks for a page, counted from 1
 * @throws EndlessListError where the list never ends, and what `get` throws.
 */
export async function everyPage<Item extends { readonly id: number }>(
  purpose: Purpose,
  get: (page: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const items = new Map<number, Item>();
  for (let page = 1; page <= maxPages; page++) {
    const found = await get(page);
    const fresh = found.filter(({ id }) => !items.has(id));
    for (const item of fresh) items.set(item.id, item);
    if (found.length < pageSize || fresh.length === 0) return [...items.values()];
  }
  throw new EndlessListError(purpose, maxPages);
}
