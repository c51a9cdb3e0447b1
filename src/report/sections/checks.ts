import { type CheckResult, checkKinds, describeCheck } from "../../state/check-result.ts";
import { type RunState, revisionsOf } from "../../state/run-state.ts";
import { formatSeconds } from "../../text/format.ts";
import { code, type Phrase, phrase, text } from "../../text/message.ts";
import type { DocumentLimits } from "../limits.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { folded, markdownTable, moreOf } from "./blocks.ts";
import { logChanges } from "./comparison.ts";

const marks = { passed: phrase`✅`, warned: phrase`⚠️`, failed: phrase`❌`, skipped: phrase`⏭️` };

export function logCheck(result: CheckResult, label: Phrase | undefined, log: MessageLog): void {
  const message = text`${label}${describeCheck(result)}`;
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
    .map((check) => ({
      name: render.plain(code(check.name)),
      passed: check.verdict !== "failed",
      seconds: Number(formatSeconds(check.durationMs)),
      message: render.plain(describeCheck(check)),
    }));
  return items.length === 0 ? undefined : JSON.stringify(items);
}

/** Returns a table of the checks and a block for each failed one, as Markdown; empty without checks. */
export function checksSection(state: RunState, limits: DocumentLimits, render: Renderer): string[] {
  const { maxRows, maxBlocks } = limits;
  const checks = revisionsOf(state).flatMap(({ checks: ofRevision, label }) =>
    ofRevision.map((check) => ({ ...check, label })),
  );
  // A serving check that was skipped gets a row only beside other checks.
  if (checks.every(({ kind, verdict }) => kind === "serving check" && verdict === "skipped")) return [];
  const rows = checks.map((check) => checkRow(check, render));
  const blocks = checks.flatMap((check) => evidenceBlock(check, limits, render) ?? []);
  return [
    markdownTable(["", "Check", "Seconds"], rows.slice(0, maxRows), 1),
    moreOf(rows.length, maxRows),
    ...blocks.slice(0, maxBlocks).map(({ title, block }, index) => folded(title, [block], index === 0)),
    moreOf(blocks.length, maxBlocks, "the log"),
  ];
}

type LabeledCheck = CheckResult & { readonly label: Phrase | undefined };

/** Returns the block for a failed check; undefined for one without evidence, whose message says everything. */
function evidenceBlock(
  check: LabeledCheck,
  { maxLines, maxLineLength }: DocumentLimits,
  render: Renderer,
): { readonly title: string; readonly block: string } | undefined {
  if (check.verdict !== "failed" || check.evidence === undefined) return undefined;
  const { kind, name, label, evidence } = check;
  const start = render.plain(phrase`${marks.failed} ${label}${checkKinds[kind].label}`);
  const lines = evidence.slice(0, maxLines).map((line) => render.inBlock(line));
  return {
    title: `${start} ${render.codeElement(code(name, 100))}`,
    block: render.block(lines, maxLineLength),
  };
}

function checkRow(check: LabeledCheck, render: Renderer): string[] {
  const { kind, name, label, verdict, description, durationMs } = check;
  const summary = verdict === "skipped" ? phrase`skipped (${description})` : check.summary;
  return [
    render.cell(marks[verdict]),
    render.cell(
      phrase`${label}${checkKinds[kind].label} ${code(name, 100)}${summary && phrase`: ${summary}`}`,
    ),
    verdict === "skipped" ? "" : formatSeconds(durationMs),
  ];
}
