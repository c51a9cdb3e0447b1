import type { ComparisonResult } from "../comparison-results.ts";
import type { LogType } from "../platform/revision-log.ts";
import type { Status } from "../platform/status.ts";
import type { LiveSince } from "../results.ts";
import type { Message } from "../text/message.ts";
import type { CheckResult } from "../watch-results.ts";

/** What a run found out, as its writers read it: raw values, which the renderer makes safe. Times: milliseconds since the epoch. */
export class RunFacts {
  readonly startedAt: number;
  /** The action as people call it, such as `Deploy`. */
  action = "";
  /** What the user calls the deployment: its name, or its id. */
  title = "";
  name: string | undefined;
  /** What is deployed: a ref, an image or a folder. */
  source: string | undefined;
  /** What a dry run would send, as JSON without secrets. */
  request: string | undefined;
  consoleLinks: ConsoleLinks | undefined;
  /** Of the archive that is uploaded. */
  sourceDigest: string | undefined;
  /** What is checked out where an upload comes from. */
  sourceCommit: CheckedOutCommit | undefined;
  deploymentId: string | undefined;
  /** The workspace that the platform says the deployment belongs to. */
  tenantId: string | undefined;
  created = false;
  url: string | undefined;
  /** Of the agent server: before this run's revision, and with it. */
  serverVersionBefore: string | undefined;
  serverVersion: string | undefined;
  /** When the create or update was sent: the run's time counts from here. */
  requestedAt: number | undefined;
  /** The one that this run made, as far as it is known. */
  revisionId: string | undefined;
  /** The revision that the platform last showed as live; undefined if it showed none. */
  liveRevisionId: string | undefined;
  /** Whether another revision may be live by now: this run's changed since `liveRevisionId` was read. */
  mayHaveSwitched = false;
  /** The revision that was live before this run's. */
  previousRevisionId: string | undefined;
  /** Set if `only_if_changed` found nothing to deploy: `revisionId` is then the revision that was live before. */
  unchangedSince: LiveSince | undefined;
  /** Whether an earlier attempt or step of this run started the revision. */
  isResumed = false;
  /** How long such a revision typically takes to be deployed, in milliseconds. */
  typicalMs: number | undefined;
  statuses: readonly SeenStatus[] = [];
  /** The platform's reason for the status. */
  statusMessage: string | undefined;
  /** The commit that the platform says it built. */
  commitSha: string | undefined;
  failureLog: FailureLog | undefined;
  /** The check in progress. */
  runningCheck: Message | undefined;
  /** The checks that have ended, in order. */
  checks: readonly CheckResult[] = [];
  comparison: ComparisonFacts | undefined;
  /** What the rollback action is to make live again. */
  rollbackTarget: string | undefined;
  rolledBackTo: string | undefined;
  /** What the run is doing, for the heartbeat, if no status says it. */
  activity: Message | undefined;
  /** When the watching and the checks ended: what follows is not part of the run's time. */
  endedAt: number | undefined;
  /** What a run that is cancelled now may leave behind, as a sentence, if that is not its own revision. */
  unfinishedWork: Message | undefined;
  /** The settings that this run changed before it made a revision. */
  settingsChanged: ChangedSettings | undefined;
  /** The deployments that this run deleted, by title. */
  deleted: readonly string[] = [];
  /** Whether the run was cancelled before the id of the revision to interrupt was known. */
  interruptSkipped = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** The revision's status as last seen. */
  get status(): Status | undefined {
    return this.statuses.at(-1)?.status;
  }

  /** Whether this run's revision was seen in a status that is no longer pending. */
  get hasEnded(): boolean {
    return this.status !== undefined && this.status.kind !== "pending";
  }
}

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
  /** Of the agent to compare with. */
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

/**
 * The end of the log of a failed build or deploy, oldest line first. More lines than are shown: the first of them may hold
 * the start of a secret that ends in a line shown.
 */
export interface FailureLog {
  readonly type: LogType;
  readonly lines: readonly LogLine[];
}

/** A line of a log of the platform. */
export interface LogLine {
  /** Time and level, in the first line of an entry: words of this action, which a secret may go on after. */
  readonly label: string;
  readonly text: string;
}
