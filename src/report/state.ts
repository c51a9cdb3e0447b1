import type { ContractChange } from "../compare/contract-change.ts";
import type { Outcome } from "../errors.ts";
import type { FailureLog } from "../platform/logs.ts";
import type { Status } from "../platform/status.ts";
import type { Message } from "../text/message.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";

/**
 * What a run found out, as raw values. The stages add to it (`Report.set`), and log, summary, comment, record and outputs
 * show it. Times are milliseconds since the epoch.
 */
export interface RunState extends RevisionState {
  /** The action as people call it, such as `Deploy`. */
  action: string;
  startedAt: number;
  /** What the user calls the deployment: its name, or its id. */
  shownName: string;
  name?: string | undefined;
  /** What is deployed: a ref, an image or a folder. */
  deploys?: Message | undefined;
  /** The platform's console, on which people see their deployments. */
  consoleUrl?: string | undefined;
  /** What a dry run would send, in order. */
  requests?: readonly PlannedRequest[];
  sourceDigest?: string;
  /** The commit of the checkout that an upload comes from; undefined if unknown. */
  sourceCommit?: CheckedOutCommit | undefined;

  deploymentId?: string | undefined;
  /** The workspace that the platform says the deployment belongs to; at first that of the input. */
  tenantId?: string | undefined;
  created: boolean;
  url?: string | undefined;
  /** The requests that change something, in the order in which they were sent, without refused ones. */
  writes: readonly SentWrite[];
  /** How long a revision of this deployment typically takes, in milliseconds. */
  typicalMs?: number | undefined;
  previousRevisionId?: string | undefined;
  /** The revision that is live, as last read; undefined if that isn't known. */
  liveRevisionId?: string | undefined;
  failureLog?: FailureLog;
  /** The result of `on_cancel: interrupt`, as the part of a sentence after its subject, the revision. */
  interruption?: Message;

  checksNotRun: readonly CheckNotRun[];
  comparison?: ComparisonState;

  /** The revision to go back to, of the rollback action. */
  rollbackTarget?: string;
  /** The rollback after a failed check, once it begins: `targetId` is the revision that it deploys again. */
  rollback?: RevisionState & { readonly targetId: string };
  /** The revision whose content is live again. */
  rolledBackTo?: string | undefined;

  /** Outputs that only this action has, by name. */
  outputs?: Readonly<Record<string, string>>;
  /** The sections of the summary, as Markdown, of an action without a deployment. Read when the run ends. */
  ownSections?: () => readonly string[];

  /** What the run is doing, for the heartbeat, if no status says it. */
  activity?: Message | undefined;
  /** When the watch and the checks ended, which ends the run's time. */
  endedAt?: number;
  /** Undefined while the run is still going. */
  outcome?: Outcome;
}

/** What a run knows when it begins. */
export function initialState(action: string, startedAt: number): RunState {
  return {
    action,
    startedAt,
    shownName: "",
    created: false,
    writes: [],
    statuses: [],
    checks: [],
    checksNotRun: [],
  };
}

/** When the first request was sent that makes a revision: the run's time counts from here. Undefined before. */
export function startOfWatch({ writes }: RunState): number | undefined {
  return writes.flatMap(({ write }) => ("sentAt" in write ? [write.sentAt] : []))[0];
}

/** The revision's status as last seen. */
export function lastStatus({ statuses }: Pick<RevisionState, "statuses">): Status | undefined {
  return statuses.at(-1)?.status;
}

/** The commit of an upload's checkout, or the one that the platform built. */
export function shownCommit({ sourceCommit, commitSha }: RunState): string | undefined {
  return sourceCommit?.sha ?? commitSha;
}

/** The result of comparing the new revision with another deployment. */
export interface ComparisonState {
  /** The input `compare_with`. */
  readonly target: string;
  /** Where the agent to compare with is served. */
  readonly url: string | undefined;
  /** The changes, the breaking ones first. */
  readonly changes: readonly ContractChange[];
}

/** What is seen of a revision that is watched: this run's, or that of its rollback. */
export interface RevisionState {
  /** Undefined until it is known. */
  revisionId?: string | undefined;
  /** Undefined until the revision is known. */
  phase?: RevisionPhase | undefined;
  statuses: readonly SeenStatus[];
  /** The commit that the platform says it built. */
  commitSha?: string | undefined;
  /** Of the agent server. */
  serverVersion?: string | undefined;
  checks: readonly CheckResult[];
}

/**
 * How far a revision is watched: until it is `deployed`, through its checks, until it is confirmed that it is still live.
 * `ended`: nothing more is done, or a failure says what became of it.
 */
export type RevisionPhase = "running" | "deployed" | "confirming" | "ended";

/** A request that changes something. With `sentAt`, it makes a revision. */
export type WriteRecord =
  | { readonly kind: "create"; readonly name: string; readonly sentAt: number }
  | { readonly kind: "revision" | "rollback"; readonly sentAt: number }
  | { readonly kind: "create_empty"; readonly name: string }
  | { readonly kind: "source_config"; readonly names: readonly string[] }
  | { readonly kind: "deletion"; readonly title: string }
  | { readonly kind: "provider"; readonly providerId: string };

export interface SentWrite {
  readonly write: WriteRecord;
  /** Whether its response says that it took effect. */
  readonly isConfirmed: boolean;
}

/** A status and when it was first seen. */
export interface SeenStatus {
  readonly status: Status;
  readonly at: number;
}

/** The commit that is checked out. */
export interface CheckedOutCommit {
  readonly sha: string;
  /** Whether files below `source_path` differ from it. */
  readonly hasLocalChanges: boolean;
  /** False if it is a commit of another repository, such as a submodule. */
  readonly isOfThisRepository: boolean;
}

/** A request that a dry run would send. */
export interface PlannedRequest {
  /** Such as `POST /v2/deployments`. */
  readonly request: string;
  /** JSON without secrets. */
  readonly body: string;
}
