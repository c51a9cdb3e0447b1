import type { LogEntry } from "../../platform/revision-log.ts";

/** Which entries of a log were seen. Its pages may overlap, because a log grows while it is read. */
export class SeenEntries {
  readonly #keys = new Set<string>();

  /** The entries of a page that were not seen before. `offset`: where the page begins. */
  add(entries: readonly LogEntry[], offset: string | undefined): LogEntry[] {
    const counts = new Map<string, number>();
    return entries.filter((entry) => {
      const content = contentOf(entry, offset);
      const count = (counts.get(content) ?? 0) + 1;
      counts.set(content, count);
      const key = entry.id === undefined ? `${count} ${content}` : content;
      if (this.#keys.has(key)) return false;
      this.#keys.add(key);
      return true;
    });
  }
}

/** What an entry is known by: its id, or its time and text, or its text on this page, which may be there several times. */
function contentOf({ id, at, level, message }: LogEntry, offset: string | undefined): string {
  if (id !== undefined) return JSON.stringify([id]);
  return JSON.stringify(at === undefined ? [offset, level, message] : [at, level, message]);
}
