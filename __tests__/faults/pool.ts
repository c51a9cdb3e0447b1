/** Calls for each item, so many at a time; the results are in the order of the items. */
export async function inPool<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Map<number, Result>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results.set(index, await work(item));
  };
  await Promise.all(Array.from({ length: size }, worker));
  return items.flatMap((_item, index) => {
    const result = results.get(index);
    return result === undefined ? [] : [result];
  });
}
