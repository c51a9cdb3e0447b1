import type { CheckNotRun, CheckResult } from "../checks/check.ts";
import type { Status } from "../platform/status.ts";
import type { ComparisonResult } from "../results/comparison.ts";
import type { DryRunRequest, LiveSince } from "../results/deploy.ts";
import type { FailureLog, InterruptResult } from "../results/watch.ts";
import type { Message } from "../text/message.ts";

/** What steps find out and the report only keeps (`Report.setFacts`), as raw values. Times are milliseconds since the epoch. */
export interface KeptFacts {
  /** What the user calls the deployment: its name, or its id. */
  readonly title: string;
  readonly name?: string | undefined;
  /** What is deployed: a ref, an image or a folder. */
  readonly source?: Message | undefined;
  readonly consoleLinks?: ConsoleLinks | undefined;
  /** What a dry run would send, in order. */
  readonly requests?: readonly DryRunRequest[];
  /** The digest of the archive that is uploaded. */
  readonly sourceDigest?: string;
  /** The commit of the checkout that an upload comes from; undefined if unknown. */
  readonly sourceCommit?: CheckedOutCommit | undefined;
  /** Why GitHub has no record of the run's revision, by which a re-run of the job would find it; undefined if it has one. */
  readonly notRecorded?: NotRecorded | undefined;
  /** The record on GitHub of an earlier attempt or step of this run, which made the revision. */
  readonly continuedRecordId?: number;
  /** The revision that was live before this run's; undefined if there was none or the platform does not show it. */
  readonly previousRevisionId?: string | undefined;
  /** Why a preview is deleted, as a part of a sentence. */
  readonly deletionReason?: Message;
  /** The revision that the rollback action is to make live again. */
  readonly rollbackTarget?: string;
  readonly rolledBackTo?: string | undefined;
  /** The statuses of the revision that rolls back this run's; undefined without one. */
  readonly rollbackStatuses?: readonly SeenStatus[];
  /** What the run is doing, for the heartbeat, if no status says it. */
  readonly activity?: Message | undefined;
  /** When the watching and the checks ended: what follows is not part of the run's time. */
  readonly endedAt?: number;
  /** What a run that is cancelled now may leave behind, if that is not its own revision (`Report.whileUnfinished`). */
  readonly unfinishedWork?: UnfinishedWork | undefined;
  /** Whether the run was cancelled before the id of the revision to interrupt was known. */
  readonly interruptSkipped: boolean;
}

/** Why a run has no record on GitHub. `failed`: GitHub did not make it, which is a warning. */
export type NotRecorded = "no_environment" | "no_token" | "failed";

/** The actions as people call them; empty before it is known which one runs. */
export type ActionTitle =
  | "Deploy"
  | "Preview"
  | "Sweep"
  | "Delete"
  | "Rollback"
  | "Usage"
  | "OAuth provider"
  | "";

/** All that a run found out, as its writers read it. */
export interface RunFacts extends KeptFacts {
  readonly startedAt: number;
  /** The action as people call it, such as `Deploy`. */
  readonly action: ActionTitle;
  readonly deploymentId?: string | undefined;
  /** The workspace that the platform says the deployment belongs to. */
  readonly tenantId?: string | undefined;
  readonly created: boolean;
  readonly url?: string | undefined;
  /** The version of the agent server with this run's revision. */
  readonly serverVersion?: string;
  /** The revision that this run made, once that is shown. */
  readonly revisionId?: string | undefined;
  /** When the create or update was sent: the run's time counts from here. */
  readonly requestedAt?: number | undefined;
  /** The revision that the platform last showed as live; undefined if it showed none. */
  readonly liveRevisionId?: string | undefined;
  /** Whether another revision may be live by now: this run sent something, or polled, since `liveRevisionId` was read. */
  readonly mayHaveSwitched: boolean;
  /** Set if `only_if_changed` found nothing to deploy: `revisionId` is then the revision that was live before. */
  readonly unchangedSince?: LiveSince;
  /** Whether an earlier attempt or step of this run started the revision. */
  readonly isResumed: boolean;
  /** How long such a revision typically takes to be deployed, in milliseconds. */
  readonly typicalMs?: number | undefined;
  readonly statuses: readonly SeenStatus[];
  /** The platform's reason for the status. */
  readonly statusMessage?: string | undefined;
  /** The commit that the platform says it built. */
  readonly commitSha?: string | undefined;
  readonly failureLog?: FailureLog;
  /** The checks that have ended, in order. */
  readonly checks: readonly CheckResult[];
  readonly checksNotRun: readonly CheckNotRun[];
  readonly comparison?: ComparisonFacts;
  /** The settings that this run changed before it made a revision. */
  readonly settingsChanged?: ChangedSettings;
  /** The deployments that this run deleted, by title. */
  readonly deleted: readonly string[];
}

