import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { OwnRecord } from "../../github/deployment-records.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { undefinedIf404 } from "../../platform/error-kinds.ts";
import type { StatusKind } from "../../platform/status.ts";
import { isSameId } from "../../text/ids.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import { parseTimestamp } from "../../text/time.ts";
import { type AppliedRevision, knownRevisions, liveRevision } from "./match-revision.ts";

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
  /** Revisions of these kinds are not made again. */
  readonly resumes: readonly StatusKind[];
}

/**
 * The revision that an earlier attempt or step of this run started, and that this one does not make again: a re-run after
 * a timeout or a cancellation watches it (docs/specification.md#re-runs). Only if this attempt would send the same,
 * because a corrected secret must reach the platform, and if no newer revision exists. `records`: newest first.
 */
export async function findStartedRevision(
  records: readonly OwnRecord[],
  attempt: WorkflowAttempt,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<ResumedRevision | undefined> {
  const { record, differing } = recordOf(attempt, records);
  if (differing !== undefined) await logDiffering(differing, controlPlane, context);
  if (record === undefined) return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId } = record.payload;
  const started = await readStarted(record, attempt.resumes, controlPlane);
  if (started === undefined) return undefined;
  const listed = await controlPlane.listRevisions(deploymentId);
  const newer = newerThan(started, listed);
  if (newer !== undefined) {
    logNewRevision(revisionId, `${sanitizeExcerpt(newer.id, 100)} is newer`, context);
    return undefined;
  }
  const earlier = listed.filter(({ id }) => !isSameId(id, revisionId));
  const before = knownRevisions({ listed: earlier, isComplete: false }, {});
  const { activeRevisionId: activeId } = await controlPlane.getDeployment(deploymentId);
  // This run's revision may have become live since its status was read.
  const activeRevisionId =
    typeof activeId === "string" && isSameId(activeId, revisionId) ? undefined : activeId;
  const liveBefore = liveRevision({ activeRevisionId }, earlier);
  const writtenAt = context.clock.now();
  // The earlier attempt identified it.
  const source = {};
  return { record, applied: { deploymentId, revisionId, source, writtenAt, before, liveBefore } };
}

/** Reports that the run watches the revision of an earlier attempt or step. */
export async function reportResumed(applied: AppliedRevision, { emit, log }: RunContext): Promise<void> {
  const { deploymentId, revisionId, writtenAt, liveBefore } = applied;
  log.info(`An earlier attempt or step of this run started revision ${revisionId}. Watching it.`);
  await emit({ kind: "deployment_identified", deploymentId });
  await emit({ kind: "previous_revision_seen", revisionId: liveBefore?.id });
  await emit({ kind: "write_sent", at: writtenAt });
  await emit({ kind: "revision_identified", revisionId, typicalMs: undefined, isResumed: true });
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

/** The record's revision, if it is of one of these kinds. */
async function readStarted(
  { payload }: OwnRecord,
  kinds: readonly StatusKind[],
  controlPlane: ControlPlane,
): Promise<Revision | undefined> {
  const revision = await undefinedIf404(controlPlane.getRevision(payload.deployment_id, payload.revision_id));
  return revision && kinds.includes(revision.status.kind) ? revision : undefined;
}

/**
 * The newest of a list (newest first), if it is newer than this one, which a lagging list may not show. One that is
 * `DEPLOYED` is replaced only by another one.
 */
function newerThan({ id, createdAt, status }: Revision, listed: readonly Revision[]): Revision | undefined {
  const rivals = status.kind === "deployed" ? listed.filter((one) => one.status.kind === "deployed") : listed;
  const [newest, ...others] = rivals;
  if (newest === undefined || isSameId(newest.id, id)) return undefined;
  const isListed = others.some((other) => isSameId(other.id, id));
  return isListed || parseTimestamp(newest.createdAt) > parseTimestamp(createdAt) ? newest : undefined;
}

async function logDiffering(
  record: OwnRecord,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<void> {
  const read = await bestEffort(
    () => readStarted(record, ["pending"], controlPlane.withoutRetry()),
    context.cancelled,
  );
  if ("error" in read || read.value === undefined) return;
  logNewRevision(read.value.id, "the inputs of this attempt differ", context);
}

function logNewRevision(revisionId: string, why: string, { log }: RunContext): void {
  log.info(
    `An earlier attempt or step of this run started revision ${sanitizeExcerpt(revisionId, 100)}, but ${why}. Making a new revision.`,
  );
}
