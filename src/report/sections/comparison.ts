import type { ContractChange } from "../../compare/contract-change.ts";
import { code, quote, text } from "../../text/message.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { markdownTable, moreOf } from "./blocks.ts";

const marks = { breaking: text`💥`, byHand: text`❓`, note: text`ℹ️` };

export function changeLines(changes: readonly ContractChange[], render: Renderer): string[] {
  return changes.map(({ severity, message }) => render.plain(text`${marks[severity]} ${message}`));
}

export function comparisonSection({ comparison }: RunState, maxRows: number, render: Renderer): string[] {
  const { comparedWith, changes } = comparison ?? { comparedWith: "", changes: [] };
  if (changes.length === 0) return [];
  const rows = changes.map(({ severity, message }) => [render.cell(marks[severity]), render.cell(message)]);
  return [
    `### Compared with ${render.markdown(quote(comparedWith, 100))}`,
    markdownTable(["", "Change"], rows.slice(0, maxRows)),
    moreOf(rows.length, maxRows, "the output `contract_changes`"),
  ];
}

/** Returns the changes as a JSON list. */
export function changesOutput(changes: readonly ContractChange[], render: Renderer): string {
  const items = changes.map(({ graph, kind, severity, path, message, threadCount }) => ({
    graph: render.plain(code(graph, 200)),
    kind,
    breaking: severity === "breaking",
    path: render.plain(code(path, 300)),
    message: render.plain(message),
    threads: threadCount,
  }));
  return JSON.stringify(items);
}
