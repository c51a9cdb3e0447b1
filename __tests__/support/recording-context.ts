import type { Context } from "../../src/context.ts";
import { runnerDisk } from "../../src/runner/disk.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** What an action printed and wrote, in order. */
export interface Recorded {
  readonly lines: { readonly kind: string; readonly text: string }[];
  readonly outputs: Record<string, string>;
  readonly state: Record<string, string>;
  readonly masks: string[];
  summary: string;
}

export interface RecordingContext extends Context {
  readonly clock: VirtualClock;
  readonly recorded: Recorded;
  /** Cancels the run as the runner does. */
  readonly cancel: (reason: Error) => void;
}

/** Context that record instead of printing, with time that passes at once. Requests and the disk stay real ones. */
export function recordingContext(env: Record<string, string>, clock = new VirtualClock()): RecordingContext {
  const recorded: Recorded = { lines: [], outputs: {}, state: {}, masks: [], summary: "" };
  const line = (kind: string) => (text: string) => void recorded.lines.push({ kind, text });
  const cancellation = new AbortController();
  return {
    env,
    clock,
    recorded,
    cancel: (reason) => cancellation.abort(reason),
    cancelled: cancellation.signal,
    disk: runnerDisk,
    random: () => 0.5,
    // What runs through run() gets the redactor of its own inputs.
    redact: { words: (text) => text, value: (text) => text },
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
