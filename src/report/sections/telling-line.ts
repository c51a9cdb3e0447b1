import { posix } from "node:path";
import type { Ending, Place } from "../../errors.ts";
import type { LogLine } from "../../results/watch.ts";
import { type Message, quoteSentence, text, word } from "../../text/message.ts";
import { lastStatus, type RunFacts } from "../facts.ts";
import type { Renderer } from "../renderer.ts";
import { resultMessage } from "../result.ts";
import { maxEndLines } from "./failure-log.ts";

/** In characters: an annotation shows little more. */
const maxLength = 300;

/** What says why a build or deploy failed, such as `ModuleNotFoundError: …`, `error TS2304: …` or `fatal: …`. */
const reason =
  /(?:error|exception)(?: \[?\w+\]?)?: \S|\bfatal: |\bnot found\b|\bno matching\b|\bcould not\b|\bcannot\b|\bcan't\b/i;
const anyError = /error|exception|fatal|fail|traceback/i;
const errorLevel = /\b(?:error|critical|fatal)\b/i;
/** As in `package.module.SomeError: …` or `error: ▪ Error: …`, which the platform's reason has without it. */
const prefix = /^(?:error:)?\W*(?:\w+\.)*(?=\w*(?:error|exception)\b)/i;
/** What package managers and image builders end with, which is true of any failure. */
const boilerplate =
  /complete log of this run|\bexit(?:ed|s)?\b.{0,20}\b\d+\b|ended with code|did not complete successfully|\b0 errors\b/i;

/**
 * The line of a failed build's or deploy's log that says most, as a sentence. Undefined if none looks like an error, or the
 * result quotes it: the platform's own reason often does.
 */
export function describeTellingLine(facts: RunFacts, result: Ending, render: Renderer): Message | undefined {
  const { failureLog } = facts;
  if (failureLog === undefined || lastStatus(facts)?.kind !== "failed") return undefined;
  const found = findTellingLine(failureLog.lines, result.place, render);
  if (found === undefined || isSaid(found.line, render.plain(resultMessage(result)))) return undefined;
  return text`The ${word(failureLog.type)} log says: ${quoteSentence(found.line, maxLength)}.`;
}

/**
 * How many lines the end of the log must have to show the line that says most, those that name the place of the annotation, and
 * two before them; 0 without one.
 */
export function linesToTellingLine({ failureLog }: RunFacts, { place }: Ending, render: Renderer): number {
  const { lines = [] } = failureLog ?? {};
  const found = findTellingLine(lines, place, render);
  if (found === undefined) return 0;
  const oldest = Math.max(0, lines.length - maxEndLines);
  const placed = lines.findIndex(({ text }, index) => index >= oldest && namesPlace(text, place));
  const index = placed < 0 ? found.index : Math.min(placed, found.index);
  return Math.min(maxEndLines, lines.length - index + 2);
}

/** npm begins each line of an error so. */
function withoutLabel(line: string): string {
  return line.replace(/^npm (?:error|ERR!) +/, "");
}

/** Whether a text quotes the line, without what stands before the error and the full stop. */
function isSaid(line: string, said: string): boolean {
  return said.includes(line.replace(prefix, "").replace(/\.$/, ""));
}

/** Whether a line names the place of the annotation, as a compiler does with each of its errors. */
function namesPlace(line: string, place: Place | undefined): boolean {
  if (place?.line === undefined) return false;
  const [, ...rests] = line.split(posix.basename(place.path));
  return rests.some((rest) => /^\W+(?:line )?(\d+)/.exec(rest)?.[1] === String(place.line));
}

/** Secrets are redacted in all lines together, because one may span several. */
function findTellingLine(
  lines: readonly LogLine[],
  place: Place | undefined,
  render: Renderer,
): { readonly line: string; readonly index: number } | undefined {
  const redacted = render.logLines(
    lines.map(({ text }) => ({ label: "", text })),
    maxLength,
  );
  const candidates = redacted.lines
    .map((line, index) => ({ index, line: line.trim(), label: lines[index]?.label ?? "" }))
    .filter(({ line }) => line !== "")
    .slice(-maxEndLines)
    .toReversed();
  const isError = ({ line, label }: (typeof candidates)[number]) =>
    anyError.test(line) || errorLevel.test(label);
  const telling = candidates.filter(({ line }) => !boilerplate.test(line));
  const reasons = telling.filter(({ line }) => reason.test(line));
  const chosen =
    reasons.find(({ line }) => namesPlace(line, place)) ??
    reasons[0] ??
    telling.find(isError) ??
    candidates.find(isError);
  if (chosen === undefined) return undefined;
  const position = candidates.indexOf(chosen);
  const next = candidates[position - 1];
  const { index, line } = chosen;
  if (!line.endsWith(":") || next === undefined) return { index, line };
  const full = `${line} ${withoutLabel(next.line)}`;
  // npm names the version that does not fit some lines before, and what requires it after.
  const conflict = /^npm .*resolve dependency:$/.test(line)
    ? candidates.slice(position).find((before) => / from the root project$/.test(before.line))
    : undefined;
  return conflict === undefined
    ? { index, line: full }
    : { index: conflict.index, line: `${withoutLabel(conflict.line)} … ${withoutLabel(full)}` };
}
