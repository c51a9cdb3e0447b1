/** Returns a table of titles and values, without empty ones. The first row is the header, which Markdown requires. */
export function factTable(rows: readonly (readonly [title: string, cell: string | undefined])[]): string {
  const [first, ...others] = rows.flatMap(([title, cell]) => (cell ? [[title, cell]] : []));
  return first === undefined ? "" : markdownTable(first, others);
}

/** Returns a table of rendered cells. The last `numbers` columns are aligned to the right. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  numbers = 0,
): string {
  // GitHub centers the titles of columns that are not aligned.
  const rule = titles.map((_title, index) => (index < titles.length - numbers ? ":---" : "---:"));
  return [tableRow(titles), `|${rule.join("|")}|`, ...rows.map(tableRow)].join("\n");
}

/** Returns a line that counts the items after the first `max`, and may say where they are; empty without such items. */
export function moreOf(total: number, max: number, where?: string): string {
  if (total <= max) return "";
  return where === undefined ? `${total - max} more.` : `${total - max} more: see ${where}.`;
}

function tableRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}

/** Returns a block that readers can open. `title`: HTML, because GitHub renders no Markdown there. `content`: Markdown. */
export function folded(title: string, content: readonly string[], isOpen = false): string {
  return [`<details${isOpen ? " open" : ""}><summary>${title}</summary>`, ...content, "</details>"].join(
    "\n\n",
  );
}
