import {
  type ComparisonResult,
  type ContractChange,
  keepsContract,
  type ThreadsRead,
} from "../../results/comparison.ts";
import { code, joined, text } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import { markdownTable, type Renderer } from "../renderer.ts";
import { isWholeComparison, summarizeComparison, threadsOf } from "../sentences/comparison.ts";
import { describeContractChange } from "../sentences/contract-changes.ts";
import { studioLink } from "./links.ts";

/** Breaking, not compared, and only a note. */
export function markOf(change: ContractChange): "💥" | "❔" | "ℹ️" {
  if (change.breaking) return "💥";
  return change.kind === "not_compared" ? "❔" : "ℹ️";
}

/** What a comparison found, as Markdown; empty without one. */
export function comparisonSection(facts: RunFacts, maxRows: number, render: Renderer): string {
  const { comparison } = facts;
  if (comparison === undefined || comparison.result.kind === "nothing_before") return "";
  const { target, result, url } = comparison;
  const hasThreads = result.changes.some((change) => "threads" in change && change.threads.length > 0);
  const studio = hasThreads ? studioLink(facts, url, render) : undefined;
  return [
    `### Compared with ${target === "previous" ? "what was served before" : render.markdown(text`${code(target, 100)}`)}`,
    ...whole(result, render),
    ...table(result.changes, threadsOf(result), maxRows, render),
    ...(studio === undefined ? [] : [`The threads are in ${studio}.`]),
  ].join("\n\n");
}

/** What there is to say of all of it: nothing if the table begins with what breaks. */
function whole(result: ComparisonResult, render: Renderer): string[] {
  if (result.kind === "unreadable") return [render.markdown(joined([result.error.text, result.error.hint]))];
  if (!keepsContract(result)) return [];
  const finding = render.markdown(summarizeComparison(result));
  const mark = isWholeComparison(result) ? "✅ " : "";
  return [`${mark}${finding.charAt(0).toUpperCase()}${finding.slice(1)}.`];
}

function table(
  changes: readonly ContractChange[],
  threads: ThreadsRead | undefined,
  maxRows: number,
  render: Renderer,
): string[] {
  if (changes.length === 0) return [];
  const rows = changes.slice(0, maxRows).map((change) => {
    const { what, advice } = describeContractChange(change, threads);
    return [markOf(change), render.cell(what), advice === undefined ? "" : render.cell(advice)];
  });
  const more = changes.length - maxRows;
  return [
    markdownTable(["", "Change", "What to do"], rows),
    ...(more > 0 ? [`${more} more changes are in the log.`] : []),
  ];
}

/** All of the output together, in characters: GitHub takes a megabyte of outputs of a job. */
const maxOutputLength = 900_000;

export function contractChangesOutput(result: ComparisonResult, render: Renderer): string {
  const changes = result.kind === "nothing_before" ? [] : result.changes;
  const entries: string[] = [];
  let length = 0;
  for (const change of changes) {
    const entry = JSON.stringify(outputOf(change, threadsOf(result), render));
    length += Buffer.byteLength(entry) + 1;
    if (length > maxOutputLength) {
      entries.push(JSON.stringify(cutNote(changes.length - entries.length)));
      break;
    }
    entries.push(entry);
  }
  return `[${entries.join(",")}]`;
}

/** Stands for the changes that have no place in the output; the breaking ones come first. */
function cutNote(count: number) {
  const message = `${count} more changes are not shown.`;
  return { graph: "", kind: "not compared", breaking: false, path: "", message, threads: 0 };
}

function outputOf(change: ContractChange, threads: ThreadsRead | undefined, render: Renderer) {
  const { what, advice } = describeContractChange(change, threads);
  return {
    graph: render.plain(text`${code(change.graph, 200)}`),
    kind: kindOf(change),
    breaking: change.breaking,
    path: render.plain(text`${code(pathOf(change), 300)}`),
    message: render.plain(joined([what, advice])),
    threads: "threads" in change ? change.threads.length : 0,
  };
}

function kindOf(change: ContractChange): string {
  switch (change.kind) {
    case "graph_gone":
    case "graph_new":
      return "graph";
    case "node_gone":
      return "node";
    case "schema":
      return change.schema;
    case "not_compared":
      return "not compared";
  }
}

function pathOf(change: ContractChange): string {
  switch (change.kind) {
    case "node_gone":
      return change.node;
    case "schema":
      return change.path.join(".");
    case "not_compared":
      if (change.reason.kind === "schema") return change.reason.path.join(".");
      return change.reason.kind === "subgraph" ? change.reason.node : "";
    default:
      return "";
  }
}
