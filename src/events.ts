import type { Context } from "./context.ts";
import type { LogType } from "./platform/revision-log.ts";
import type { Status } from "./platform/status.ts";

/** What happens in a run, for those who report it. No step reads it back. Times are milliseconds since the epoch. */
export type RunEvent =
  | ({ kind: "planned" } & PlannedSubject)
  /** `request`: what a dry run would send, as JSON without secrets. */
  | { kind: "request_prepared"; request: string }
  /** The folder to upload was packed. `commit`: what is checked out there; undefined if unknown. */
  | { kind: "source_packed"; digest: string; commit: CheckedOutCommit | undefined }
  | { kind: "deployment_identified"; deploymentId: string }
  /** `created`: whether this run created it, once that is known. */
  | { kind: "deployment_seen"; deployment: SeenDeployment; created?: boolean }
  /** The revision that was live before this run's; undefined if there was none or the platform does not show it. */
  | { kind: "previous_revision_seen"; revisionId: string | undefined }
  /** A create or update is sent now: the run's time counts from here. */
  | { kind: "write_sent"; at: number }
  /** It surely had no effect. */
  | { kind: "write_rejected" }
  /** The response to the write named a revision, or (undefined) that turned out not to be this run's. */
  | { kind: "revision_named"; revisionId: string | undefined }
  | { kind: "revision_identified"; revisionId: string; typicalMs: number | undefined; isResumed: boolean }
  | { kind: "revision_read"; commitSha: string | undefined; statusMessage: string | undefined }
  | { kind: "status_changed"; status: Status; at: number }
  | { kind: "failure_log_read"; failureLog: FailureLog }
  /** A check of the deployed agent begins, or (undefined) all are over. `label`: such as `health check`. */
  | { kind: "check_changed"; label: string | undefined }
  | { kind: "check_ended"; result: CheckResult }
  /** The rollback action will deploy this revision again. */
  | { kind: "rollback_planned"; revisionId: string }
  | { kind: "rolled_back"; revisionId: string }
  /** The revision is no longer watched or checked: the run's time counts until here. */
  | { kind: "watching_ended"; at: number }
  | { kind: "deployment_deleted"; title: string }
  /** What the run is doing, for the heartbeat, if no status says it. */
  | { kind: "stage_changed"; stage: string | undefined }
  /** What a run that is cancelled now may leave behind, as a sentence, if that is not its own revision. */
  | { kind: "leftover_changed"; leftover: string | undefined }
  /** The run was cancelled before the id of the revision to interrupt was known. */
  | { kind: "interrupt_skipped" };

export interface PlannedSubject {
  /** What the user calls the deployment. */
  readonly title: string;
  readonly name?: string | undefined;
  /** The ref or image to deploy. */
  readonly source?: string | undefined;
  /** Undefined if the platform's pages for people are not known. */
  readonly site?: PlatformSite | undefined;
}

/** The pages on which people see their deployments. */
export interface PlatformSite {
  readonly url: string;
  readonly workspaceId: string;
}

/** The commit that is checked out. */
export interface CheckedOutCommit {
  readonly sha: string;
  /** Whether files below `source_path` differ from it. */
  readonly hasLocalChanges: boolean;
  /** False if it is a commit of another repository, such as a submodule. */
  readonly isOfThisRepository: boolean;
}

export interface SeenDeployment {
  readonly id: string;
  readonly tenantId?: string | undefined;
  readonly name: string | undefined;
  readonly url: string | undefined;
}

/** The end of the log of a failed build or deploy, oldest line first; redacted, sanitized and cut. */
export interface FailureLog {
  readonly type: LogType;
  readonly lines: readonly string[];
}

/** What a check of the deployed agent found out. Texts are redacted, sanitized and cut. */
export interface CheckResult {
  readonly kind: "health check" | "serving check" | "smoke test";
  /** Of a smoke test its own name, otherwise the path that was requested. */
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** A sentence. */
  readonly message: string;
  /** What to do next, after a failure. */
  readonly hint?: string;
  /** Of a failed check. */
  readonly evidence?: Evidence;
  /** Whether a newer revision responded in place of this run's. */
  readonly isSuperseded?: boolean;
}

/** What a failed check sent, expected and received. */
export interface Evidence {
  /** Such as `GET /ok`. */
  readonly request: string;
  readonly expected: readonly string[];
  readonly received: readonly string[];
}

export type Emit = (event: RunEvent) => Promise<void>;

/** The context of a step that reports what it does. */
export interface RunContext extends Context {
  readonly emit: Emit;
}
