import { endGroup, error, info, notice, setSecret, startGroup, warning } from "@actions/core";
import { sanitizeExcerpt, sanitizeIndented, sanitizeLine } from "../text/sanitize.ts";

/** The job's log. Every text goes through `sanitizeLine` on its way out: nothing else prints. */
export interface Log {
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  error(text: string): void;
  /** Lines up to the next group or `endGroup` are collapsed under this title. */
  group(title: string): void;
  endGroup(): void;
  /** Has the runner replace this text by asterisks in all that follows. */
  mask(value: string): void;
}

/** Of the 10 that the runner keeps per step and kind, one is left for whatever comes last (contract, 3.4). */
const maxAnnotations = 9;
const annotationLength = 4000;
const lineLength = 4000;

const annotations = { notice, warning, error };
type Kind = keyof typeof annotations;

/** The log of a real run. What is over the runner's limit of annotations becomes a plain line. */
export function runnerLog(): Log {
  const counts: Record<Kind, number> = { notice: 0, warning: 0, error: 0 };
  const annotate = (kind: Kind, text: string) => {
    counts[kind] += 1;
    if (counts[kind] > maxAnnotations) {
      print(() => info(sanitizeExcerpt(`${kind}: ${text}`, lineLength)));
    } else {
      print(() => annotations[kind](sanitizeExcerpt(text, annotationLength)));
    }
  };
  return {
    info: (text) => print(() => info(sanitizeIndented(text, lineLength))),
    notice: (text) => annotate("notice", text),
    warning: (text) => annotate("warning", text),
    error: (text) => annotate("error", text),
    group: (title) => print(() => startGroup(sanitizeLine(title))),
    endGroup: () => print(() => endGroup()),
    mask: (value) => print(() => setSecret(value)),
  };
}

/**
 * A log that can't be written any more, because the runner died or its disk is full, is no reason to leave the rest
 * undone, and there is nobody left to tell. A pipe tells it later, by an event; see `ignoreClosedStreams`.
 */
function print(write: () => void): void {
  try {
    write();
  } catch {
    // What is said above.
  }
}

/** Keeps the process alive when whoever read its output is gone, which is an exception otherwise. */
export function ignoreClosedStreams(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) stream.on("error", () => {});
}
