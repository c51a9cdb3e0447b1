import type { Context } from "../context.ts";
import type { OwnRecord } from "../github/records.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { ifFound } from "../platform/failures.ts";
import { tryLook } from "../platform/look.ts";
import { kindOfStatus } from "../platform/status.ts";
import { parseTimestamp } from "../text/instant.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { knownRevisions, liveRevision } from "./attribution.ts";
import type { AppliedRevision } from "./written.ts";

export interface Resumed {
  readonly record: OwnRecord;
  readonly written: AppliedRevision;
}

/** What tells whether an earlier attempt or step did what this run is to do. */
export interface Attempt {
  readonly runId: string;
  /** Of what would be sent; see `requestDigest`. */
  readonly requestDigest: string;
}

/**
 * The revision that an earlier attempt of this very run started, or an earlier step of it, and that hasn't ended: a
 * re-run after a timeout or a cancel watches it instead of making another (issue "Pull-request previews"). Only where
 * this attempt would send the same, as a mended secret has to reach the platform, and where nothing came after it:
 * what is to be live in the end is this run's. `records`: newest first.
 */
export async function findPendingRevision(
  records: readonly OwnRecord[],
  attempt: Attempt,
  plane: ControlPlane,
  context: Context,
): Promise<Resumed | undefined> {
  const { record, differing } = recordOf(attempt, records);
  if (differing !== undefined) await tellDiffering(differing, plane, context);
  if (record === undefined) return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId } = record.payload;
  const pending = await readPending(record, plane);
  if (pending === undefined) return undefined;
  const listed = await plane.listRevisions(deploymentId);
  const newer = newerThan(pending, listed);
  if (newer !== undefined) {
    tellNew(revisionId, `${sanitizeExcerpt(newer.id, 100)} came after it`, context);
    return undefined;
  }
  const earlier = listed.filter(({ id }) => id !== revisionId);
  const before = knownRevisions(earlier, []);
  const liveBefore = liveRevision({ activeRevisionId: undefined }, earlier);
  const writtenAt = context.clock.now();
  return { record, written: { deploymentId, revisionId, writtenAt, before, liveBefore } };
}

/**
 * The record of an attempt that sent the same, unless one that sent something else to that deployment came after it.
 * The legs of a matrix have one run id, and what they deploy to differs.
 */
function recordOf(
  { runId, requestDigest }: Attempt,
  records: readonly OwnRecord[],
): { record?: OwnRecord | undefined; differing?: OwnRecord | undefined } {
  const ofRun = runId === "" ? [] : records.filter(({ payload }) => payload.run_id === runId);
  const same = ofRun.find(({ payload }) => payload.request_digest === requestDigest);
  const newest = same
    ? ofRun.find(({ payload }) => payload.deployment_id === same.payload.deployment_id)
    : ofRun[0];
  return newest === same ? { record: same } : { differing: newest };
}

/** The record's revision, as long as it hasn't ended. */
async function readPending({ payload }: OwnRecord, plane: ControlPlane): Promise<Revision | undefined> {
  const revision = await ifFound(plane.getRevision(payload.deployment_id, payload.revision_id));
  return revision !== undefined && kindOfStatus(revision.status) === "pending" ? revision : undefined;
}

/** The newest of a list, newest first, where it came after this one, which the list may not show yet (contract, 3.1). */
function newerThan(
  { id, createdAt }: Revision,
  [newest, ...others]: readonly Revision[],
): Revision | undefined {
  if (newest === undefined || newest.id === id) return undefined;
  const isListed = others.some((other) => other.id === id);
  return isListed || parseTimestamp(newest.createdAt) > parseTimestamp(createdAt) ? newest : undefined;
}

async function tellDiffering(record: OwnRecord, plane: ControlPlane, context: Context): Promise<void> {
  const look = await tryLook(() => readPending(record, plane.once()), context);
  if ("error" in look || look.seen === undefined) return;
  tellNew(look.seen.id, "this one's inputs differ", context);
}

function tellNew(revisionId: string, why: string, { log }: Context): void {
  log.info(
    `An earlier attempt or step of this run started revision ${sanitizeExcerpt(revisionId, 100)}, which hasn't ended, but ${why}: making a new revision.`,
  );
}
