import type { ActionError } from "./errors.ts";
import type { Revision } from "./platform/deployment.ts";
import type { LogType } from "./platform/revision-log.ts";
import type { Message } from "./text/message.ts";

// What the steps of a run find out: data for whoever decides by it, and for `report/`, which makes sentences of it.

/** How a deploy ended. Whatever follows from the watching and the checks is decided by `conclude`. */
export type DeployResult =
  | { readonly kind: "planned"; readonly change: PlannedChange }
  /** Without waiting. */
  | { readonly kind: "started"; readonly revisionId: string }
  /** `watched`: the revision is live, or it was until a newer one replaced it, and no check was asked for. */
  | {
      readonly kind: "deployed";
      readonly watched: WatchResultOf<"live" | "replaced">;
      readonly checks: readonly CheckResult[];
    }
  /** `watched` says why the revision did not become live. */
  | {
      readonly kind: "not_deployed";
      readonly watched: Exclude<WatchResult, { kind: "live" | "replaced" }>;
      readonly rollback?: RollbackAfterFailure;
    }
  /** Checks were asked for, but a newer revision is live and would be checked instead. */
  | { readonly kind: "not_checked"; readonly watched: WatchResultOf<"replaced"> }
  /** At least one of the checks failed. */
  | {
      readonly kind: "check_failed";
      readonly watched: WatchResultOf<"live">;
      readonly checks: readonly CheckResult[];
      readonly rollback?: RollbackAfterFailure;
    }
  /** A newer revision became live during the checks, so it is unknown which one was checked. */
  | {
      readonly kind: "replaced_during_checks";
      readonly watched: WatchResultOf<"live">;
      readonly liveRevisionId: string;
    }
  | {
      readonly kind: "deleted_during_checks";
      readonly watched: WatchResultOf<"live">;
      readonly deploymentId: string;
      readonly rollback?: RollbackAfterFailure;
    }
  /** `verify_commit`: the revision does not hold this run's commit, or that is unknown. */
  | {
      readonly kind: "wrong_commit";
      readonly watched: WatchResultOf<"live" | "replaced">;
      readonly mismatch: CommitMismatch;
    };

/** What a dry run would do. */
export type PlannedChange =
  | { readonly kind: "create"; readonly name: string }
  | { readonly kind: "update"; readonly deploymentId: string };

/** How the watch of this run's revision ended. Times are milliseconds. */
export type WatchResult =
  /** The revision is `DEPLOYED`, and nothing shows that another one is live. */
  | {
      readonly kind: "live";
      readonly revision: Revision;
      readonly url: string | undefined;
      /** The repository of the deployment, if the platform shows it. */
      readonly repoUrl: string | undefined;
    }
  /** The revision was `DEPLOYED`, and a newer one is live now. */
  | {
      readonly kind: "replaced";
      readonly revision: Revision;
      readonly liveRevisionId: string;
      readonly repoUrl: string | undefined;
    }
  /**
   * The revision failed, was skipped for a newer one or was interrupted: `revision.status.kind` says which. `shownLog`: the
   * log whose end was shown.
   */
  | { readonly kind: "ended"; readonly revision: Revision; readonly shownLog?: LogType | undefined }
  /** The platform shows that the revision deploys another source than this run sent. */
  | { readonly kind: "other_source"; readonly revision: Revision }
  /** The revision is `DEPLOYED`, but did not become live in time. */
  | {
      readonly kind: "not_live";
      readonly revision: Revision;
      readonly live: NotLiveYet;
      readonly waitedMs: number;
    }
  /** The deployment is being deleted. */
  | { readonly kind: "being_deleted"; readonly revision: Revision; readonly deploymentId: string }
  /** The revision was pending when the time was up, and a newer one is live. */
  | {
      readonly kind: "overtaken";
      readonly revision: Revision;
      readonly liveRevisionId: string;
      readonly waitedMs: number;
    }
  /** The time was up. `revision`: as last read; `failure`: of the last poll. */
  | {
      readonly kind: "timed_out";
      readonly revisionId: string;
      readonly revision: Revision | undefined;
      readonly failure: ActionError | undefined;
      readonly waitedMs: number;
    };

export type WatchResultOf<Kind extends WatchResult["kind"]> = Extract<WatchResult, { kind: Kind }>;

/** Which revision is live while this run's is `DEPLOYED` and may still become live. */
export type NotLiveYet =
  | { readonly kind: "older"; readonly id: string }
  /** Which of the two is newer could not be read. */
  | { readonly kind: "unknown"; readonly id: string }
  /** None is live any more. `previousId`: the one that was live before this run. */
  | { readonly kind: "none"; readonly previousId: string };

