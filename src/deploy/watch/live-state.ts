import { toResult } from "../../errors.ts";
import { type Deployment, isBeingDeleted, isSameId, type Revision } from "../../platform/deployment.ts";
import { mayKeepPolling } from "../../platform/error-kinds.ts";
import type { NotLiveYet } from "../../results/watch.ts";
import { parseTimestamp } from "../../text/time.ts";
import { objectionTo } from "../apply/match-revision.ts";
import { existedBefore, isNewerThanOurs, type RunRevision, shownLiveId } from "../apply/revision-history.ts";
import { confirmationMs } from "../apply/unconfirmed-write.ts";
import type { PlatformJob } from "../job.ts";

/** Which revision the platform shows as live, seen from this run's, which is `DEPLOYED`. */
type LiveState =
  /** This run's revision is live, or nothing that is shown speaks against it. */
  | { readonly kind: "ours" }
  | { readonly kind: "newer"; readonly id: string }
  | NotLiveYet
  | { readonly kind: "being_deleted" };

type LiveJob = Pick<PlatformJob, "controlPlane" | "cancelled">;

/**
 * Which revision is live. If the platform does not show which revision is this run's, all that may be must be `DEPLOYED`.
 * `deployment`: as just read; `ours`: this run's revision.
 *
 * @throws errors that another attempt would meet too, and the reason of a cancellation.
 */
export async function readLiveState(
  job: LiveJob,
  run: RunRevision,
  deployment: Deployment,
  ours: Revision,
): Promise<LiveState> {
  const live = await readShownState(job, run, deployment, ours);
  if (run.isAmbiguous !== true || (live.kind !== "ours" && live.kind !== "newer")) return live;
  const { listed } = await job.controlPlane.withoutRetry().listRevisions(run.deploymentId);
  const other = listed.find(
    (revision) => revision.status.kind !== "deployed" && mayBeThisRuns(revision, run, ours),
  );
  return other === undefined ? live : { kind: "undecided", id: other.id, status: other.status };
}

/** Whether another revision may be this run's. Those of this run are listed within a minute, so a later one is not. */
function mayBeThisRuns(other: Revision, run: RunRevision, ours: Revision): boolean {
  if (isSameId(other.id, ours.id) || objectionTo(other, run) !== undefined) return false;
  return !(parseTimestamp(other.createdAt) - parseTimestamp(ours.createdAt) > confirmationMs);
}

async function readShownState(
  { controlPlane, cancelled }: LiveJob,
  run: RunRevision,
  deployment: Deployment,
  ours: Revision,
): Promise<LiveState> {
  if (isBeingDeleted(deployment)) return { kind: "being_deleted" };
  const id = shownLiveId(deployment, run);
  const { liveBefore } = run;
  if (id === null && liveBefore !== undefined) return { kind: "none", previousId: liveBefore.id };
  if (id === undefined || id === null) return { kind: "ours" };
  if (isSameId(id, ours.id)) return { kind: "ours" };
  if (existedBefore(id, run.baseline)) return { kind: "older", id };
  const read = () => controlPlane.withoutRetry().getRevision(run.deploymentId, id);
  const other = await undefinedIfTransient(read, cancelled);
  if (other === undefined) return { kind: "unknown", id };
  return { kind: isNewerThanOurs(other, ours, run) ? "newer" : "older", id };
}

/** What a call returns; undefined if it failed in a way that may pass. @throws other errors */
export async function undefinedIfTransient<T>(
  call: () => Promise<T>,
  cancelled: AbortSignal,
): Promise<T | undefined> {
  const result = await toResult(call, cancelled);
  if ("value" in result) return result.value;
  if (!mayKeepPolling(result.error)) throw result.error;
  return undefined;
}

/**
 * Whether a revision, by the id that an agent shows, is newer than this run's (`ours`); undefined if the platform does not
 * list it. @throws the reason of a cancellation.
 */
export async function isNewerRevision(
  { controlPlane, cancelled }: LiveJob,
  run: RunRevision,
  revisionId: string,
  ours: Revision,
): Promise<boolean | undefined> {
  if (existedBefore(revisionId, run.baseline)) return false;
  const read = await toResult(() => controlPlane.withoutRetry().listRevisions(run.deploymentId), cancelled);
  const revision = "value" in read ? read.value.listed.find(({ id }) => isSameId(id, revisionId)) : undefined;
  return revision && isNewerThanOurs(revision, ours, run);
}
