import type { ContractChange } from "../../compare/contract-change.ts";
import { code, count, quote, text } from "../../text/message.ts";
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

/** GitHub accepts a megabyte of outputs from a job. */
const maxChanges = 500;

/** Returns the changes as a JSON list. If there are too many, its last item says how many are left out. */
export function changesOutput(changes: readonly ContractChange[], render: Renderer): string {
  const items = cut(changes).map(({ graph, kind, severity, path, message, threadCount }) => ({
    graph: render.plain(code(graph, 200)),
    kind,
    breaking: severity === "breaking",
    path: render.plain(code(path, 300)),
    message: render.plain(message),
    threads: threadCount,
  }));
  return JSON.stringify(items);
}

function cut(changes: readonly ContractChange[]): readonly ContractChange[] {
  const rest = changes.slice(maxChanges - 1);
  const [first] = rest;
  if (first === undefined || rest.length === 1) return changes;
  const message = text`${count(rest.length)} more changes are left out.`;
  return [...changes.slice(0, maxChanges - 1), { ...first, graph: "", path: "", message, threadCount: 0 }];
}
