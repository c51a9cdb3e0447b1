import type { ContractChange } from "../../compare/contract-change.ts";
import type { WorkflowRun } from "../../github/workflow-run.ts";
import { code, type Message, quote, text, word } from "../../text/message.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { ComparisonState, RunState } from "../state.ts";
import { pageLink, studioLink } from "./links.ts";
import { markdownTable } from "./tables.ts";

const marks = { breaking: "💥", by_hand: "❓", note: "ℹ️" } as const;

/** How many changes the log has. */
const maxLines = 100;

/** Prints what a comparison found, with a line for each change, the breaking ones first. */
export function logComparison({ target, changes }: ComparisonState, log: MessageLog): void {
  if (changes.length === 0) return;
  const lines = changes.slice(0, maxLines).map(changeLine);
  const more = changes.length - maxLines;
  if (more > 0) lines.push(text`${more} more changes are in the output contract_changes.`);
  log.group(
    text`Compared with ${quote(target, 100)}`,
    lines.map((line) => log.render.plain(line)),
  );
}

function changeLine({ severity, message }: ContractChange): Message {
  return text`${word(marks[severity])} ${message}`;
}

/** What differs between two agents, as Markdown; empty if nothing does. */
export function comparisonSection(
  state: RunState,
  workflow: WorkflowRun,
  maxRows: number,
  render: Renderer,
): string {
  const { target, url, changes } = state.comparison ?? { target: "", url: undefined, changes: [] };
  if (changes.length === 0) return "";
  const rows = changes
    .slice(0, maxRows)
    .map(({ severity, message }) => [marks[severity], render.cell(message)]);
  const more = changes.length - maxRows;
  const studio = changes.some(({ threads }) => threads > 0) ? studioLink(state, url, render) : undefined;
  const link = pageLink(workflow, "Comparing", "docs/compare.md");
  return [
    `### Compared with ${render.markdown(text`${quote(target, 100)}`)}`,
    markdownTable(["", "Change"], rows),
    ...(more > 0 ? [`${more} more changes are in the output \`contract_changes\`.`] : []),
    ...(studio === undefined ? [] : [`The threads are in ${studio}.`]),
    ...(link === undefined ? [] : [`What counts as breaking, and what to do: ${link}.`]),
  ].join("\n\n");
}

/** GitHub takes a megabyte of outputs of a job. */
const maxChanges = 500;

/** What a comparison found, as a JSON list. */
export function changesOutput(changes: readonly ContractChange[], render: Renderer): string {
  const shown = changes.slice(0, maxChanges).map(({ graph, kind, severity, path, message, threads }) => ({
    graph: render.plain(text`${code(graph, 200)}`),
    kind,
    breaking: severity === "breaking",
    path: render.plain(text`${code(path, 300)}`),
    message: render.plain(message),
    threads,
  }));
  return JSON.stringify(shown);
}
