import { bestEffort } from "../errors.ts";
import type { RunContext } from "../events.ts";
import type { OwnRecord } from "../github/deployment-records.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { ifFound } from "../platform/failures.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { parseTimestamp } from "../text/time.ts";
import { type AppliedRevision, knownRevisions, liveRevision } from "./attribution.ts";

/** A revision that an earlier attempt or step of this run started, with the record that names it. */
export interface ResumedRevision {
  readonly record: OwnRecord;
  readonly applied: AppliedRevision;
}

/** What shows whether an earlier attempt or step did what this run is to do. */
export interface WorkflowAttempt {
  readonly runId: string;
  /** Of what would be sent; see `requestDigest`. */
  readonly requestDigest: string;
}

/**
 * The pending revision that an earlier attempt or step of this run started: a re-run after a timeout or a cancellation
 * watches it instead of making another (docs/specification.md#re-runs). Only if this attempt would send the same, because
 * a corrected secret must reach the platform, and if no newer revision exists. `records`: newest first.
 */
export async function findPendingRevision(
  records: readonly OwnRecord[],
  attempt: WorkflowAttempt,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<ResumedRevision | undefined> {
  const { record, differing } = recordOf(attempt, records);
  if (differing !== undefined) await logDiffering(differing, controlPlane, context);
  if (record === undefined) return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId } = record.payload;
  const pending = await readPending(record, controlPlane);
  if (pending === undefined) return undefined;
  const listed = await controlPlane.listRevisions(deploymentId);
  const newer = newerThan(pending, listed);
  if (newer !== undefined) {
    logNewRevision(revisionId, `${sanitizeExcerpt(newer.id, 100)} is newer`, context);
    return undefined;
  }
  const earlier = listed.filter(({ id }) => id !== revisionId);
  const before = knownRevisions(earlier, []);
  const { activeRevisionId: activeId } = await controlPlane.getDeployment(deploymentId);
  // This run's revision may have become live since its status was read.
  const activeRevisionId = activeId === revisionId ? undefined : activeId;
  const liveBefore = liveRevision({ activeRevisionId }, earlier);
  const writtenAt = context.clock.now();
  return { record, applied: { deploymentId, revisionId, writtenAt, before, liveBefore } };
}

/**
 * The record of an attempt that sent the same, unless another request to that deployment came after it. The jobs of a
 * matrix share a run id, but deploy different things.
 */
function recordOf(
  { runId, requestDigest }: WorkflowAttempt,
  records: readonly OwnRecord[],
): { record?: OwnRecord | undefined; differing?: OwnRecord | undefined } {
  const ofRun = runId === "" ? [] : records.filter(({ payload }) => payload.run_id === runId);
  const same = ofRun.find(({ payload }) => payload.request_digest === requestDigest);
  const newest = same
    ? ofRun.find(({ payload }) => payload.deployment_id === same.payload.deployment_id)
    : ofRun[0];
  return newest === same ? { record: same } : { differing: newest };
}

/** The record's revision, if it is pending. */
async function readPending(
  { payload }: OwnRecord,
  controlPlane: ControlPlane,
): Promise<Revision | undefined> {
  const revision = await ifFound(controlPlane.getRevision(payload.deployment_id, payload.revision_id));
  return revision?.status.kind === "pending" ? revision : undefined;
}

/** The newest of a list (newest first), if it is newer than this one, which a lagging list may not show. */
function newerThan(
  { id, createdAt }: Revision,
  [newest, ...others]: readonly Revision[],
): Revision | undefined {
  if (newest === undefined || newest.id === id) return undefined;
  const isListed = others.some((other) => other.id === id);
  return isListed || parseTimestamp(newest.createdAt) > parseTimestamp(createdAt) ? newest : undefined;
}

async function logDiffering(
  record: OwnRecord,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<void> {
  const read = await bestEffort(() => readPending(record, controlPlane.withoutRetry()), context.cancelled);
  if ("error" in read || read.value === undefined) return;
  logNewRevision(read.value.id, "the inputs of this attempt differ", context);
}

function logNewRevision(revisionId: string, why: string, { log }: RunContext): void {
  log.info(
    `An earlier attempt or step of this run started revision ${sanitizeExcerpt(revisionId, 100)}, which is still running, but ${why}. Making a new revision.`,
  );
}
