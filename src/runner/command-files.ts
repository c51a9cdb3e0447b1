import { saveState, setOutput, summary } from "@actions/core";
import type { Log } from "./log.ts";

/** The files through which a step tells the runner things; they are read even after a cancel (field guide, 1). */
export interface CommandFiles {
  setOutput(name: string, value: string): void;
  /** Kept for the `post:` step, which finds it as `STATE_<name>`. */
  saveState(name: string, value: string): void;
  /** Appends to the job summary. */
  appendSummary(markdown: string): Promise<void>;
}

const lost = {
  GITHUB_OUTPUT: "this step has no outputs, or not all of them",
  GITHUB_STATE: "the end of the job can't tell of this step if it is killed",
  GITHUB_STEP_SUMMARY: "there is no job summary",
};

/**
 * The files of a real run. Outside a workflow there is no summary file, and nothing is written. One that can't be
 * written, such as on a full disk, is a warning, once: what is under way on the platform has to be told all the same.
 */
export function runnerFiles(log: Pick<Log, "warning">): CommandFiles {
  const told = new Set<string>();
  const warn = (variable: keyof typeof lost, error: unknown) => {
    if (told.has(variable)) return;
    told.add(variable);
    log.warning(`${variable} can't be written${codeOf(error)}: ${lost[variable]}.`);
  };
  const tolerate = (variable: keyof typeof lost, write: () => void) => {
    try {
      write();
    } catch (error) {
      warn(variable, error);
    }
  };
  return {
    setOutput: (name, value) => tolerate("GITHUB_OUTPUT", () => setOutput(name, value)),
    saveState: (name, value) => tolerate("GITHUB_STATE", () => saveState(name, value)),
    async appendSummary(markdown) {
      if (!process.env.GITHUB_STEP_SUMMARY) return;
      try {
        await summary.addRaw(markdown).write();
      } catch (error) {
        warn("GITHUB_STEP_SUMMARY", error);
      }
    },
  };
}

/** Such as ENOSPC; an error's message may quote what was to be written. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? ` (${error.code})` : "";
}
