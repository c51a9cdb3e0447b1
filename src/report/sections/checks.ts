import { formatSeconds } from "../../text/format.ts";
import { code, type Message, text } from "../../text/message.ts";
import { checkKinds, type ReportedCheck } from "../check-result.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import type { RunState } from "../state.ts";
import { folded, markdownTable, moreOf } from "./blocks.ts";

const marks = { passed: text`✅`, warned: text`⚠️`, failed: text`❌`, notRun: text`⏭️` };

/** Logs a check that was run. */
export function logCheck(check: ReportedCheck, log: MessageLog): void {
  const { verdict, kind } = check;
  if (verdict === "notRun") return;
  if (verdict === "warned") log.warning(check.message);
  else log.info(text`${marks[verdict]} ${check.message}`);
  const { evidence = [] } = check;
  if (evidence.length === 0) return;
  log.group(
    text`What the ${checkKinds[kind].label} sent, expected and received`,
    evidence.map((line) => log.render.plain(line)),
  );
}

/** Returns the results of the smoke tests as a JSON list; undefined without any. */
export function smokeTestsOutput(checks: readonly ReportedCheck[], render: Renderer): string | undefined {
  const items = checks
    .filter((check) => check.verdict !== "notRun")
    .filter(({ kind }) => kind === "smoke test")
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
  const { checks } = revision;
  // A serving check that was not run gets a row only beside other checks.
  if (checks.every(({ kind, verdict }) => kind === "serving check" && verdict === "notRun")) return [];
  const rollbackChecks = rollbackRevision?.checks ?? [];
  const rowOf = (check: ReportedCheck, subject?: Message) => {
    const summary = check.summary && text`: ${check.summary}`;
    const label = text`${subject}${checkKinds[check.kind].label} ${code(check.name, 100)}${summary}`;
    const duration = check.verdict === "notRun" ? "" : formatSeconds(check.durationMs);
    return [render.cell(marks[check.verdict]), render.cell(label), duration];
  };
  const rows = [
    ...checks.map((check) => rowOf(check)),
    ...rollbackChecks.map((check) => rowOf(check, text`Rollback: `)),
  ];
  const blocks = [
    ...checks.map((check) => failedBlock("Failed", check, limits, render)),
    ...rollbackChecks.map((check) => failedBlock("Rollback: failed", check, limits, render)),
  ].filter((block) => block !== undefined);
  return [
    markdownTable(["", "Check", "Seconds"], rows.slice(0, limits.maxRows), 1),
    moreOf(rows.length, limits.maxRows),
    ...blocks
      .slice(0, limits.maxBlocks)
      .map(({ title, content }, index) => folded(title, content, index === 0)),
    moreOf(blocks.length, limits.maxBlocks, "the log"),
  ];
}

/** Returns the evidence of a failed check; undefined without one, because the message of the check says everything. */
function failedBlock(
  failed: string,
  check: ReportedCheck,
  { maxLines, maxLineLength }: DocumentLimits,
  render: Renderer,
) {
  if (check.verdict === "notRun" || check.evidence === undefined) return undefined;
  const title = `${failed} ${check.kind} ${render.codeElement(code(check.name, 100))}`;
  const lines = check.evidence.slice(0, maxLines).map((line) => render.inBlock(line));
  return { title, content: [render.block(lines, maxLineLength)] };
}
