import { toResult } from "../../errors.ts";
import type { OwnRecord } from "../../github/deployment-records.ts";
import type { Revision } from "../../platform/deployment.ts";
import { undefinedIf404 } from "../../platform/error-kinds.ts";
import type { StatusKind } from "../../platform/status.ts";
import { id, type Message, text } from "../../text/message.ts";
import type { PlatformJob, RevisionJob } from "../job.ts";
import { adoptRevision, liveRevision, newerRevisions, type RunRevision } from "./revision-history.ts";

/** A revision that an earlier attempt or step of this run started, with the record that names it. */
interface StartedRevision {
  readonly record: OwnRecord;
  readonly revision: RunRevision;
}

/**
 * The revision that an earlier attempt or step of this run started, and that this one does not make again: a re-run after
 * a timeout or a cancellation watches it (docs/specification.md#re-runs). Not resumed if the inputs changed, because a
 * corrected secret must be deployed, nor if a newer revision exists. `kinds`: revisions of these kinds are not made again.
 */
export async function findStartedRevision(
  job: RevisionJob,
  kinds: readonly StatusKind[],
): Promise<StartedRevision | undefined> {
  const { controlPlane, clock, workflow, records } = job;
  if (records?.earlier === undefined) return undefined;
  const { record, differing } = recordOf(workflow.runId, records.requestDigest, records.earlier);
  if (differing !== undefined) await logDiffering(job, differing);
  if (record === undefined) return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId } = record.payload;
  const started = await readStarted(job, record, kinds);
  if (started === undefined) return undefined;
  const { listed } = await controlPlane.listRevisions(deploymentId);
  // Only a revision that is `DEPLOYED` replaces one that is.
  const newer = newerRevisions(started, listed).find(
    ({ status }) => started.status.kind !== "deployed" || status.kind === "deployed",
  );
  if (newer !== undefined) {
    logNewRevision(job, revisionId, text`${id(newer.id)} is newer`);
    return undefined;
  }
  const deployment = await controlPlane.getDeployment(deploymentId);
  // This run's revision may have become live since its status was read.
  const liveBefore = liveRevision(deployment, listed, revisionId);
  return {
    record,
    revision: { ...adoptRevision(deploymentId, started, listed, clock.now()), liveBefore },
  };
}

/** Reports that the run watches the revision of an earlier attempt or step, and continues its record. */
export function reportStarted({ report }: PlatformJob, { record, revision }: StartedRevision): void {
  const { deploymentId, revisionId, requestedAt, liveBefore } = revision;
  report.info(
    text`An earlier attempt or step of this run started revision ${id(revisionId)}. Watching that revision.`,
  );
  report.deploymentId(deploymentId);
  report.setFacts({ previousRevisionId: liveBefore?.id, continuedRecordId: record.id });
  report.requestSent(requestedAt);
  // We don't know when the revision started, so an estimate would be wrong.
  report.revision(revisionId, { typicalMs: undefined, isResumed: true });
}

/**
 * The record of an attempt that sent the same, unless another request to that deployment came after it. The jobs of a
 * matrix share a run id, but deploy different things.
 */
function recordOf(
  runId: string,
  requestDigest: string,
  records: readonly OwnRecord[],
): { record?: OwnRecord | undefined; differing?: OwnRecord | undefined } {
  const ofRun = runId === "" ? [] : records.filter(({ payload }) => payload.run_id === runId);
  const same = ofRun.find(({ payload }) => payload.request_digest === requestDigest);
  const newest = same
    ? ofRun.find(({ payload }) => payload.deployment_id === same.payload.deployment_id)
    : ofRun[0];
  return newest === same ? { record: same } : { differing: newest };
}

/** The record's revision, if it is of one of these kinds. */
async function readStarted(
  { controlPlane }: Pick<PlatformJob, "controlPlane">,
  { payload }: OwnRecord,
  kinds: readonly StatusKind[],
): Promise<Revision | undefined> {
  const revision = await undefinedIf404(controlPlane.getRevision(payload.deployment_id, payload.revision_id));
  return revision && kinds.includes(revision.status.kind) ? revision : undefined;
}

async function logDiffering(job: PlatformJob, record: OwnRecord): Promise<void> {
  const polled = { controlPlane: job.controlPlane.withoutRetry() };
  const read = await toResult(() => readStarted(polled, record, ["pending"]), job.cancelled);
  if ("error" in read || read.value === undefined) return;
  logNewRevision(job, read.value.id, text`the inputs of this attempt differ`);
}

function logNewRevision({ report }: PlatformJob, revisionId: string, why: Message): void {
  report.info(
    text`An earlier attempt or step of this run started revision ${id(revisionId)}, but ${why}. Creating a new revision.`,
  );
}
