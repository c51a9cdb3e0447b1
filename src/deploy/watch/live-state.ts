import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import { type Deployment, isBeingDeleted, type Revision } from "../../platform/deployment.ts";
import { isTransient } from "../../platform/error-kinds.ts";
import { isSameId } from "../../text/ids.ts";
import { type AppliedRevision, existedBefore } from "../apply/match-revision.ts";
import { wasCreatedAfter } from "./newer-revision.ts";

/** Which revision the platform shows as live, seen from this run's, which is `DEPLOYED`. */
export type LiveState =
  /** This run's revision is live, or nothing that is shown speaks against it. */
  | { readonly kind: "ours" }
  | { readonly kind: "newer"; readonly id: string }
  | NotLiveYet
  | { readonly kind: "being_deleted" };

/** Another revision is live, or none: this run's may still become live. */
export type NotLiveYet =
  | { readonly kind: "older"; readonly id: string }
  /** Which of the two is newer could not be read. */
  | { readonly kind: "unknown"; readonly id: string }
  /** None is live any more. `previousId`: the one that was live before this run. */
  | { readonly kind: "none"; readonly previousId: string };

/** @throws errors that another attempt would meet too, and the reason of a cancellation. */
export async function readLiveState(
  deployment: Deployment,
  ours: Revision,
  applied: AppliedRevision,
  controlPlane: ControlPlane,
  context: Pick<RunContext, "cancelled">,
): Promise<LiveState> {
  if (isBeingDeleted(deployment)) return { kind: "being_deleted" };
  const { activeRevisionId: id } = deployment;
  if (id === undefined || id === null) {
    const { liveBefore } = applied;
    // Some platforms always show null.
    const wasShown = id === null && liveBefore?.isActive === true;
    return wasShown ? { kind: "none", previousId: liveBefore.id } : { kind: "ours" };
  }
  if (isSameId(id, ours.id)) return { kind: "ours" };
  if (existedBefore(id, applied.before)) return { kind: "older", id };
  const read = () => controlPlane.getRevision(applied.deploymentId, id);
  const other = await undefinedIfTransient(read, context);
  if (other === undefined) return { kind: "unknown", id };
  return { kind: wasCreatedAfter(other, ours) ? "newer" : "older", id };
}

/** What a call returns; undefined if it failed in a way that may pass. @throws other errors */
export async function undefinedIfTransient<T>(
  call: () => Promise<T>,
  { cancelled }: Pick<RunContext, "cancelled">,
): Promise<T | undefined> {
  const result = await bestEffort(call, cancelled);
  if ("value" in result) return result.value;
  if (!isTransient(result.error)) throw result.error;
  return undefined;
}