/** What a run knows when it begins. */
export const initialFacts = {
  title: "",
  created: false,
  mayHaveSwitched: false,
  isResumed: false,
  notRecorded: "no_environment",
  interruptSkipped: false,
  statuses: [],
  checks: [],
  checksNotRun: [],
  deleted: [],
} satisfies Partial<RunFacts>;

/** The revision's status as last seen. */
export function lastStatus({ statuses }: Pick<RunFacts, "statuses">): Status | undefined {
  return statuses.at(-1)?.status;
}

/** Whether this run's revision was seen in a status that is no longer pending. */
export function hasEnded(facts: Pick<RunFacts, "statuses">): boolean {
  const status = lastStatus(facts);
  return status !== undefined && status.kind !== "pending";
}

/** The revision that is live; undefined if the platform shows none, or another one may be live by now. */
export function liveNow(facts: Pick<RunFacts, "liveRevisionId" | "mayHaveSwitched">): string | undefined {
  return facts.mayHaveSwitched ? undefined : facts.liveRevisionId;
}

/** What a run that is cancelled may leave behind besides its own revision. */
export type UnfinishedWork =
  /** The deployment may have been deleted. */
  | { readonly kind: "deletion"; readonly title: string }
  /** The settings may have been changed. */
  | ({ readonly kind: "settings" } & ChangedSettings)
  /** The run created the deployment, and has not sent what it deploys. */
  | { readonly kind: "no_revision"; readonly deploymentId: string }
  /** The response to a request named this revision, which is not yet shown to be this run's. */
  | { readonly kind: "named_revision"; readonly deploymentId: string; readonly revisionId: string }
  /** `revisionId`: undefined as long as it is unknown. */
  | {
      readonly kind: "rollback";
      readonly deploymentId: string;
      readonly earlierId: string;
      readonly revisionId?: string;
    }
  /** The revision was to be interrupted after the cancellation. */
  | {
      readonly kind: "interrupt";
      readonly result: InterruptResult;
      readonly deploymentId: string;
      readonly revisionId: string;
    }
  | { readonly kind: "oauth_provider"; readonly providerId: string }
  /** The files of a usage report, by their inputs. */
  | {
      readonly kind: "files";
      readonly files: readonly { readonly input: string; readonly isWritten: boolean }[];
    };

/** Settings of a deployment that make no revision. */
export interface ChangedSettings {
  readonly deploymentId: string;
  readonly names: readonly string[];
}

/** What came of comparing the new revision with another deployment. */
export interface ComparisonFacts {
  /** The input `compare_with`. */
  readonly target: string;
  /** Whether what speaks against the new revision fails the run, and is no warning. */
  readonly isGate: boolean;
  /** Where the agent to compare with is served. */
  readonly url: string | undefined;
  readonly result: ComparisonResult;
}

/** A status and when it was first seen. */
export interface SeenStatus {
  readonly status: Status;
  readonly at: number;
}

/** The pages of the platform's console, on which people see their deployments. */
export interface ConsoleLinks {
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
