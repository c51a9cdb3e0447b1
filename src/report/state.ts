import type { ContractChange } from "../compare/contract-change.ts";
import type { Outcome } from "../errors.ts";
import type { FailureLog } from "../platform/logs.ts";
import type { Status } from "../platform/status.ts";
import type { Message } from "../text/message.ts";
import type { Write } from "../writes.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";

/**
 * What a run found out, as raw values. The stages add to it (`Report.set`), and log, summary, comment, record and outputs
 * show it. Times are milliseconds since the epoch. What is undefined is not known, or does not apply.
 */
export interface RunState {
  action: ActionTitles;
  startedAt: number;
  /** What the run is doing, for the heartbeat, if no status says it. */
  activity?: Message | undefined;

  /** What the user calls the deployment: its name, or its id. */
  shownName: string;
  /** The deployment's name: at first that of the input. */
  name?: string | undefined;
  deployment?: DeploymentState | undefined;
  consolePage?: ConsolePage | undefined;
  /** What is deployed: a ref, an image or a folder. */
  deploys?: Message | undefined;
  upload?: UploadState;
  /** What a dry run would send, in order. */
  requests?: readonly PlannedRequest[];

  /** The requests that change something, in the order in which they were sent, without refused ones. */
  writes: readonly SentWrite[];
  /** This run's revision, or the agent that is checked without one. */
  revision: RevisionState;
  /** How long a revision of this deployment typically takes, in milliseconds. */
  typicalMs?: number | undefined;
  failureLog?: FailureLog;
  comparison?: ComparisonState;
  /** The result of `on_cancel: interrupt`, as the part of a sentence after its subject, the revision. */
  interruption?: Message;

  /** The revision that was live before. */
  previousRevisionId?: string | undefined;
  /** The revision that is live, as last read. */
  liveRevisionId?: string | undefined;
  /** The revision to go back to. */
  rollsBackToId?: string;
  /** The revision that a rollback after a failed check makes, once that begins. */
  rollback?: RevisionState;
  /** The revision whose content is live again. */
  rolledBackTo?: string | undefined;

  /** Outputs that only this action has, by name. */
  outputs?: Readonly<Record<string, string>>;
  /** The sections of the summary, as Markdown, of an action without a deployment. Read when the run ends. */
  summarySections?: () => readonly string[];
  /** When the watch and the checks ended, which ends the run's time. */
  endedAt?: number;
  /** Undefined while the run is still going. */
  outcome?: Outcome;
}

/** How people call an action. */
export interface ActionTitles {
  /** Such as `Deploy`. */
  readonly title: string;
  /** What headings call it before the name of a deployment; by default the title. */
  readonly subject?: string;
}

/** A revision about which nothing is known. */
export const unknownRevision: RevisionState = { statuses: [], checks: [], checksNotRun: [] };

/** Returns what a run knows when it begins. */
export function initialState(action: ActionTitles, startedAt: number): RunState {
  return { action, startedAt, shownName: "", writes: [], revision: unknownRevision };
}

/** When the first request was sent that makes a revision: the run's time counts from here. Undefined before. */
export function startOfWatch({ writes }: RunState): number | undefined {
  return writes.flatMap(({ write }) => ("sentAt" in write ? [write.sentAt] : []))[0];
}

/** Returns the revision's status as last seen. */
export function lastStatus({ statuses }: RevisionState): Status | undefined {
  return statuses.at(-1)?.status;
}

/** Returns the commit of an upload's checkout, or the one that the platform built. */
export function shownCommit({ upload, revision }: RunState): string | undefined {
  return upload?.commit?.sha ?? revision.commitSha;
}

/** The deployment, as last read. */
interface DeploymentState {
  readonly id: string;
  /** The workspace that it belongs to. */
  readonly tenantId?: string | undefined;
  readonly url?: string | undefined;
  /** Whether this run created it. */
  readonly created: boolean;
}

/** The page on which people see the deployments of a workspace. */
interface ConsolePage {
  readonly url: string;
  readonly workspaceId: string;
}

/** The archive that the run sends. */
interface UploadState {
  readonly digest: string;
  /** The commit of the checkout that it comes from; undefined if unknown. */
  readonly commit: CheckedOutCommit | undefined;
}

/** The commit that is checked out. */
export interface CheckedOutCommit {
  readonly sha: string;
  /** Whether files below `source_path` differ from it. */
  readonly hasLocalChanges: boolean;
  /** False if it is a commit of another repository, such as a submodule. */
  readonly isOfThisRepository: boolean;
}

/** What is seen of a revision that is watched. */
export interface RevisionState {
  /** Undefined until it is known. */
  readonly id?: string | undefined;
  /** Undefined until the revision is known. */
  readonly phase?: RevisionPhase;
  readonly statuses: readonly SeenStatus[];
  /** The commit that the platform says it built. */
  readonly commitSha?: string | undefined;
  /** Of the agent server. */
  readonly serverVersion?: string | undefined;
  readonly checks: readonly CheckResult[];
  readonly checksNotRun: readonly CheckNotRun[];
}

/**
 * How far a revision is watched: until it is `deployed`, and then through its checks. `ended`: nothing more is done, or a
 * failure says what became of it.
 */
export type RevisionPhase = "running" | "deployed" | "ended";

/** A status and when it was first seen. */
export interface SeenStatus {
  readonly status: Status;
  readonly at: number;
}

/** The result of comparing the new revision with another deployment. */
export interface ComparisonState {
  /** The input `compare_with`. */
  readonly comparedWith: string;
  /** The changes, the breaking ones first. */
  readonly changes: readonly ContractChange[];
}

/** A write that was not refused. */
export interface SentWrite {
  readonly write: Write;
  /** Whether its response says that it took effect. */
  readonly isConfirmed: boolean;
}

/** A request that a dry run would send. */
export interface PlannedRequest {
  /** Such as `POST /v2/deployments`. */
  readonly request: string;
  /** JSON without secrets. */
  readonly body: string;
}
