import type { CheckName, CheckResult } from "../../results/watch.ts";
import { formatSeconds } from "../../text/format.ts";
import { code, joined, type Message, text, word } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { checkSentence, evidenceLines, furtherHint, warningOf } from "../sentences/checks.ts";
import { summarizeComparison } from "../sentences/comparison.ts";
import { describeFinding, describeShown } from "../sentences/findings.ts";
import { folded } from "./folded.ts";
import { markdownTable } from "./tables.ts";

/** Prints the result of a smoke test. The other checks are few, and the result of the run quotes them. `before`: the checks before it. */
export function logSmokeTest(result: CheckResult, before: readonly CheckResult[], log: MessageLog): void {
  log.info(joined([word(markOf(result)), checkSentence(result), furtherHint(result, before)]));
  const lines = evidenceLines(result, (message) => log.render.plain(message));
  if (lines.length > 0) log.group(text`What the smoke test sent, expected and received`, lines);
}

/** How much of the checks is shown. */
interface Limits {
  readonly maxRows: number;
  readonly maxBlocks: number;
  /** Of the block of one failed check. */
  readonly maxLines: number;
  /** Whether the first failed check is shown without being opened. */
  readonly isFirstOpen: boolean;
}

export const summaryLimits: Limits = { maxRows: 200, maxBlocks: 20, maxLines: 12, isFirstOpen: true };
export const commentLimits: Limits = { maxRows: 50, maxBlocks: 5, maxLines: 8, isFirstOpen: false };

/** Enough for both ends of a response. */
const maxLineLength = 1000;

/** A table of the checks as Markdown, and a block for each that failed; empty if there were none. */
export function checksSection(facts: RunFacts, limits: Limits, render: Renderer): string {
  const { checks, checksNotRun = [] } = facts;
  // That the server does not report its revision is only worth a row beside other checks.
  if (checks.length === 0 && checksNotRun.every(({ kind }) => kind === "serving check")) return "";
  const { maxRows, maxBlocks } = limits;
  // Without a request there is no more to say than the message does.
  const failed = checks.filter((check) => describeFinding(check).evidence !== undefined);
  const rows = checks.slice(0, maxRows).map((check) => {
    const { kind, name, finding, durationMs } = check;
    const comparison =
      finding.kind === "compared" ? text`: ${summarizeComparison(finding.result)}` : undefined;
    const cell = render.cell(text`${word(kind)} ${code(name, 100)}${comparison}`);
    return [markOf(check), cell, formatSeconds(durationMs)];
  });
  const rowsNotRun = checksNotRun
    .slice(0, maxRows)
    .map((check) => [
      "⏭️",
      render.cell(text`${word(check.kind)} ${code(check.name, 100)}: ${whyNotRun(check, facts)}`),
      "",
    ]);
  // A serving check is made first, and the others that are not run are those after one that failed.
  const countBefore = checksNotRun[0]?.kind === "serving check" ? 1 : 0;
  const inOrder = [...rowsNotRun.slice(0, countBefore), ...rows, ...rowsNotRun.slice(countBefore)];
  return [
    markdownTable(["", "Check", "Seconds"], inOrder, 1),
    ...more(checks.length - maxRows, "checks"),
    ...failed.slice(0, maxBlocks).map((check, index) => {
      const hint = furtherHint(check, failed.slice(0, index));
      return failedBlock(check, hint, limits, index === 0 && limits.isFirstOpen, render);
    }),
    ...more(failed.length - maxBlocks, "failed checks"),
  ].join("\n\n");
}

function whyNotRun({ kind }: CheckName, { comparison, servingSkipped }: RunFacts): Message {
  if (kind === "comparison" && comparison?.result.kind === "nothing_before") {
    return text`nothing to compare with`;
  }
  if (kind !== "serving check") return text`not run`;
  // A 404 shows that the server has no such path. Other errors do not show what it would report.
  const isUnread =
    servingSkipped !== undefined &&
    ("error" in servingSkipped || ![200, 404].includes(servingSkipped.value.status));
  return isUnread
    ? text`skipped, because ${describeShown(servingSkipped)}`
    : text`skipped, because the server does not report its revision`;
}

function markOf(check: CheckResult): "✅" | "⚠️" | "❌" {
  if (!check.passed) return "❌";
  return warningOf(check) === undefined ? "✅" : "⚠️";
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`${count} more ${what} are in the log.`] : [];
}

/** What a failed check sent, expected and received, and what to do about it if the result of the run does not say it. */
function failedBlock(
  check: CheckResult,
  hint: Message | undefined,
  { maxLines }: Limits,
  isOpen: boolean,
  render: Renderer,
): string {
  const { kind, name, durationMs } = check;
  const lines = [
    ...evidenceLines(check, (message) => render.inBlock(message)),
    `Took:     ${formatSeconds(durationMs)} s`,
  ];
  const title = `Failed ${kind} ${render.codeElement(code(name, 100))}`;
  const next = hint === undefined ? [] : [`**What to do next:** ${render.markdown(hint)}`];
  return folded(title, [...next, render.block(lines.slice(0, maxLines), maxLineLength)], isOpen);
}
