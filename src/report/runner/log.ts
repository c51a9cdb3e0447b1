import { EOL } from "node:os";
import {
  type AnnotationProperties,
  endGroup,
  error,
  notice,
  setSecret,
  startGroup,
  warning,
} from "@actions/core";
import { sanitizeExcerpt, sanitizeIndented, sanitizeLine } from "../../text/sanitize.ts";

/** What GitHub shows with an error beside its text. */
export interface ErrorAnnotation {
  readonly title: string;
  /** Relative to the workspace. */
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The job's log. Nothing else prints: every text is sanitized here, so that the runner takes none for a command. */
export interface Log {
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  error(text: string, annotation: ErrorAnnotation): void;
  /** Starts a collapsible group, up to `endGroup`. */
  group(title: string): void;
  endGroup(): void;
  /** The runner replaces this text with asterisks in all that is logged later. */
  mask(value: string): void;
}

/**
 * The runner keeps 10 annotations of a kind per step and drops the rest silently, so later ones become plain lines.
 * https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations
 */
const maxAnnotations = 9;
const maxLength = 4000;

const maxTitleLength = 200;

type Annotate = (text: string, properties?: AnnotationProperties) => void;
const annotations = { notice, warning, error } satisfies Record<string, Annotate>;
type AnnotationKind = keyof typeof annotations;

/** The log of the step. Annotations beyond the limit become plain lines. */
export function runnerLog(): Log {
  const counts: Record<AnnotationKind, number> = { notice: 0, warning: 0, error: 0 };
  const annotate = (kind: AnnotationKind, text: string, properties?: AnnotationProperties) => {
    counts[kind] += 1;
    if (counts[kind] > maxAnnotations) {
      printLine(sanitizeExcerpt(`${kind}: ${text}`, maxLength));
    } else {
      print(() => annotations[kind](sanitizeExcerpt(text, maxLength), properties));
    }
  };
  return {
    info: (text) => printLine(sanitizeIndented(text, maxLength)),
    notice: (text) => annotate("notice", text),
    warning: (text) => annotate("warning", text),
    error: (text, { title, file, line }) =>
      annotate("error", text, {
        title: sanitizeExcerpt(title, maxTitleLength),
        ...(file !== undefined && { file }),
        ...(file !== undefined && line !== undefined && { startLine: line }),
      }),
    group: (title) => print(() => startGroup(sanitizeLine(title))),
    endGroup: () => print(() => endGroup()),
    mask: (value) => print(() => setSecret(value)),
  };
}

function printLine(line: string): void {
  print(() => process.stdout.write(line + EOL));
}

/** If the log can't be written, because the runner died or the disk is full, the run continues: the deployment counts. */
function print(write: () => unknown): void {
  try {
    write();
  } catch {
    // There is no other place to report it.
  }
}

/** Keeps the process alive after the reader of its output is gone: without a listener, that error ends the process. */
export function ignoreClosedStreams(...streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) stream.on("error", () => {});
}
