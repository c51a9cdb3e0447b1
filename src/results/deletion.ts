import type { Failure } from "../errors.ts";

// What a deletion and a sweep find out: data for whoever decides by it, and for `report/`, which makes sentences of it.

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
  | { readonly kind: "failed"; readonly error: Failure }
);

/** How a sweep ended. `othersCount`: the previews whose records are of another control plane or workspace. */
export type SweepResult = {
  readonly isDryRun: boolean;
  readonly swept: readonly SweptPreview[];
  readonly othersCount: number;
} & (
  | { readonly kind: "complete" }
  /** An error that every other preview would meet. `total`: undefined if the previews could not be listed. */
  | {
      readonly kind: "stopped";
      readonly error: Failure;
      readonly checked: number;
      readonly total: number | undefined;
    }
);
