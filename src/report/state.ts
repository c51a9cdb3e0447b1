import type { EpochMs } from "../clock.ts";
import type { ContractChange } from "../compare/contract-change.ts";
import type { Ending } from "../errors.ts";
import type { Deployment } from "../platform/deployment.ts";
import type { DeploymentId, RevisionId } from "../platform/ids.ts";
import type { LogType } from "../platform/revision-log.ts";
import type { Status } from "../platform/status.ts";
import type { Message, Phrase } from "../text/message.ts";
import type { CheckNotRun, CheckResult } from "./check-result.ts";

/**
 * The facts of a run as raw values, but for what actions without a deployment have already rendered. The stages add to them
 * (`Report.set`), and log, summary, comment, record and outputs show them. An undefined field is not known, or does not apply.
 */
export interface RunState {
  action: ActionTitles;
  startedAt: EpochMs;
  /** Shown by the heartbeat in place of the newest status. */
  activity?: Phrase | undefined;

  /** The deployment's name, ID or URL, whichever the inputs give. */
  shownName: string;
  /** The deployment's name: until the deployment is found, that of the input. */
  name?: string | undefined;
  deployment?: DeploymentState;
  consolePage?: ConsolePage | undefined;
  /** The ref, the image or the folder that is deployed. */
  contentLabel?: Phrase | undefined;
  archive?: ArchiveState;
  /** The requests that a dry run would send, in order. */
  requests?: readonly ShownRequest[];

  /** The writes that were sent and had, or may have had, an effect, in order. */
  writes: readonly SentWrite[];
  /** When this run found the revision of an earlier attempt or step, which it watches without a write. */
  resumedAt?: EpochMs | undefined;
  /** This run's revision, or the agent that is checked without one. */
  revision: RevisionState;
  /** How long a revision of this deployment typically takes. */
  typicalMs?: number | undefined;
  /** Whether GitHub has a record of the revision. */
  isRecorded?: boolean;
  failureLog?: FailureLog;
  comparison?: ComparisonState;
  /** The result of `on_cancel: interrupt`: what follows the revision in a sentence, and maybe further sentences. */
  interruption?: Message;

  previousRevisionId?: RevisionId | undefined;
  /** The revision that is live, as last read. */
  liveRevisionId?: RevisionId | undefined;
  rollback?: RollbackState;

  /** Outputs that only this action has, by name. */
  outputs?: Readonly<Record<string, string>>;
  /** The Markdown sections in the summary of an action without a deployment. */
  summarySections?: readonly string[];
  /** The end of the run's measured time: when it ended or, of a preview, when its deploy ended. */
  endedAt?: EpochMs;
  /** Undefined until the run has ended. */
  ending?: Ending | undefined;
}

export interface ActionTitles {
  /** Such as `Deploy`. */
  readonly title: string;
  /** Stands before the deployment's name in headings; by default the title. */
  readonly subject?: string;
}

/** A revision about which nothing is known. */
export const unknownRevision: RevisionState = { statuses: [], checks: [], checksNotRun: [] };

export function initialState(action: ActionTitles, startedAt: EpochMs): RunState {
  return { action, startedAt, shownName: "", writes: [], revision: unknownRevision };
}

/** Returns the time of the first write that makes a revision, or when one was resumed: the start of its measured time. */
export function measuredSince({ writes, resumedAt }: RunState): EpochMs | undefined {
  return resumedAt ?? writes.find(({ write }) => makesRevision(write))?.since;
}

export function lastStatus({ statuses }: RevisionState): Status | undefined {
  return statuses.at(-1)?.status;
}

/** Returns the id of the revision whose content a rollback made live again; undefined without such a rollback. */
export function rolledBackToId({ rollback }: RunState): RevisionId | undefined {
  return rollback?.isDone ? rollback.targetId : undefined;
}

/** Returns the commit of an upload's checkout, or the one that the platform built. */
export function shownCommit({ archive, revision }: RunState): string | undefined {
  return archive?.commit?.sha ?? revision.commitSha;
}

/** A rollback, set when it begins. */
interface RollbackState {
  /** The earlier revision that it deploys again. */
  readonly targetId: RevisionId;
  readonly isDone: boolean;
  /** The revision that it makes after a failed check. That of the rollback action is this run's. */
  readonly revision?: RevisionState;
}

interface DeploymentState extends Partial<Pick<Deployment, "tenantId" | "url">> {
  readonly id: DeploymentId;
  readonly created: boolean;
}

/** The page on which people see the deployments of a workspace. */
interface ConsolePage {
  readonly url: string;
  readonly workspaceId: string;
}

interface ArchiveState {
  readonly digest: string;
  /** The commit of the checkout that it comes from; undefined if unknown. */
  readonly commit: CheckedOutCommit | undefined;
}

export interface CheckedOutCommit {
  readonly sha: string;
  /** Whether files below `source_path` differ from it. */
  readonly hasLocalChanges: boolean;
  /** False if it is a commit of another repository, such as a submodule. */
  readonly isOfThisRepository: boolean;
}

export interface RevisionState {
  /** Undefined until it is known. */
  readonly id?: RevisionId | undefined;
  readonly statuses: readonly SeenStatus[];
  /** The commit that the platform says it built. */
  readonly commitSha?: string | undefined;
  readonly serverVersion?: string | undefined;
  readonly checks: readonly CheckResult[];
  readonly checksNotRun: readonly CheckNotRun[];
  readonly wasConfirmed?: boolean;
}

export interface SeenStatus {
  readonly status: Status;
  readonly at: EpochMs;
}

export interface FailureLog {
  readonly type: LogType;
  /** The oldest first. */
  readonly lines: readonly string[];
}

/** The result of comparing the new revision with another deployment. */
export interface ComparisonState {
  readonly comparedWith: string;
  readonly changes: readonly ContractChange[];
}

const revisionKinds = ["create", "update", "rollback"] as const;

export function makesRevision({ kind }: Write): boolean {
  return revisionKinds.some((revisionKind) => revisionKind === kind);
}

export interface Write {
  /** `createWithoutRevision`: a create without a revision, which another write makes. */
  readonly kind:
    | (typeof revisionKinds)[number]
    | "createWithoutRevision"
    | "config"
    | "deletion"
    | "provider";
  /** Names it in messages, such as "update of my-agent". */
  readonly title: Phrase;
}

/** A write that was not refused. */
export interface SentWrite {
  readonly write: Write;
  /** When it was sent or, after its delays and retries, confirmed. */
  readonly since: EpochMs;
  /** Whether a response confirmed that it took effect. */
  readonly isConfirmed: boolean;
}

export interface ShownRequest {
  /** Such as `POST /v2/deployments`. */
  readonly request: string;
  /** JSON without secrets. */
  readonly body: string;
}
