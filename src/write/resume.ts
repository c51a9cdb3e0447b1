import { type ControlPlane, ifThere } from "../control-plane/client.ts";
import type { OwnRecord } from "../github/records.ts";
import { knownRevisions, liveRevision, noRevisions } from "../watch/attribution.ts";
import { kindOfStatus } from "../watch/statuses.ts";
import type { WrittenRevision } from "./write.ts";

export interface Resumed {
  readonly record: OwnRecord;
  readonly written: WrittenRevision;
}

/**
 * The revision that an earlier attempt of this very run started and that hasn't ended: a re-run after a timeout or
 * a cancel watches it instead of making another. `now`: milliseconds since the epoch.
 */
export async function findPendingRevision(
  records: readonly OwnRecord[],
  runId: string,
  source: string | undefined,
  plane: ControlPlane,
  now: number,
): Promise<Resumed | undefined> {
  const record = records.find(({ payload }) => payload.run_id === runId && payload.source === source);
  if (record === undefined || runId === "") return undefined;
  const { deployment_id: deploymentId, revision_id: revisionId } = record.payload;
  const revision = await ifThere(plane.getRevision(deploymentId, revisionId));
  if (revision === undefined || kindOfStatus(revision.status) !== "pending") return undefined;
  const listed = await plane.listRevisions(deploymentId);
  const place = listed.findIndex(({ id }) => id === revisionId);
  const earlier = place < 0 ? [] : listed.slice(place + 1);
  const before = place < 0 ? noRevisions : knownRevisions(earlier, []);
  const liveBefore = liveRevision({ activeRevisionId: undefined }, earlier);
  return { record, written: { deploymentId, revisionId, writtenAt: now, before, liveBefore } };
}
