import type { CheckResult } from "../../state/check-result.ts";
import { code, phrase, quote, text } from "../../text/message.ts";
import type { MessageLog } from "../message-log.ts";
import type { Renderer } from "../renderer.ts";
import { markdownTable, moreOf } from "./blocks.ts";

const marks = { breaking: phrase`💥`, byHand: phrase`❓`, note: phrase`ℹ️` };

export function logChanges({ name, changes = [] }: CheckResult, log: MessageLog): void {
  const lines = changes.map(({ severity, message }) => log.render.plain(text`${marks[severity]} ${message}`));
  if (lines.length > 0) log.group(phrase`Compared with ${quote(name, 100)}`, lines);
}

export function comparisonSection(
  checks: readonly CheckResult[],
  maxRows: number,
  render: Renderer,
): string[] {
  return checks.flatMap(({ name, changes = [] }) => {
    if (changes.length === 0) return [];
    const rows = changes.map(({ severity, message }) => [render.cell(marks[severity]), render.cell(message)]);
    return [
      `### Compared with ${render.markdown(quote(name, 100))}`,
      markdownTable(["", "Change"], rows.slice(0, maxRows)),
      moreOf(rows.length, maxRows, "the output `contract_changes`"),
    ];
  });
}

/** The output is often passed on as a variable, and Linux allows 128 KiB for each, with its name. */
const maxOutputBytes = 120_000;

/** Returns the changes as a JSON list, as many as fit; undefined if nothing was compared. */
export function changesOutput(checks: readonly CheckResult[], render: Renderer): string | undefined {
  const { changes } = checks.find((check) => check.changes !== undefined) ?? {};
  if (changes === undefined) return undefined;
  const items: string[] = [];
  let bytes = "[]".length;
  for (const { graph, kind, severity, path, message, threadCount } of changes) {
    const item = JSON.stringify({
      graph: render.plain(code(graph, 200)),
      kind,
      breaking: severity === "breaking",
      path: render.plain(code(path, 300)),
      message: render.plain(message),
      threads: threadCount,
    });
    bytes += Buffer.byteLength(`${item},`);
    if (bytes > maxOutputBytes) break;
    items.push(item);
  }
  return `[${items.join(",")}]`;
}
