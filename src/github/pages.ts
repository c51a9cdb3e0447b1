import * as v from "valibot";

/** The most that GitHub gives at a time. */
export const pageSize = 100;
/** More than any list that is asked for here has. */
const mostPages = 100;

const PageSchema = v.looseObject({ data: v.array(v.unknown()) });

/**
 * All items of a list, page by page until one isn't full. Octokit's own pagination would lose the signal that bounds
 * the request's time, and take an answer without a list for an empty one. `get`: asks for a page, counted from 1.
 *
 * @throws Error where an answer isn't a list or the list never ends, and what `get` throws.
 */
export async function everyPage(get: (page: number) => Promise<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page = 1; page <= mostPages; page++) {
    const parsed = v.safeParse(PageSchema, await get(page));
    if (!parsed.success) throw new Error("the answer is not a list");
    items.push(...parsed.output.data);
    if (parsed.output.data.length < pageSize) return items;
  }
  throw new Error(`the list goes on after ${mostPages} pages`);
}
