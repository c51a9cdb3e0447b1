import { existsSync, readFileSync, statSync } from "node:fs";

/** What an action looks up on the runner's disk before it does anything. */
export interface Disk {
  /** The folder in which the step runs. */
  workingFolder(): string;
  /** The text of a file, undefined where there is none of that name. */
  readText(path: string): string | undefined;
  /** Whether a file may appear under this name: a folder or a device would be replaced, or stand in the way. */
  isFreeForFile(path: string): boolean;
}

/** The disk of a real run. */
export const runnerDisk: Disk = {
  workingFolder: () => process.cwd(),
  readText: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
  isFreeForFile(path) {
    try {
      return statSync(path).isFile();
    } catch {
      // Most often there is nothing yet; what else stands in the way is told when the file is written.
      return true;
    }
  },
};
