import type { Ending } from "../errors.ts";
import type { RunFacts } from "./facts.ts";

/** Shows people a part of what a run found out: one for each place. The run does not wait: what takes time is queued. */
export interface Writer {
  /** This run's revision is known. */
  onRevision?(facts: RunFacts): void;
  /** The revision is in a status that it was not in before. */
  onStatus?(facts: RunFacts): void;
  /** The revision was read, whatever its status. */
  onPoll?(facts: RunFacts): void;
  onChecksEnded?(facts: RunFacts): void;
  /** Any fact has changed. If that was one of the above, all writers were told it first. */
  onChange?(facts: RunFacts): void;
  /** The run has ended. Keeps what a killed step needs before it waits for anything. */
  onEnd?(facts: RunFacts, result: Ending): Promise<void> | void;
}

/** What some writers are told apart from other changes. */
export type Moment = "onRevision" | "onStatus" | "onPoll" | "onChecksEnded";
