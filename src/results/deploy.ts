import type { CheckResult } from "../checks/check.ts";
import type { LiveNow, RollbackAfterFailure } from "./rollback.ts";
import type { WatchResult, WatchResultOf } from "./watch.ts";

// What the steps of a run find out: data for whoever decides by it, and for `report/`, which makes sentences of it.

/** What is known after a failure, if the run itself changed something. */
export interface AfterFailure {
  /** Names of secrets that the deployment had before this run. */
  readonly removedSecrets?: readonly string[];
  /** What `rollback_on_failure` did. */
  readonly rollback?: RollbackAfterFailure;
}

/** How a deploy ended. Whatever follows from the watching and the checks is decided by `deploy/conclude.ts`. */
export type DeployResult =
  | { readonly kind: "planned"; readonly change: DryRunChange }
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
  | (AfterFailure & {
      readonly kind: "not_deployed";
      readonly watched: Exclude<WatchResult, { kind: "live" | "replaced" }>;
      /** Without a rollback, which says it too. */
      readonly live?: LiveNow;
      /** The revision that was live before; undefined if there was none or it is not known. */
      readonly previousId?: string | undefined;
    })
  /** Checks were asked for, but a newer revision is live and would be checked instead. */
  | { readonly kind: "not_checked"; readonly watched: WatchResultOf<"replaced"> }
  /** At least one of the checks failed. */
  | (AfterFailure & {
      readonly kind: "check_failed";
      readonly watched: WatchResultOf<"live">;
      readonly checks: readonly CheckResult[];
    })
  /** A newer revision became live during the checks, so it is unknown which one was checked. */
  | {
      readonly kind: "replaced_during_checks";
      readonly watched: WatchResultOf<"live">;
      readonly liveRevisionId: string;
    }
  | (AfterFailure & {
      readonly kind: "deleted_during_checks";
      readonly watched: WatchResultOf<"live">;
      readonly deploymentId: string;
    });

/** A live revision that is the same as what this run would deploy, and the run that deployed it. */
export interface LiveSince {
  readonly revisionId: string;
  /** When it was recorded, in milliseconds since the epoch; NaN if GitHub does not say. */
  readonly at: number;
  /** The page of the run; undefined if the record does not name it. */
  readonly runUrl: string | undefined;
}

/** What a dry run would change. */
export type DryRunChange =
  | { readonly kind: "create"; readonly name: string }
  | { readonly kind: "update"; readonly deploymentId: string };

/** A request that a dry run would send. */
export interface DryRunRequest {
  /** Such as `POST /v2/deployments`. */
  readonly request: string;
  /** JSON without secrets. */
  readonly body: string;
}