/** What the checks of a live revision found out. */
export interface ChecksResult {
  /** In order. */
  readonly results: readonly CheckResult[];
  /** What the platform showed after the checks, unless they themselves show which revision they asked. */
  readonly afterwards?:
    | { readonly kind: "replaced"; readonly liveRevisionId: string }
    | { readonly kind: "being_deleted"; readonly deploymentId: string }
    | { readonly kind: "not_live"; readonly live: NotLiveYet; readonly waitedMs: number }
    | undefined;
}

/** What a check of the deployed agent found out. */
export interface CheckResult {
  readonly kind: "health check" | "serving check" | "smoke test";
  /** Of a smoke test its own name, otherwise the path that was requested. */
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** What came, or why the check failed, as a part of a sentence. */
  readonly finding: Message;
  /** What to do next, after a failure. */
  readonly hint?: Message;
  /** Of a failed check. */
  readonly evidence?: Evidence;
  /** Whether a newer revision responded in place of this run's. */
  readonly isSuperseded?: boolean;
}

/** What a failed check sent, expected and received. */
export interface Evidence {
  /** Such as `GET /ok`. */
  readonly request: Message;
  readonly expected: readonly Message[];
  readonly received: readonly Message[];
}

/** Why a revision does not hold the commit of this run (`own`), or may not. */
export type CommitMismatch =
  /** This run has no commit. */
  | { readonly kind: "no_own_commit" }
  | { readonly kind: "other_repository"; readonly repoUrl: string; readonly own: string }
  /** The platform does not show which commit it built. */
  | { readonly kind: "not_shown"; readonly own: string }
  /** `isOwnRef`: the revision deploys this run's own branch or tag, which has probably moved. */
  | {
      readonly kind: "other_commit";
      readonly built: string;
      readonly own: string;
      readonly isOwnRef: boolean;
    };

/** What `rollback_on_failure` did. */
export type RollbackAfterFailure =
  | { readonly kind: "left"; readonly reason: RollbackObstacle }
  /** The content of `earlierId` is live again as `revisionId`. */
  | {
      readonly kind: "rolled_back";
      readonly earlierId: string;
      readonly revisionId: string;
      readonly live: LiveNow;
    }
  | {
      readonly kind: "failed";
      readonly earlierId: string;
      readonly again: RedeployResult;
      readonly live: LiveNow;
    }
  | { readonly kind: "error"; readonly error: ActionError; readonly live: LiveNow };

/** How the watch of a revision that deploys an earlier one again ended. */
export type RedeployResult =
  | WatchResult
  /** The revision is live, but was built from another commit than the earlier one. */
  | {
      readonly kind: "other_commit";
      readonly revision: Revision;
      readonly earlierId: string;
      readonly built: string;
      readonly wanted: string;
    };

/** Why nothing is rolled back. */
export type RollbackObstacle =
  | { readonly kind: "no_earlier" }
  | { readonly kind: "being_deleted" }
  | { readonly kind: "still_live"; readonly revisionId: string }
  | { readonly kind: "other_live"; readonly revisionId: string }
  | { readonly kind: "newer"; readonly revision: Revision }
  /** The control plane does not show which revision is live. */
  | { readonly kind: "live_unknown"; readonly previousId: string };

/** Which revision is live at the end of a run. */
export type LiveNow =
  | { readonly kind: "shown"; readonly revisionId: string }
  | { readonly kind: "not_shown" }
  | { readonly kind: "unreadable"; readonly error: ActionError };

/**
 * What the complete list of deployments shows of a deployment that was not found. A gateway or a wrong address responds
 * with 404 too, so only a list that does not have the deployment shows that it is gone.
 */
export type ListEvidence = "gone" | "being_deleted" | "listed" | "no_list";

/**
 * What came of a deletion. `being_deleted`: the platform was still deleting when last seen. All but `deleted` and
 * `being_deleted`: the response was a 404, and this is what the list shows.
 */
export type DeletionResult = "deleted" | ListEvidence;

/** Why a deployment that was not found does not count as gone. */
export type Unproven =
  | Extract<ListEvidence, "listed" | "no_list">
  | "other_control_plane"
  | "unknown_control_plane";

/** What the rollback action did. `earlierId`: the revision that it goes back to. */
export type RollbackActionResult =
  | { readonly kind: "already_live"; readonly earlierId: string }
  /** Without waiting. */
  | { readonly kind: "started"; readonly earlierId: string; readonly revisionId: string }
  | {
      readonly kind: "rolled_back";
      readonly earlierId: string;
      readonly watched: WatchResultOf<"live" | "replaced">;
    }
  | {
      readonly kind: "failed";
      readonly watched: Exclude<RedeployResult, WatchResultOf<"live" | "replaced">>;
      readonly live: LiveNow;
    };

