import type { DeployResult } from "./deploy.ts";
import type { LiveNow, NotRedeployable, OtherCommit } from "./rollback.ts";

/**
 * What the rollback action did. `earlierId`: the revision that it goes back to; `mayBeBad`: whether an earlier rollback
 * replaced that one, and it was chosen without its ID.
 */
export type RollbackActionResult =
  /** `ended`: how the checks of the live revision ended; undefined without waiting. */
  | { readonly kind: "already_live"; readonly earlierId: string; readonly ended: DeployResult | undefined }
  /** Without waiting. */
  | (Redeployment & { readonly kind: "started"; readonly revisionId: string })
  /** The new revision was live. `ended`: how its checks ended. */
  | (Redeployment & { readonly kind: "rolled_back"; readonly ended: DeployResult })
  /** The new revision did not become live, or is no longer after its checks. */
  | { readonly kind: "failed"; readonly ended: FailedRollback; readonly live: LiveNow }
  | NotRedeployable;

/** An earlier revision that was made live again. */
export interface Redeployment {
  readonly earlierId: string;
  readonly mayBeBad: boolean;
}

/** Why a rollback failed: its revision is not live. */
export type FailedRollback =
  | Extract<DeployResult, { kind: "not_deployed" | "deleted_during_checks" }>
  | OtherCommit;
