import { writeFileSync } from "node:fs";
import { formatTestResults } from "@jest/test-result";

/** Writes what `jest --json` would to the file that JEST_REPORT names, and unlike `--outputFile` prints nothing. */
export default class ReportFile {
  onRunComplete(_contexts, results) {
    writeFileSync(process.env.JEST_REPORT, JSON.stringify(formatTestResults(results)));
  }
}