/** Why a sweep deletes or keeps a preview. */
export type SweepReason =
  | { readonly kind: "pull_request"; readonly number: number; readonly isOpen: boolean }
  | { readonly kind: "too_old"; readonly maxAgeDays: number }
  | { readonly kind: "no_pull_request" };

/** What became of a preview in a sweep. */
export type SweptPreview = { readonly name: string } & (
  | { readonly kind: "deleted" | "would_be_deleted" | "gone" | "kept"; readonly reason: SweepReason }
  /** The deployment of its record has another name now, so it is not the preview. */
  | { readonly kind: "renamed"; readonly shownName: string }
  /** Its deployment was not found, and may exist. */
  | { readonly kind: "unproven"; readonly reason: Unproven; readonly recordId: number }
  /** The run was cancelled during its deletion. */
  | { readonly kind: "unconfirmed" }
  | { readonly kind: "failed"; readonly error: ActionError }
);

/** How a sweep ended. */
export type SweepResult =
  | { readonly kind: "complete"; readonly isDryRun: boolean; readonly swept: readonly SweptPreview[] }
  /** An error that every other preview would meet. `total`: undefined if the previews could not be listed. */
  | {
      readonly kind: "stopped";
      readonly error: ActionError;
      readonly swept: readonly SweptPreview[];
      readonly isDryRun: boolean;
      readonly checked: number;
      readonly total: number | undefined;
    };

/** A schema of a graph: what it takes, returns or keeps. */
export type SchemaKind = "input" | "output" | "config" | "context" | "state";

/** What differs between two schemas in one place. */
export type SchemaDifference =
  | { readonly kind: "gone" | "newly_required" | "no_longer_required" }
  /** The types before and after, such as `string or null`. `change`: of the values that are valid. */
  | {
      readonly kind: "type";
      readonly before: string;
      readonly after: string;
      readonly change: "narrower" | "wider";
    }
  /** Values of an enum, as JSON, that are no longer valid (`narrower`), or are new (`wider`). */
  | { readonly kind: "values"; readonly values: readonly string[]; readonly change: "narrower" | "wider" }
  /** `keyword`: one whose effect on the valid values is not compared. */
  | { readonly kind: "keyword"; readonly keyword: string }
  | { readonly kind: "reference"; readonly reference: string }
  | { readonly kind: "too_large" };

/** What can't be compared, of a graph. */
export type NotCompared =
  /** Only one side has the schema, or (`neither`) both should have one. */
  | {
      readonly kind: "no_schema";
      readonly schema: SchemaKind;
      readonly missing: "before" | "after" | "neither";
    }
  | {
      readonly kind: "schema";
      readonly schema: SchemaKind;
      readonly path: readonly string[];
      readonly difference: Extract<SchemaDifference, { kind: "keyword" | "reference" | "too_large" }>;
    }
  /** The schemas or nodes of one side could not be read. */
  | { readonly kind: "unread"; readonly what: "schemas" | "nodes"; readonly error: ActionError }
  /** The new server does not show what is in this subgraph. */
  | { readonly kind: "subgraph"; readonly node: string };

/** A difference between what two agents serve. `breaking`: for callers, readers or threads that wait. */
export type ContractChange = ContractDifference & { readonly breaking: boolean };

/** `threads`: those that wait, and that the difference concerns. */
export type ContractDifference = { readonly graph: string } & (
  | { readonly kind: "graph_gone"; readonly threads: readonly string[] }
  | { readonly kind: "graph_new" }
  | { readonly kind: "node_gone"; readonly node: string; readonly threads: readonly string[] }
  | {
      readonly kind: "schema";
      readonly schema: SchemaKind;
      readonly path: readonly string[];
      readonly difference: Exclude<SchemaDifference, { kind: "keyword" | "reference" | "too_large" }>;
      /** Of the state only: those of the graph. */
      readonly threads: readonly string[];
    }
  | { readonly kind: "not_compared"; readonly reason: NotCompared }
);

/** How many of the threads that wait were read. `total`: undefined if only known to be more than `read`. */
export interface ThreadsRead {
  readonly read: number;
  readonly total: number | undefined;
}

/** What came of `compare_with`. */
export type ComparisonResult =
  /** `previous` of a first deployment. */
  | { readonly kind: "nothing_before" }
  /** Nothing of one side, or none of the threads that wait, could be read. `changes`: those that were found anyway. */
  | {
      readonly kind: "unreadable";
      readonly what: "compared" | "new" | "threads";
      readonly error: ActionError;
      readonly changes: readonly ContractChange[];
    }
  | {
      readonly kind: "compared";
      /** The breaking ones first. */
      readonly changes: readonly ContractChange[];
      readonly threads: ThreadsRead;
    };
