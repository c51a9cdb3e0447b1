import { appendFileSync } from "node:fs";
import { isNativeError } from "node:util/types";
import * as core from "@actions/core";
import type { StepLog } from "./step-log.ts";

/** The files through which a step passes text to the runner, which reads them even if the step is cancelled. */
export interface CommandFiles {
  setOutput(name: string, value: string): void;
  saveState(name: string, value: string): void;
  appendSummary(markdown: string): void;
}

/**
 * Returns the files of the step. If one can't be written, such as on a full disk, that is only a warning: the deployment
 * continues and must be reported. Outside of a workflow there are no files, so nothing is written.
 */
export function runnerFiles(log: Pick<StepLog, "warning">): CommandFiles {
  const warned = new Set<string>();
  const attempt = (file: string, write: (path: string) => void) => {
    const path = process.env[file];
    // Without a file, the toolkit would print outputs and state as commands, which the runner no longer knows.
    if (!path) return;
    try {
      write(path);
    } catch (error) {
      // The message of the error may quote the text.
      const reason = isNativeError(error) && "code" in error ? ` (${error.code})` : "";
      if (!warned.has(file)) {
        log.warning(
          `Could not write ${file}${reason}. What this step writes there is missing. Check that the runner has room on its disk.`,
        );
      }
      warned.add(file);
    }
  };
  return {
    setOutput: (name, value) => attempt("GITHUB_OUTPUT", () => core.setOutput(name, value)),
    saveState: (name, value) => attempt("GITHUB_STATE", () => core.saveState(name, value)),
    appendSummary: (markdown) => attempt("GITHUB_STEP_SUMMARY", (path) => appendFileSync(path, markdown)),
  };
}
