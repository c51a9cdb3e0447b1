import { formatSeconds } from "../../text/format.ts";
import { code, type Message, text } from "../../text/message.ts";
import { type CheckResult, checkKinds } from "../check-result.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { folded, markdownTable, moreOf } from "./blocks.ts";

export function logCheck(result: CheckResult, log: MessageLog): void {
  if (result.verdict === "warned") log.warning(result.message);
  else log.info(text`${marks[result.verdict]} ${result.message}`);
  const { evidence = [] } = result;
  if (evidence.length === 0) return;
  log.group(
    text`What the ${checkKinds[result.kind].label} sent, expected and received`,
    evidence.map((line) => log.render.plain(line)),
  );
}

export function smokeTestItem(test: CheckResult, render: Renderer): string {
  return JSON.stringify({
    name: render.plain(code(test.name)),
    passed: test.verdict !== "failed",
    seconds: Number(formatSeconds(test.durationMs)),
    message: render.plain(test.message),
  });
}

/** Returns a table of the checks and a block for each failed one, as Markdown; empty without checks. */
export function checksSection(
  { revision, rollback }: RunState,
  limits: DocumentLimits,
  render: Renderer,
): string[] {
  const { checks, checksNotRun } = revision;
  // A serving check that was not run gets a row only beside other checks.
  if (checks.length === 0 && checksNotRun.every(({ kind }) => kind === "serving check")) return [];
  const rollbackChecks = rollback?.revision?.checks ?? [];
  const rowOf = (check: CheckResult, subject?: Message) => {
    const summary = check.summary && text`: ${check.summary}`;
    const cell = render.cell(
      text`${subject}${checkKinds[check.kind].label} ${code(check.name, 100)}${summary}`,
    );
    return [render.cell(marks[check.verdict]), cell, formatSeconds(check.durationMs)];
  };
  const rows = [
    ...checks.map((check) => rowOf(check)),
    ...checksNotRun.map((check) => {
      const cell = render.cell(
        text`${checkKinds[check.kind].label} ${code(check.name, 100)}: ${check.reason}`,
      );
      return ["⏭️", cell, ""];
    }),
    ...rollbackChecks.map((check) => rowOf(check, text`Rollback: `)),
  ];
  // The message of a check without evidence says everything.
  const withEvidence = [...checks, ...rollbackChecks].filter(({ evidence }) => evidence !== undefined);
  const titleOf = (check: CheckResult) =>
    `${rollbackChecks.includes(check) ? "Rollback: failed" : "Failed"} ${check.kind} ${render.codeElement(code(check.name, 100))}`;
  return [
    markdownTable(["", "Check", "Seconds"], rows.slice(0, limits.maxRows), 1),
    moreOf(rows.length, limits.maxRows),
    ...withEvidence
      .slice(0, limits.maxBlocks)
      .map((check, index) => failedBlock(titleOf(check), check, index === 0, limits, render)),
    moreOf(withEvidence.length, limits.maxBlocks, "the log"),
  ];
}

const marks = { passed: text`✅`, warned: text`⚠️`, failed: text`❌` };

function failedBlock(
  title: string,
  { evidence = [] }: CheckResult,
  isOpen: boolean,
  { maxLines, maxLineLength }: DocumentLimits,
  render: Renderer,
): string {
  const lines = evidence.slice(0, maxLines).map((line) => render.inBlock(line));
  return folded(title, [render.block(lines, maxLineLength)], isOpen);
}
