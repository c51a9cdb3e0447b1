import * as core from "@actions/core";

/** The job's log. Nothing else prints. Its texts must be sanitized, or the runner may take one for a command. */
export interface StepLog {
  /** Shown only with step debugging. */
  debug(text: string): void;
  info(text: string): void;
  notice(text: string): void;
  warning(text: string): void;
  error(text: string, annotation: core.AnnotationProperties): void;
  /** Starts a collapsible group, up to `endGroup`. */
  group(title: string): void;
  endGroup(): void;
  /** Makes the runner replace a text with asterisks in everything that is logged later. */
  mask(value: string): void;
}

/**
 * The runner keeps 10 annotations of a kind per step and drops the rest silently, so later ones become plain lines. One is left
 * for its own, such as that the step was cancelled.
 * https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md#limitations
 */
const maxAnnotations = 9;

/** For lines from outside, in characters. */
export const maxLineLength = 2000;

export function runnerLog(): StepLog {
  const counts = { notice: 0, warning: 0, error: 0 };
  const { notice, warning, error } = core;
  const annotations = { notice, warning, error };
  const annotate = (kind: keyof typeof counts, line: string, annotation?: core.AnnotationProperties) => {
    counts[kind] += 1;
    if (counts[kind] > maxAnnotations) core.info(`${kind}: ${line}`);
    else annotations[kind](line, annotation);
  };
  return {
    debug(line) {
      if (core.isDebug()) core.debug(line);
    },
    info: core.info,
    notice: (line) => annotate("notice", line),
    warning: (line) => annotate("warning", line),
    error: (line, annotation) => annotate("error", line, annotation),
    group: core.startGroup,
    endGroup: core.endGroup,
    mask: core.setSecret,
  };
}
