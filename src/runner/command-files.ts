import { saveState, setOutput, summary } from "@actions/core";

/** The files through which a step tells the runner things; they are read even after a cancel (field guide, 1). */
export interface CommandFiles {
  setOutput(name: string, value: string): void;
  /** Kept for the `post:` step, which finds it as `STATE_<name>`. */
  saveState(name: string, value: string): void;
  /** Appends to the job summary. */
  appendSummary(markdown: string): Promise<void>;
}

/** The files of a real run. Outside a workflow there is no summary file, and nothing is written. */
export const runnerFiles: CommandFiles = {
  setOutput: (name, value) => setOutput(name, value),
  saveState: (name, value) => saveState(name, value),
  async appendSummary(markdown) {
    if (process.env.GITHUB_STEP_SUMMARY) await summary.addRaw(markdown).write();
  },
};
