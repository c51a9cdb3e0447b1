import type { LogType } from "../platform/revision-log.ts";

/** A status and when it was first seen, in milliseconds since the epoch. */
export interface SeenStatus {
  readonly status: string;
  readonly at: number;
}

/** The end of the log of a build or deploy that failed. */
export interface FailureLog {
  readonly type: LogType;
  /** Freed of secrets, inert and cut; the oldest first. */
  readonly lines: readonly string[];
}

/** What is known of this run's deployment; grows as it goes. */
export interface Facts {
  readonly startedAt: number;
  /** What the user calls the deployment: its name, or its id where none is known. */
  readonly title: string;
  readonly deploymentId: string | undefined;
  readonly name: string | undefined;
  readonly created: boolean;
  readonly url: string | undefined;
  readonly revisionId: string | undefined;
  /** Whether an earlier attempt or step of this run started that revision, so that nothing was sent for it. */
  readonly resumed: boolean;
  /** The commit that the platform says it built. */
  readonly commitSha: string | undefined;
  /** What is deployed: a ref or an image. */
  readonly source: string | undefined;
  /** When the create or update was sent; milliseconds since the epoch. */
  readonly writtenAt: number | undefined;
  readonly statuses: readonly SeenStatus[];
  /** Why the revision's status is what it is, where the platform says so. */
  readonly statusMessage: string | undefined;
  /** How long a revision of this deployment usually takes until it is `DEPLOYED`, where that is known; milliseconds. */
  readonly typicalMs: number | undefined;
  /** What the platform logged last of a build or deploy that failed. */
  readonly failureLog: FailureLog | undefined;
  /** What goes on, such as "still rolling back", for the signs of life where a status doesn't tell it. */
  readonly stage: string | undefined;
  /** Whether it is still open if the deployment is well (`health_check_path`). */
  readonly healthIsOpen: boolean;
  /** The earlier revision that was deployed again after this run's had ended badly. */
  readonly rolledBackTo: string | undefined;
  /** What a dry run would send, as JSON without secrets. */
  readonly request: string | undefined;
  /** What a run that is cancelled now may leave behind, as a sentence, where that isn't a revision. */
  readonly unsettled: string | undefined;
  /** The deployments that this run deleted, by what the user calls them. */
  readonly deleted: readonly string[];
}

/** What is known when a run begins. `startedAt`: milliseconds since the epoch. */
export function noFacts(startedAt: number): Facts {
  return {
    startedAt,
    title: "",
    deploymentId: undefined,
    name: undefined,
    created: false,
    url: undefined,
    revisionId: undefined,
    resumed: false,
    commitSha: undefined,
    source: undefined,
    writtenAt: undefined,
    statuses: [],
    statusMessage: undefined,
    typicalMs: undefined,
    failureLog: undefined,
    stage: undefined,
    healthIsOpen: false,
    rolledBackTo: undefined,
    request: undefined,
    unsettled: undefined,
    deleted: [],
  };
}
