import type { ContractChange } from "../compare/contract-change.ts";
import type { Outcome } from "../errors.ts";
import type { FailureLog } from "../platform/log-lines.ts";
import type { Status } from "../platform/status.ts";
import type { Message } from "../text/message.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";

/**
 * What a run found out, as raw values. The stages assign to it (`Report.set`), and log, summary, comment, record and outputs
 * show it. Times are milliseconds since the epoch.
 */
export interface RunState {
  /** The action as people call it, such as `Deploy`. */
  action: string;
  startedAt: number;
  /** What the user calls the deployment: its name, or its id. */
  title: string;
  name?: string | undefined;
  /** What is deployed: a ref, an image or a folder. */
  source?: Message | undefined;
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
  /** Whether anything was sent that changes something. */
  hasSent: boolean;
  /** When the create or update was sent: the run's time counts from here. */
  sentAt?: number | undefined;
  /** The revision that this run made, once that is known. */
  revisionId?: string | undefined;
  /** How long such a revision typically takes to be deployed, in milliseconds. */
  typicalMs?: number | undefined;
  statuses: readonly SeenStatus[];
  /** The commit that the platform says it built. */
  commitSha?: string | undefined;
  previousRevisionId?: string | undefined;
  /** The revision that is live, as last read; undefined if that isn't known. */
  liveRevisionId?: string | undefined;
  failureLog?: FailureLog;

  checks: readonly CheckResult[];
  checksNotRun: readonly CheckNotRun[];
  comparison?: ComparisonState;
  serverVersion?: string | undefined;

  /** The revision to go back to, of the rollback action. */
  rollbackTarget?: string;
  /** The rollback after a failed check, once it begins. */
  rollback?: RollbackState;
  /** The revision whose content is live again. */
  rolledBackTo?: string | undefined;

  /** Outputs that the action alone has, by name. */
  outputs?: Readonly<Record<string, string>>;

  /** What the run is doing, for the heartbeat, if no status says it. */
  activity?: Message | undefined;
  /** What the run leaves behind on the platform if it is stopped now, as sentences. */
  left?: Message | undefined;
  /** When the watching and the checks ended: what follows is not part of the run's time. */
  endedAt?: number;
  /** Undefined as long as the run goes on. */
  outcome?: Outcome;
}

/** What a run knows when it begins. */
export function initialState(action: string, startedAt: number): RunState {
  return {
    action,
    startedAt,
    title: "",
    created: false,
    hasSent: false,
    statuses: [],
    checks: [],
    checksNotRun: [],
  };
}

/** The revision's status as last seen. */
export function lastStatus({ statuses }: Pick<RunState, "statuses">): Status | undefined {
  return statuses.at(-1)?.status;
}

/** What came of comparing the new revision with another deployment. */
export interface ComparisonState {
  /** The input `compare_with`. */
  readonly target: string;
  /** Where the agent to compare with is served. */
  readonly url: string | undefined;
  /** The breaking ones first. */
  readonly changes: readonly ContractChange[];
}

/** What is seen of the revision that deploys an earlier one again. */
export interface RollbackState {
  readonly revisionId?: string;
  readonly statuses: readonly SeenStatus[];
  readonly checks: readonly CheckResult[];
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
