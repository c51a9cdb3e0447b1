import { toResult } from "../../errors.ts";
import { readState } from "../../github/deployment-records.ts";
import { showsOtherSource } from "../../platform/compare-source.ts";
import { type Deployment, isSameId } from "../../platform/deployment.ts";
import { undefinedIf404 } from "../../platform/error-kinds.ts";
import { id, text } from "../../text/message.ts";
import { findLiveId, indexIn, readHistory } from "../find/history.ts";
import type { DeployJob } from "../job.ts";
import { adoptRevision, beforeWrite, placeOfRevision, type RunRevision } from "./run-revision.ts";

/**
 * The revision that an earlier attempt of this run started and that has not ended (docs/specification.md#re-runs): it is
 * watched, and nothing is sent. Undefined if there is none, if a newer one is listed, or if the attempt's record is a failure.
 */
export async function resume(
  job: DeployJob,
  existing: Deployment | undefined,
): Promise<RunRevision | undefined> {
  const { controlPlane, cancelled, github, workflow, records, report, plan } = job;
  const record = records?.earlier?.find(
    ({ payload }) => workflow.runId !== "" && payload.run_id === workflow.runId,
  );
  if (record === undefined || record.payload.request_digest !== records?.requestDigest) return undefined;
  // A failed attempt may have failed because it could not identify its revision.
  const state = github && (await toResult(() => readState(github, record), cancelled));
  if (state && "value" in state && state.value === "failure") return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId, follows } = record.payload;
  if (existing !== undefined && !isSameId(existing.id, deploymentId)) return undefined;
  const content = { ...plan.content, tarballPath: record.payload.source_tarball_path };
  const revision = await undefinedIf404(controlPlane.getRevision(deploymentId, revisionId));
  if (revision?.status.kind !== "pending" || showsOtherSource(revision, content)) return undefined;
  const { deployment, listed } = await readHistory(job, deploymentId);
  const [newest] = listed;
  if (newest !== undefined && !isSameId(newest.id, revisionId)) {
    report.info(
      text`An earlier attempt of this run started revision ${id(revisionId)}, but ${id(newest.id)} is newer. Creating a new revision.`,
    );
    return undefined;
  }
  report.info(
    text`An earlier attempt of this run started revision ${id(revisionId)}. Watching that revision.`,
  );
  // If it has become live since its status was read, what was live before is in the list.
  const { activeRevisionId: liveId } = deployment;
  const isLive = typeof liveId === "string" && isSameId(liveId, revisionId);
  const shown = isLive ? { ...deployment, activeRevisionId: undefined, showsLive: false } : deployment;
  const older = listed.slice(
    follows === undefined ? indexIn(revisionId, listed) + 1 : indexIn(follows, listed),
  );
  // The latest revision is this run's own, so it was not there before. Nothing shows when the earlier attempt read the list.
  const before = beforeWrite({
    deployment: { ...shown, latestRevisionId: null },
    listed: older,
    liveId: findLiveId(shown, older),
    readAt: Number.NaN,
  });
  const isCertain = follows === undefined;
  const started = adoptRevision(job, { deploymentId, revisionId, before, content, isCertain });
  // The earlier attempt sent it, but the time of this one counts from now.
  const write = { kind: "revision", sentAt: started.sentAt } as const;
  report.set({ writes: [{ write, isConfirmed: true }], previousRevisionId: before.liveId });
  // When the revision started isn't known, so an estimate would be wrong.
  report.revisionKnown(placeOfRevision(started));
  return started;
}
