import { statSync } from "node:fs";

/** What an action asks the runner's disk before it does anything. */
export interface Disk {
  workingDirectory(): string;
  /** Whether a file can be created under this name or replaced: a directory or a device would be in the way. */
  isFileOrMissing(path: string): boolean;
}

export const runnerDisk: Disk = {
  workingDirectory: () => process.cwd(),
  isFileOrMissing(path) {
    try {
      return statSync(path).isFile();
    } catch {
      // Usually it does not exist. Any other obstacle becomes an error when the file is written.
      return true;
    }
  },
};
