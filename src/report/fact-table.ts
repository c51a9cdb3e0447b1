/** A row: what is told, and that as Markdown for a table cell; without it the row is left out. */
export type FactRow = readonly [title: string, cell: string | undefined];

/** A Markdown table of facts, each with its title; empty where there are none. */
export function factTable(rows: readonly FactRow[]): string {
  const shown = rows.filter(([, cell]) => cell).map(([title, cell]) => `| ${title} | ${cell} |`);
  return shown.length === 0 ? "" : ["| | |", "|---|---|", ...shown].join("\n");
}
