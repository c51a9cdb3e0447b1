import type { Failure } from "../errors.ts";
import type { Revision } from "../platform/deployment.ts";
import type { WatchResult } from "./watch.ts";

/** What `rollback_on_failure` did. */
export type RollbackAfterFailure =
  | { readonly kind: "left"; readonly reason: RollbackObstacle }
  /** The content of `earlierId` is live again as `revisionId`. */
  | {
      readonly kind: "rolled_back";
      readonly earlierId: string;
      readonly revisionId: string;
      readonly live: LiveNow;
      /** Whether the failed run set secrets: the rollback has them. */
      readonly hasNewSecrets: boolean;
    }
  | {
      readonly kind: "failed";
      readonly earlierId: string;
      readonly redeployed: RedeployResult;
      readonly live: LiveNow;
      readonly hasNewSecrets: boolean;
    }
  | (NotRedeployable & { readonly live: LiveNow })
  | { readonly kind: "error"; readonly error: Failure; readonly live: LiveNow };

/** The control plane can't redeploy a revision by its ID, and an update would deploy something else. */
export interface NotRedeployable {
  readonly kind: "not_redeployable";
  readonly earlierId: string;
  readonly reason: NotRepeatable;
  /** What the control plane said to the redeployment. */
  readonly error: Failure;
}

/** Why an update can't deploy the same as an earlier revision. */
export type NotRepeatable =
  | { readonly kind: "upload" | "source_unknown" | "same_source" }
  | { readonly kind: "branch"; readonly ref: string };

/** How the watch of a revision that deploys an earlier one again ended. */
export type RedeployResult = WatchResult | OtherCommit;

/** The revision is live, but was built from another commit than the earlier one. */
export interface OtherCommit {
  readonly kind: "other_commit";
  readonly revision: Revision;
  readonly earlierId: string;
  readonly built: string;
  readonly wanted: string;
}

/** Why nothing is rolled back. */
export type RollbackObstacle =
  /** No revision was live before. `live`: what is live now, as far as it is known; undefined if none is. */
  | { readonly kind: "no_earlier"; readonly live: LiveWithoutEarlier | undefined }
  | { readonly kind: "being_deleted" }
  | { readonly kind: "still_live"; readonly revisionId: string }
  | { readonly kind: "other_live"; readonly revisionId: string }
  | { readonly kind: "newer"; readonly revision: Revision }
  /** The control plane does not show which revision is live. */
  | { readonly kind: "live_unknown"; readonly previousId: string };

interface LiveWithoutEarlier {
  readonly revisionId: string;
  /** Whether it is this run's, which failed. */
  readonly isOwn: boolean;
  /** Whether the platform shows that it is live; otherwise it is the newest one that was deployed. */
  readonly isShown: boolean;
}

/** Which revision is live at the end of a run. */
export type LiveNow =
  | { readonly kind: "shown"; readonly revisionId: string }
  | { readonly kind: "not_shown" }
  | { readonly kind: "unreadable"; readonly error: Failure };
