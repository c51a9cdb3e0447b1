import type { AnnotationProperties } from "@actions/core";
import Bottleneck from "bottleneck";
import type { Context, Effects } from "../../src/context.ts";
import { Report } from "../../src/report/report.ts";
import type { CommandFiles } from "../../src/report/runner/command-files.ts";
import type { RunRedactor } from "../../src/text/run-redactor.ts";
import { removeInvisible } from "../../src/text/sanitize.ts";
import { readWorkflowRun } from "../../src/workflow-run.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What an action printed and wrote, in order. */
export interface Recorded {
  readonly lines: {
    readonly kind: string;
    readonly text: string;
    readonly annotation?: AnnotationProperties;
  }[];
  /** Lines that only step debugging shows. */
  readonly debug: string[];
  readonly outputs: Record<string, string>;
  readonly state: Record<string, string>;
  readonly masks: string[];
  summary: string;
}

/** What a run takes, and for steps that are called without one its report, which redacts nothing. */
export interface RecordingContext extends Effects, Context {
  readonly clock: VirtualClock;
  readonly recorded: Recorded;
  /** Cancels the run as the runner does. */
  readonly cancel: (reason: Error) => void;
}

/** GitHub gets writes at once, and a second until a retry takes a millisecond. */
function shortDelays() {
  const group = new Bottleneck.Group({ maxConcurrent: 1 });
  return { write: group, notifications: group, retryAfterBaseValue: 1 };
}

const plainRedactor: RunRedactor = {
  redactText: removeInvisible,
  redactIdentifier: (text) => text,
  addCredentials: () => {},
  addTextSecrets: () => {},
};

/** A context that records instead of printing, on virtual time. Requests and the disk are real. */
export function recordingContext(
  env: Record<string, string>,
  clock = new VirtualClock(),
  title = "Deploy",
): RecordingContext {
  const recorded: Recorded = { lines: [], debug: [], outputs: {}, state: {}, masks: [], summary: "" };
  const line = (kind: string) => (text: string) => void recorded.lines.push({ kind, text });
  const cancellation = new AbortController();
  const log = {
    debug: (text: string) => void recorded.debug.push(text),
    info: line("info"),
    notice: line("notice"),
    warning: line("warning"),
    error: (text: string, annotation: AnnotationProperties) =>
      void recorded.lines.push({ kind: "error", text, annotation }),
    group: line("group"),
    endGroup: () => line("endgroup")(""),
    mask: (value: string) => void recorded.masks.push(value),
  };
  const workflow = readWorkflowRun(env);
  const files: CommandFiles = {
    setOutput: (name, value) => void Object.assign(recorded.outputs, { [name]: value }),
    saveState: (name, value) => void Object.assign(recorded.state, { [name]: value }),
    appendSummary: async (markdown) => {
      recorded.summary += markdown;
    },
  };
  return {
    env,
    workflow,
    clock,
    recorded,
    cancel: (reason) => cancellation.abort(reason),
    cancelled: cancellation.signal,
    random: () => 0.5,
    githubDelays: shortDelays(),
    log,
    report: new Report({
      log,
      clock,
      files,
      workflow,
      cancelled: cancellation.signal,
      action: { title },
      redact: plainRedactor,
    }),
    files,
  };
}
