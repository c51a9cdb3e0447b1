import type { ActionFile } from "./action-file.ts";

/**
 * The README with new tables of inputs and outputs between its markers. What an action has in common with `deploy`, whose README
 * is one folder up, is only named. Throws if a marker is missing.
 */
export function replaceTables(readme: string, action: ActionFile, deploy?: ActionFile): string {
  const inputs = [...action.groups].map(([title, names]) => ({
    title,
    rows: names.map((name) => inputRow(name, action.inputs[name])),
  }));
  const known = deploy && Object.entries(deploy.inputs).map(([name, input]) => inputRow(name, input));
  const tables = {
    inputs: withoutShared("Input", inputs, known),
    outputs: withoutShared("Output", [{ rows: outputRows(action) }], deploy && outputRows(deploy)),
  };
  return replaceBetweenMarkers(readme, tables);
}

type Row = readonly string[];

/** A table in which each group begins with a row of its own, and a sentence with the names of the rows that are in `known`. */
function withoutShared(
  kind: "Input" | "Output",
  groups: readonly { readonly title?: string; readonly rows: readonly Row[] }[],
  known: readonly Row[] = [],
): string {
  const texts = new Set(known.map((row) => row.join()));
  const isShared = (row: Row) => texts.has(row.join());
  const own = groups
    .map(({ title, rows }) => ({ title, rows: rows.filter((row) => !isShared(row)) }))
    .filter(({ rows }) => rows.length > 0)
    .flatMap(({ title, rows }) => [...(title === undefined ? [] : [[`**${title}**`, ""]]), ...rows]);
  const shared = groups.flatMap(({ rows }) => rows.filter(isShared).map(([name]) => name));
  const anchor = `${kind.toLowerCase()}s`;
  return [
    ...(own.length > 0 ? [table([kind, "Meaning"], own)] : []),
    ...(shared.length > 0 ? [`As in [deploy](../README.md#${anchor}): ${shared.join(", ")}.`] : []),
  ].join("\n\n");
}

/** The page with new tables between their markers. Throws if a marker is missing. */
export function replaceBetweenMarkers(page: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const start = `<!-- ${name}:start (generated from action.yml by npm run docs) -->`;
    const from = text.indexOf(start);
    const to = text.indexOf(`<!-- ${name}:end -->`, from);
    if (from < 0 || to < 0) throw new Error(`The page has no ${start} … <!-- ${name}:end -->.`);
    return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

interface Input {
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly default?: string | undefined;
}

/** Most inputs have no default, so the default has no column of its own. */
export function inputRow(name: string, input: Input = {}): Row {
  const { description = "", required = false, default: value = "" } = input;
  const start = required ? "**Required.** " : "";
  const end = value === "" ? "" : ` Defaults to \`${value}\`.`;
  return [`\`${name}\``, `${start}${description.trim()}${end}`];
}

function outputRows({ outputs }: ActionFile): Row[] {
  return Object.entries(outputs).map(([name, { description }]) => [`\`${name}\``, description]);
}

/** A table as in https://github.github.com/gfm/#tables-extension-, where a line end or `|` would end a cell. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function cellText(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}
