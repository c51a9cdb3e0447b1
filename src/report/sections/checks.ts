import { formatSeconds } from "../../text/format.ts";
import { code, type Message, text } from "../../text/message.ts";
import { type CheckResult, checkKinds } from "../check-result.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { folded, markdownTable, moreOf } from "./blocks.ts";
import { logChanges } from "./comparison.ts";

const marks = { passed: text`✅`, warned: text`⚠️`, failed: text`❌`, skipped: text`⏭️` };

/** Stands before what is shown of a rollback after a failed check. */
export const rollbackSubject = text`Rollback: `;

export function logCheck(result: CheckResult, subject: Message | undefined, log: MessageLog): void {
  const message = text`${subject}${result.message}`;
  if (result.verdict === "warned") log.warning(message);
  else log.info(text`${marks[result.verdict]} ${message}`);
  logChanges(result, log);
  if (result.verdict !== "failed" || result.evidence === undefined) return;
  log.group(
    text`What the ${checkKinds[result.kind].label} sent, expected and received`,
    result.evidence.map((line) => log.render.plain(line)),
  );
}

/** Returns the results of the smoke tests as a JSON list; undefined without any. */
export function smokeTestsOutput(checks: readonly CheckResult[], render: Renderer): string | undefined {
  const items = checks
    .filter(({ kind, verdict }) => kind === "smoke test" && verdict !== "skipped")
    .map(({ name, verdict, durationMs, message }) => ({
      name: render.plain(code(name)),
      passed: verdict !== "failed",
      seconds: Number(formatSeconds(durationMs)),
      message: render.plain(message),
    }));
  return items.length === 0 ? undefined : JSON.stringify(items);
}

/** Returns a table of the checks and a block for each failed one, as Markdown; empty without checks. */
export function checksSection(
  { revision, rollbackRevision }: RunState,
  limits: DocumentLimits,
  render: Renderer,
): string[] {
  const { maxRows, maxBlocks, maxLines, maxLineLength } = limits;
  const checks = [...revision.checks, ...(rollbackRevision?.checks ?? [])];
  const subjectOf = (check: CheckResult) => (revision.checks.includes(check) ? undefined : rollbackSubject);
  // A serving check that was skipped gets a row only beside other checks.
  if (checks.every(({ kind, verdict }) => kind === "serving check" && verdict === "skipped")) return [];
  const rows = checks.map((check) => checkRow(check, subjectOf(check), render));
  const blocks = checks.flatMap((check) => {
    // The message of a check without evidence says everything.
    if (check.verdict !== "failed" || check.evidence === undefined) return [];
    const { kind, name, evidence } = check;
    const start = render.plain(text`${marks.failed} ${subjectOf(check)}${checkKinds[kind].label}`);
    const lines = evidence.slice(0, maxLines).map((line) => render.inBlock(line));
    return [
      { title: `${start} ${render.codeElement(code(name, 100))}`, block: render.block(lines, maxLineLength) },
    ];
  });
  return [
    markdownTable(["", "Check", "Seconds"], rows.slice(0, maxRows), 1),
    moreOf(rows.length, maxRows),
    ...blocks.slice(0, maxBlocks).map(({ title, block }, index) => folded(title, [block], index === 0)),
    moreOf(blocks.length, maxBlocks, "the log"),
  ];
}

function checkRow(check: CheckResult, subject: Message | undefined, render: Renderer): string[] {
  const { kind, name, verdict, durationMs } = check;
  const summary = check.summary && text`: ${check.summary}`;
  return [
    render.cell(marks[verdict]),
    render.cell(text`${subject}${checkKinds[kind].label} ${code(name, 100)}${summary}`),
    verdict === "skipped" ? "" : formatSeconds(durationMs),
  ];
}
