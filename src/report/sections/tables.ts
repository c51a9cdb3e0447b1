/** A row: its title, and its value as Markdown for a table cell. Without a value the row is left out. */
export type FactRow = readonly [title: string, cell: string | undefined];

/** GitHub centers the cells of a header whose columns are not aligned. */
const factTableRule = "|:---|:---|";

/** A table of titles and values; empty if no row has a value. Markdown wants a header: that is the first row. */
export function factTable(rows: readonly FactRow[]): string {
  const [first, ...others] = rows.flatMap(([title, cell]) => (cell ? [[title, cell]] : []));
  return first === undefined ? "" : [tableRow(first), factTableRule, ...others.map(tableRow)].join("\n");
}

/** A table of cells that the renderer made. The last `numbers` columns are aligned to the right. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  numbers = 0,
): string {
  const rule = titles.map((_title, index) => (index < titles.length - numbers ? "---" : "---:"));
  return [tableRow(titles), `|${rule.join("|")}|`, ...rows.map(tableRow)].join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
}
