import { appendFileSync } from "node:fs";
import { isNativeError } from "node:util/types";
import { issueFileCommand, prepareKeyValueMessage } from "@actions/core/lib/file-command.js";
import type { Log } from "./log.ts";

/** The files through which a step passes text to the runner, which reads them even if the step is cancelled. */
export interface CommandFiles {
  setOutput(name: string, value: string): void;
  /** Saves a value for the post step. */
  saveState(name: string, value: string): void;
  /** Appends to the job summary. */
  appendSummary(markdown: string): void;
}

const consequences = {
  GITHUB_OUTPUT: "some or all outputs of this step are missing",
  GITHUB_STATE: "if this step is killed, the end of the job cannot report it",
  GITHUB_STEP_SUMMARY: "the job summary is missing",
};
type Variable = keyof typeof consequences;

/**
 * The files of the step. If one can't be written, such as on a full disk, that is one warning: the deployment
 * continues and must be reported. Without a summary file (outside of a workflow), no summary is written.
 */
export function runnerFiles(log: Pick<Log, "warning">): CommandFiles {
  const warned = new Set<Variable>();
  const attempt = (variable: Variable, write: () => void) => {
    try {
      write();
    } catch (error) {
      if (!warned.has(variable)) {
        log.warning(`Could not write ${variable}${codeOf(error)}: ${consequences[variable]}.`);
      }
      warned.add(variable);
    }
  };
  return {
    setOutput: (name, value) => attempt("GITHUB_OUTPUT", () => append("OUTPUT", name, value)),
    saveState: (name, value) => attempt("GITHUB_STATE", () => append("STATE", name, value)),
    appendSummary(markdown) {
      const path = process.env.GITHUB_STEP_SUMMARY;
      if (path) attempt("GITHUB_STEP_SUMMARY", () => appendFileSync(path, markdown));
    },
  };
}

/** Outside of a workflow there is no file to append to. */
function append(command: "OUTPUT" | "STATE", name: string, value: string): void {
  if (!process.env[`GITHUB_${command}`]) return;
  issueFileCommand(command, prepareKeyValueMessage(name, value));
}

/** Such as ` (ENOSPC)`. The message of the error may quote what was to be written. */
function codeOf(error: unknown): string {
  return isNativeError(error) && "code" in error ? ` (${error.code})` : "";
}
