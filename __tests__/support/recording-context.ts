import Bottleneck from "bottleneck";
import type { GitHubDelays } from "../../src/context.ts";
import type { RunContext, RunEvent } from "../../src/events.ts";
import { runnerDisk } from "../../src/runner/disk.ts";
import { readWorkflowRun } from "../../src/github/workflow-run.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What an action printed and wrote, in order. */
export interface Recorded {
  readonly lines: { readonly kind: string; readonly text: string }[];
  readonly outputs: Record<string, string>;
  readonly state: Record<string, string>;
  readonly masks: string[];
  /** Only of steps that are called without a run. */
  readonly events: RunEvent[];
  summary: string;
}

export interface RecordingContext extends RunContext {
  readonly clock: VirtualClock;
  readonly recorded: Recorded;
  /** Cancels the run as the runner does. */
  readonly cancel: (reason: Error) => void;
}

/** GitHub gets writes at once, and a second until a retry takes a millisecond. */
function shortDelays(): GitHubDelays {
  const group = new Bottleneck.Group({ maxConcurrent: 1 });
  return { write: group, notifications: group, retryAfterBaseValue: 1 };
}

/** A context that records instead of printing, on virtual time. Requests and the disk are real. */
export function recordingContext(env: Record<string, string>, clock = new VirtualClock()): RecordingContext {
  const recorded: Recorded = { lines: [], outputs: {}, state: {}, masks: [], events: [], summary: "" };
  const line = (kind: string) => (text: string) => void recorded.lines.push({ kind, text });
  const cancellation = new AbortController();
  return {
    env,
    workflow: readWorkflowRun(env),
    clock,
    recorded,
    cancel: (reason) => cancellation.abort(reason),
    cancelled: cancellation.signal,
    disk: runnerDisk,
    random: () => 0.5,
    githubDelays: shortDelays(),
    emit: async (event) => void recorded.events.push(event),
    // A run gets the redactor of its own inputs.
    redact: {
      text: (text) => text,
      lines: (lines) => ({ lines, unfinishedFrom: lines.length }),
      value: (text) => text,
      add: () => {},
      addValues: () => {},
    },
    log: {
      info: line("info"),
      notice: line("notice"),
      warning: line("warning"),
      error: line("error"),
      group: line("group"),
      endGroup: () => line("endgroup")(""),
      mask: (value) => void recorded.masks.push(value),
    },
    files: {
      setOutput: (name, value) => void Object.assign(recorded.outputs, { [name]: value }),
      saveState: (name, value) => void Object.assign(recorded.state, { [name]: value }),
      async appendSummary(markdown) {
        recorded.summary += markdown;
      },
    },
  };
}
