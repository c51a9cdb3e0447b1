import type { WorkflowRun } from "../../github/workflow-run.ts";
import {
  type ContractChange,
  hasBreakingChange,
  keepsContract,
  type ThreadsRead,
} from "../../results/comparison.ts";
import { joined, type Message, text, word } from "../../text/message.ts";
import type { ComparisonFacts, RunFacts } from "../facts.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import {
  comparedName,
  comparisonWarnings,
  isWholeComparison,
  summarizeComparison,
  threadsOf,
} from "../sentences/comparison.ts";
import { describeContractChange, markOf } from "../sentences/contract-changes.ts";
import { pageLink, studioLink } from "./links.ts";
import { markdownTable } from "./tables.ts";

/** How many changes the log has. */
const maxLines = 1000;

/** Prints what a comparison found, with a line for each change, the breaking ones first. */
export function logComparison(comparison: ComparisonFacts, log: MessageLog): void {
  const { target, result } = comparison;
  if (result.kind === "nothing_before") {
    log.notice(text`Nothing was compared, because the deployment served nothing before this run.`);
    return;
  }
  if (keepsContract(result)) {
    log.info(text`Compared with ${comparedName(target)}: ${summarizeComparison(result)}.`);
  }
  if (result.changes.length > 0) {
    const lines = changeLines(result.changes, threadsOf(result)).map((line) => log.render.plain(line));
    log.renderedGroup(text`Compared with ${comparedName(target)}`, lines);
  }
  for (const warning of comparisonWarnings(comparison)) log.warning(warning);
}

function changeLines(changes: readonly ContractChange[], threads: ThreadsRead | undefined): Message[] {
  const lines = changes.slice(0, maxLines).map((change) => {
    const { what, advice } = describeContractChange(change, threads);
    return joined([text`${word(markOf(change))} ${what}`, advice]);
  });
  const more = changes.length - maxLines;
  return more > 0 ? [...lines, text`${more} more changes are not shown.`] : lines;
}

/** What the page about comparisons helps with, and where on it. */
const help = {
  threads: {
    topic: "How to keep a node, or resume or delete a thread",
    page: "docs/compare.md#a-node-at-which-threads-are-waiting",
  },
  changes: { topic: "What counts as breaking", page: "docs/compare.md" },
} as const;

/** What a comparison found, as Markdown; empty without one, and if the row of its check says all: that nothing changed. */
export function comparisonSection(
  facts: RunFacts,
  workflow: WorkflowRun,
  maxRows: number,
  render: Renderer,
): string {
  const { comparison } = facts;
  if (comparison === undefined || comparison.result.kind === "nothing_before") return "";
  const { target, result, url } = comparison;
  if (result.changes.length === 0 && isWholeComparison(result)) return "";
  const hasThreads = result.changes.some((change) => "threads" in change && change.threads.length > 0);
  const studio = hasThreads ? studioLink(facts, url, render) : undefined;
  const { topic, page } = hasThreads ? help.threads : help.changes;
  const link = hasBreakingChange(result) ? pageLink(workflow, "Comparing", page) : undefined;
  return [
    `### Compared with ${render.markdown(comparedName(target))}`,
    ...summary(facts, comparison, render),
    ...table(result.changes, threadsOf(result), maxRows, render),
    ...(studio === undefined ? [] : [`The threads are in ${studio}.`]),
    ...(link === undefined ? [] : [`${topic}: ${link}.`]),
  ].join("\n\n");
}

/** A sentence about the whole comparison; none if the table begins with breaking changes, and the result says what they mean. */
function summary(facts: RunFacts, { target, isGate, result }: ComparisonFacts, render: Renderer): string[] {
  if (result.kind === "unreadable")
    return [render.markdown(joined([result.error.ending.message, result.error.ending.hint]))];
  if (!keepsContract(result)) {
    // What the compared agent does not show either may be broken there already.
    const isNew =
      "changes" in result && !result.changes.some((change) => "wasShown" in change && !change.wasShown);
    const isOther = !["previous", facts.name, facts.deploymentId].includes(target);
    const doing = facts.action === "Preview" ? text`Merging` : text`Deploying this version there`;
    const meaning = text`${doing} would break what is marked 💥 in ${comparedName(target)}, which is not affected yet.`;
    return isNew && isOther && !isGate ? [render.markdown(meaning)] : [];
  }
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
