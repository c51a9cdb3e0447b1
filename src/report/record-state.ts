import type { RecordState } from "../github/record-requests.ts";
import type { Outcome } from "../progress/ending.ts";

/** The state of GitHub's record for each outcome; undefined where there is none to write (contract, 3.3). */
export const recordStates: Readonly<Record<Outcome, RecordState | undefined>> = {
  deployed: "success",
  started: "queued",
  planned: undefined,
  failed: "failure",
  superseded: "inactive",
  interrupted: "failure",
  timed_out: "error",
  cancelled: "error",
  deleted: "inactive",
  skipped: undefined,
  done: undefined,
};
