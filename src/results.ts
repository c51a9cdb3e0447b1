import type { ActionError, Place } from "./errors.ts";
import type { Revision } from "./platform/deployment.ts";
import type { LogType } from "./platform/revision-log.ts";
import type { Message } from "./text/message.ts";

// What the steps of a run find out: data for whoever decides by it, and for `report/`, which makes sentences of it.

/** How a deploy ended. Whatever follows from the watching and the checks is decided by `conclude`. */
export type DeployResult =
  | { readonly kind: "planned"; readonly change: PlannedChange }
  /** `only_if_changed` in a dry run: nothing would be sent. */
  | { readonly kind: "planned_nothing"; readonly since: LiveSince }
  /** `only_if_changed`: nothing was sent. `checked`: how the checks of the live revision ended. */
  | { readonly kind: "unchanged"; readonly since: LiveSince; readonly checked: DeployResult }
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

/** A live revision that is the same as what this run would deploy, and the run that deployed it. */
export interface LiveSince {
  readonly revisionId: string;
  /** When it was recorded, in milliseconds since the epoch; NaN if GitHub does not say. */
  readonly at: number;
  /** The page of the run; undefined if the record does not name it. */
  readonly runUrl: string | undefined;
}

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
   * log whose end was shown; `place`: the first one in the checkout that the log of a failed build names.
   */
  | {
      readonly kind: "ended";
      readonly revision: Revision;
      readonly shownLog?: LogType | undefined;
      readonly place?: Place | undefined;
    }
  /** The platform shows that the revision existed before, or deploys another source than this run sent. */
  | { readonly kind: "existed_before" | "other_source"; readonly revision: Revision }
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

/** What came of `on_cancel: interrupt`. */
export type InterruptResult =
  | { readonly kind: "interrupted" }
  | { readonly kind: "unsupported" | "rejected" | "unconfirmed"; readonly error: Error };

/** What the checks of a live revision found out. */
export interface ChecksResult {
  /** In order. */
  readonly results: readonly CheckResult[];
  /**
   * What speaks against the revision after the checks; undefined if nothing does, nothing was checked, or that could not be
   * read, which is a warning.
   */
  readonly afterwards?:
    | { readonly kind: "replaced"; readonly liveRevisionId: string }
    | { readonly kind: "being_deleted"; readonly deploymentId: string }
    | { readonly kind: "not_live"; readonly live: NotLiveYet; readonly waitedMs: number }
    | undefined;
}

/** What a check of the deployed agent found out. */
export interface CheckResult {
  readonly kind: "health check" | "serving check" | "smoke test" | "comparison";
  /** Of a smoke test its own name, of a comparison what `compare_with` names, otherwise the path that was requested. */
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
interface Evidence {
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
  | (NotRedeployable & { readonly live: LiveNow })
  | { readonly kind: "error"; readonly error: ActionError; readonly live: LiveNow };

/** The control plane can't redeploy a revision by its ID, and an update would deploy something else. */
export interface NotRedeployable {
  readonly kind: "not_redeployable";
  readonly earlierId: string;
  readonly reason: NotRepeatable;
  /** What the control plane said to the redeployment. */
  readonly error: ActionError;
}

/** Why an update can't deploy the same as an earlier revision. */
export type NotRepeatable =
  | { readonly kind: "upload" | "source_unknown" | "same_source" }
  | { readonly kind: "branch"; readonly ref: string };

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

/** What the rollback action did. `earlierId`: the revision that it goes back to. */
export type RollbackActionResult =
  | { readonly kind: "already_live"; readonly earlierId: string }
  /** Without waiting. */
  | { readonly kind: "started"; readonly earlierId: string; readonly revisionId: string }
  | {
      readonly kind: "rolled_back";
      readonly earlierId: string;
      readonly watched: WatchResultOf<"live" | "replaced">;
      readonly comparison?: CheckResult;
    }
  /** A comparison was asked for, but a newer revision is live and would be compared instead. */
  | { readonly kind: "not_checked"; readonly earlierId: string; readonly watched: WatchResultOf<"replaced"> }
  | {
      readonly kind: "failed";
      readonly watched: Exclude<RedeployResult, WatchResultOf<"live" | "replaced">>;
      readonly live: LiveNow;
    }
  | NotRedeployable;
