import type { ActionFile } from "./action-file.ts";

/** The README with new tables of inputs and outputs between its markers. Throws if a marker is missing. */
export function replaceTables(readme: string, action: ActionFile): string {
  const tables = { inputs: inputsTable(action), outputs: outputsTable(action) };
  return replaceBetweenMarkers(readme, "action.yml", tables);
}

/** The page with new tables between their markers, which name `source`. Throws if a marker is missing. */
export function replaceBetweenMarkers(
  page: string,
  source: string,
  tables: Readonly<Record<string, string>>,
): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const start = `<!-- ${name}:start (generated from ${source} by npm run docs) -->`;
    const from = text.indexOf(start);
    const to = text.indexOf(`<!-- ${name}:end -->`, from);
    if (from < 0 || to < 0) throw new Error(`The page has no ${start} … <!-- ${name}:end -->.`);
    return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

/** One table, in which each group begins with a row of its own, so that all columns have the same width. */
function inputsTable({ inputs, groups }: ActionFile): string {
  const rows = [...groups].flatMap(([title, names]) => [
    [`**${title}**`, ""],
    ...names.map((name) => inputRow(name, inputs[name])),
  ]);
  return table(["Input", "Meaning"], rows);
}

interface Input {
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly default?: string | undefined;
}

/** Most inputs have no default, so the default has no column of its own. */
export function inputRow(name: string, input: Input = {}): readonly string[] {
  const { description = "", required = false, default: value = "" } = input;
  const start = required ? "**Required.** " : "";
  const end = value === "" ? "" : ` Defaults to \`${value}\`.`;
  return [`\`${name}\``, `${start}${description.trim()}${end}`];
}

function outputsTable({ outputs }: ActionFile): string {
  const rows = Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, description]);
  return table(["Output", "Meaning"], rows);
}

/** A table as in https://github.github.com/gfm/#tables-extension-, where a line end or `|` would end a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function cellText(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}
