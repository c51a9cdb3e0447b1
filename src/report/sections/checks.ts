import { type CheckResult, kindOf } from "../../checks/check.ts";
import { formatSeconds } from "../../text/format.ts";
import { code, type Message, rawText, text, word } from "../../text/message.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { folded } from "./folded.ts";
import { markdownTable } from "./tables.ts";

/** Prints the result of a check. */
export function logCheck(result: CheckResult, log: MessageLog): void {
  if (result.warns) log.warning(result.message);
  else log.info(text`${word(markOf(result))} ${result.message}`);
  const { evidence = [] } = result;
  if (evidence.length === 0) return;
  log.group(
    text`What the ${kindOf(result)} sent, expected and received`,
    evidence.map((line) => log.render.plain(line)),
  );
}

/** How much of the checks is shown. */
export interface CheckLimits {
  readonly maxRows: number;
  readonly maxBlocks: number;
  /** Of the block of one failed check. */
  readonly maxLines: number;
  /** Whether the first failed check is shown without being opened. */
  readonly isFirstOpen: boolean;
}

/** Enough for both ends of a response. */
const maxLineLength = 1000;

/** A table of the checks as Markdown, and a block for each that failed; empty if there were none. */
export function checksSection(
  { checks, checksNotRun, rollbackChecks = [] }: Pick<RunState, "checks" | "checksNotRun" | "rollbackChecks">,
  limits: CheckLimits,
  render: Renderer,
): string {
  // That the server does not report its revision is only worth a row beside other checks.
  if (checks.length === 0 && checksNotRun.every(({ kind }) => kind === "serving check")) return "";
  const { maxRows, maxBlocks } = limits;
  // Without evidence there is no more to say than the message does.
  const failed = [...checks, ...rollbackChecks].filter(({ evidence }) => evidence !== undefined);
  const rowOf = (check: CheckResult, subject?: Message) => {
    const summary = check.summary && text`: ${check.summary}`;
    const cell = render.cell(text`${subject}${kindOf(check)} ${code(check.name, 100)}${summary}`);
    return [markOf(check), cell, formatSeconds(check.durationMs)];
  };
  const rows = checks.map((check) => rowOf(check));
  const rowsNotRun = checksNotRun.map((check) => [
    "⏭️",
    render.cell(text`${kindOf(check)} ${code(check.name, 100)}: ${check.why}`),
    "",
  ]);
  const rollbackRows = rollbackChecks.map((check) => rowOf(check, text`Rollback: `));
  const all = [...rows, ...rowsNotRun, ...rollbackRows];
  return [
    markdownTable(["", "Check", "Seconds"], all.slice(0, maxRows), 1),
    ...more(all.length - maxRows, "checks"),
    ...failed
      .slice(0, maxBlocks)
      .map((check, index) => failedBlock(check, failed.slice(0, index), limits, render)),
    ...more(failed.length - maxBlocks, "failed checks"),
  ].join("\n\n");
}

function markOf({ passed, warns }: CheckResult): "✅" | "⚠️" | "❌" {
  if (!passed) return "❌";
  return warns ? "⚠️" : "✅";
}

function more(count: number, what: string): string[] {
  return count > 0 ? [`${count} more ${what} are in the log.`] : [];
}

/**
 * What a failed check sent, expected and received, and what to do about it, unless that is said already: of the first one by
 * the result.
 */
function failedBlock(
  check: CheckResult,
  before: readonly CheckResult[],
  limits: CheckLimits,
  render: Renderer,
): string {
  const { kind, name, durationMs, evidence = [], hint } = check;
  const { maxLines, isFirstOpen } = limits;
  const lines = evidence.map((line) => render.inBlock(line)).slice(0, maxLines);
  const title = `Failed ${kind} ${render.codeElement(code(name, 100))}`;
  const isFirst = before.length === 0;
  const isSaid = before.some((other) => other.hint && hint && rawText(other.hint) === rawText(hint));
  const next =
    isFirst || isSaid || hint === undefined ? [] : [`**What to do next:** ${render.markdown(hint)}`];
  const block = render.block([...lines, `Took:     ${formatSeconds(durationMs)} s`], maxLineLength);
  return folded(title, [...next, block], isFirst && isFirstOpen);
}
