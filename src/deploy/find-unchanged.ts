import { findMismatch } from "../checks/commit-check.ts";
import { toResult } from "../errors.ts";
import { type OwnRecord, readNewestStatus } from "../github/deployment-records.ts";
import { runUrl } from "../github/workflow-run.ts";
import { isPinnedImage } from "../platform/compare-source.ts";
import { type Deployment, isSameId, type Revision } from "../platform/deployment.ts";
import { describeChangeReason } from "../report/sentences/unchanged.ts";
import type { ChangeReason } from "../results/change.ts";
import type { LiveSince } from "../results/deploy.ts";
import type { WatchResultOf } from "../results/watch.ts";
import type { ExistingDeployment } from "./apply/find-deployment.ts";
import { adoptRevision, mayBecomeLive, newerRevisions, type RunRevision } from "./apply/revision-history.ts";
import { builtCommit, deploysOwnRef } from "./built-commit.ts";
import type { DeployJob } from "./job.ts";

/** The live revision, if this run would deploy the same again. */
export interface UnchangedRevision {
  readonly since: LiveSince;
  /** As if this run had made it, for the checks. */
  readonly run: RunRevision;
  readonly watched: WatchResultOf<"live">;
}

/**
 * With `only_if_changed`: the live revision if nothing has changed since it was deployed, which is reported. Otherwise
 * undefined, and the log says why the run deploys (docs/specification.md#only-if-changed).
 *
 * @throws the reason of a cancellation.
 */
export async function findUnchanged(
  job: DeployJob,
  existing: ExistingDeployment,
): Promise<UnchangedRevision | undefined> {
  if (!job.options.onlyIfChanged) return undefined;
  const result = await compareWithLive(job, existing);
  if ("since" in result) {
    job.report.unchanged(result.watched.revision, result.since);
    return result;
  }
  job.report.info(describeChangeReason(result));
  return undefined;
}

async function compareWithLive(
  job: DeployJob,
  existing: ExistingDeployment,
): Promise<UnchangedRevision | ChangeReason> {
  if (existing.kind !== "found") return { kind: "no_deployment" };
  const { deployment } = existing;
  const record = await findSuccess(job, deployment);
  if ("kind" in record) return record;
  const unchanged = await readLive(job, deployment, record);
  return "since" in unchanged ? (sourceChange(job, unchanged.watched) ?? unchanged) : unchanged;
}

/** The newest record, if it says that the same request to this deployment succeeded. */
async function findSuccess(job: DeployJob, { id }: Deployment): Promise<OwnRecord | ChangeReason> {
  const { records } = job;
  if (records === undefined) return { kind: "no_token" };
  const { github, earlier, requestDigest } = records;
  if (earlier === undefined) return { kind: "records_unreadable" };
  const [newest] = earlier;
  if (newest === undefined) return { kind: "no_record" };
  const { deployment_id: deploymentId, request_digest: digest } = newest.payload;
  if (!isSameId(deploymentId, id)) return { kind: "other_deployment" };
  if (digest !== requestDigest) return { kind: "other_request" };
  const status = await toResult(() => readNewestStatus(github, newest.id), job.cancelled);
  if ("error" in status) return { kind: "unreadable", error: status.error };
  const { state, isOwn } = status.value;
  if (state !== "success") return { kind: "no_success", state };
  return isOwn ? newest : { kind: "success_of_other" };
}

/** The revision of a record, if it is live and stays so. */
async function readLive(
  job: DeployJob,
  deployment: Deployment,
  record: OwnRecord,
): Promise<UnchangedRevision | ChangeReason> {
  const { controlPlane, cancelled, clock, workflow } = job;
  const { id: deploymentId, activeRevisionId: liveRevisionId, url, repoUrl } = deployment;
  const { revision_id: revisionId, run_id: runId } = record.payload;
  if (typeof liveRevisionId !== "string") return { kind: "live_not_shown" };
  if (!isSameId(liveRevisionId, revisionId)) return { kind: "other_live", liveRevisionId };
  const read = await toResult(() => controlPlane.getRevision(deploymentId, revisionId), cancelled);
  if ("error" in read) return { kind: "unreadable", error: read.error };
  const { value: revision } = read;
  if (revision.status.kind !== "deployed") return { kind: "not_deployed", status: revision.status };
  const listed = await toResult(() => controlPlane.listRevisions(deploymentId), cancelled);
  if ("error" in listed) return { kind: "unreadable", error: listed.error };
  const replacing = findReplacing(revision, deployment, listed.value.listed);
  if (replacing !== undefined) return replacing;
  return {
    since: {
      revisionId,
      at: record.createdAt,
      // Outside of a workflow, the record names no run.
      runUrl: runId ? runUrl({ ...workflow, runId }) : undefined,
    },
    run: {
      ...adoptRevision(deploymentId, revision, listed.value.listed, clock.now()),
      liveBefore: { id: revisionId, isActive: true },
    },
    watched: { kind: "live", revision, url, repoUrl },
  };
}

/** What is, or may be, about to replace the live revision. `listed`: newest first. */
function findReplacing(
  live: Revision,
  { latestRevisionId: latestId }: Deployment,
  listed: readonly Revision[],
): ChangeReason | undefined {
  const placeOf = (wanted: string) => listed.findIndex(({ id }) => isSameId(id, wanted));
  const latest = typeof latestId === "string" ? placeOf(latestId) : -1;
  // A list may lag behind the deployment itself, or not start with the newest.
  if (latest < 0 || latest > placeOf(live.id)) return { kind: "not_listed" };
  const newer = newerRevisions(live, listed).find(mayBecomeLive);
  return newer && { kind: "newer", revisionId: newer.id, status: newer.status };
}

/** Why the same request may deploy another source: what it names may have changed. The digest of an upload covers its files. */
function sourceChange(job: DeployJob, watched: WatchResultOf<"live">): ChangeReason | undefined {
  const { repoRef, imageUri } = job.plan.source;
  if (imageUri !== undefined && !isPinnedImage(imageUri)) return { kind: "image_without_digest", imageUri };
  if (repoRef === undefined) return undefined;
  // Both the repository that is shown and the one that would be sent must be this run's.
  for (const seen of [watched, { ...watched, repoUrl: undefined }]) {
    const commit = builtCommit(job, seen);
    const mismatch = commit && findMismatch(commit);
    if (mismatch !== undefined) return { kind: "commit", mismatch: mismatch.what };
  }
  return deploysOwnRef(job.plan, job.workflow) ? undefined : { kind: "other_ref", ref: repoRef };
}
