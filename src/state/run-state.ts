import type { EpochMs } from "../clock.ts";
import type { Ending } from "../errors.ts";
import type { DeploymentId, RevisionId } from "../platform/ids.ts";
import type { LogType } from "../platform/revision-log.ts";
import type { Status } from "../platform/status.ts";
import type { Message, Phrase } from "../text/message.ts";
import type { CheckResult } from "./check-result.ts";
import type { SentWrite } from "./write.ts";

/**
 * The facts of a run. The stages add to them (`Report.set`), and log, summary, comment, record and outputs show them. An
 * undefined field is not known, or does not apply.
 */
export interface RunState {
  readonly action: ActionLabels;
  readonly startedAt: EpochMs;
  /** When the run ended or, of a preview, when its deploy ended. */
  readonly endedAt?: EpochMs;
  /** Undefined until the run has ended. */
  readonly ending?: Ending;
  /** The writes that were sent and had, or may have had, an effect, in order. */
  readonly writes: readonly SentWrite[];
  /** The start of the wait for this run's revision; undefined until it is known, and if the run has none of its own. */
  readonly waitStartedAt?: EpochMs;
  /** The result of `on_cancel: interrupt`. */
  readonly interruption?: Message;

  /** The deployment's name, ID or URL, whichever the inputs give. */
  readonly shownName: string;
  /** The deployment's name: until the deployment is found, that of the input. */
  readonly name?: string | undefined;
  /** `created`: whether this run created it. */
  readonly deployment?: {
    readonly id: DeploymentId;
    readonly url?: string | undefined;
    readonly created: boolean;
  };
  /** The URL of the page on which people see the workspace's deployments. */
  readonly consolePage?: string | undefined;

  /** The ref, the image or the folder that is deployed. */
  readonly contentLabel?: Phrase | undefined;
  /** `commit`: that of the checkout; undefined if unknown. */
  readonly archive?: { readonly digest: string; readonly commit: CheckedOutCommit | undefined };

  /** This run's revision, or the agent that is checked without one. */
  readonly revision: RevisionState;
  /** Whether GitHub has a record of the revision. */
  readonly isRecorded?: boolean;
  readonly failureLog?: FailureLog;
  readonly previousRevisionId?: RevisionId | undefined;
  /** The revision that is live, as last read. */
  readonly liveRevisionId?: RevisionId | undefined;
  /** Undefined until a rollback begins. */
  readonly rollback?: RollbackState;
  /** The revision that `rollback_on_failure` makes, once it begins. That of the rollback action is this run's. */
  readonly rollbackRevision?: RevisionState;

  /** The requests that a dry run would send, in order. */
  readonly requests?: readonly ShownRequest[];
  /** The Markdown sections in the summary of an action without a deployment. */
  readonly summarySections?: readonly string[];
}

/** The action in words for people. */
export interface ActionLabels {
  /** Such as `Deploy`. */
  readonly title: string;
  /** Stands before the deployment's name in headings; by default the title. */
  readonly subject?: string;
}

export interface RevisionState {
  /** Stands before what is shown of it; undefined for this run's. */
  readonly label?: Phrase;
  /** Undefined until it is known. */
  readonly id?: RevisionId | undefined;
  readonly statuses: readonly { readonly status: Status; readonly at: EpochMs }[];
  /** The commit that the platform says it built. */
  readonly commitSha?: string | undefined;
  readonly serverVersion?: string | undefined;
  readonly checks: readonly CheckResult[];
}

interface RollbackState {
  readonly targetId: RevisionId;
  /** Whether the content of the target is live again. */
  readonly isLive: boolean;
}

export interface FailureLog {
  readonly type: LogType;
  /** The oldest first. */
  readonly lines: readonly string[];
}

export interface CheckedOutCommit {
  readonly sha: string;
  /** Whether files below `source_path` differ from it. */
  readonly hasLocalChanges: boolean;
  /** False if it is a commit of another repository, such as a submodule. */
  readonly isOfThisRepository: boolean;
}

export interface ShownRequest {
  /** Such as `POST /v2/deployments`. */
  readonly request: string;
  /** JSON without secrets. */
  readonly body: string;
}

/** Returns the revision that is watched and checked: that of a rollback after a failed check, once one has begun. */
export function newestRevision({ revision, rollbackRevision = revision }: RunState): RevisionState {
  return rollbackRevision;
}

export function revisionsOf({ revision, rollbackRevision }: RunState): readonly RevisionState[] {
  return rollbackRevision === undefined ? [revision] : [revision, rollbackRevision];
}

/** A revision about which nothing is known. */
export const unknownRevision: RevisionState = { statuses: [], checks: [] };

export function initialState(action: ActionLabels, startedAt: EpochMs): RunState {
  return { action, startedAt, shownName: "", writes: [], revision: unknownRevision };
}

/** Returns the time from the write to the end of the checks; undefined if this run has no revision. */
export function measuredMs({ waitStartedAt, endedAt }: RunState): number | undefined {
  return waitStartedAt !== undefined && endedAt !== undefined ? endedAt - waitStartedAt : undefined;
}

export function lastStatus({ statuses }: RevisionState): Status | undefined {
  return statuses.at(-1)?.status;
}

/** Returns the commit of an upload's checkout, or the one that the platform built. */
export function shownCommit({ archive, revision }: RunState): string | undefined {
  return archive?.commit?.sha ?? revision.commitSha;
}

/** Returns the earlier revision whose content is live again; undefined without such a rollback. */
export function rolledBackTo({ rollback }: RunState): RevisionId | undefined {
  return rollback?.isLive ? rollback.targetId : undefined;
}
