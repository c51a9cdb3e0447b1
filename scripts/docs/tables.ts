import type { ActionFile } from "./action-file.ts";

/**
 * A README with the tables of inputs and outputs between its markers written anew. Throws if a marker is missing, which
 * would leave a table out unnoticed.
 */
export function withTables(readme: string, action: ActionFile): string {
  return between(between(readme, "inputs", inputsTable(action)), "outputs", outputsTable(action));
}

function between(text: string, name: string, table: string): string {
  const start = `<!-- ${name}:start (generated from action.yml by npm run docs) -->`;
  const end = `<!-- ${name}:end -->`;
  const from = text.indexOf(start);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the markers are missing: ${start} … ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`;
}

function inputsTable({ inputs }: ActionFile): string {
  const rows = Object.entries(inputs).map(([name, input]) => [
    `\`${name}\``,
    input.required ? "**yes**" : "no",
    input.default === undefined ? "" : `\`${input.default}\``,
    input.description,
  ]);
  return table(["Input", "Required", "Default", "Meaning"], rows);
}

function outputsTable({ outputs }: ActionFile): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, description]);
  return table(["Output", "Meaning"], rows);
}

/** A table in GitHub's Markdown. A line end or a pipe in a cell would end the cell, also inside a code span. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell) =>
        cell
          .trim()
          .replaceAll(/\s*\n\s*/g, " ")
          .replaceAll("|", "\\|"),
      )
      .join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
