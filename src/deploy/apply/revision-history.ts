/**
 * Which of a deployment's revisions came before this run's, which came after it, and which one is live. The newest revision is
 * not simply this run's (docs/specification.md#which-revision-is-this-runs): other runs make revisions of the same deployment.
 * Lists are newest first, and may lag.
 */
import type { RevisionList } from "../../platform/control-plane.ts";
import { type Deployment, isSameId, type Revision, type RevisionSource } from "../../platform/deployment.ts";
import { parseTimestamp, wasBefore } from "../../text/time.ts";

/** The revision that this run made or resumed, and what was there before it. */
export interface RunRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** Whether another new revision could be this run's instead: no response named one, and the platform does not show sources. */
  readonly isAmbiguous?: boolean;
  /** The revision as it was identified, if it was read then. */
  readonly snapshot?: Revision | undefined;
  /** What the revision deploys, as far as this run sent it. */
  readonly source: RevisionSource;
  /** When the request was sent, or a resumed revision was found: the run's time counts from here. Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly baseline: RevisionBaseline;
  /** The revision that was live before; undefined if there was none or the platform does not show it. */
  readonly liveBefore: LiveRevision | undefined;
  /** Names of secrets of the deployment that the request removed, as far as it is known. */
  readonly removedSecrets?: readonly string[];
}

/** What is known of the revisions before the request. None of them can be this run's. */
export interface RevisionBaseline {
  readonly listed: readonly Revision[];
  /** In lower case; see `existedBefore`. */
  readonly ids: ReadonlySet<string>;
  /** Whether there were no others: then every other id is new, whatever the clocks say. */
  readonly isComplete: boolean;
  /** Whether this run created the deployment, so that nothing existed before. */
  readonly isCreated: boolean;
  /** When the request was sent, in milliseconds since the epoch; NaN if that is unknown. */
  readonly requestedAt: number;
}

export interface LiveRevision {
  readonly id: string;
  /** Whether the deployment itself shows it as active; otherwise it is the newest `DEPLOYED` one. */
  readonly isActive: boolean;
}

type ShownIds = Partial<Pick<Deployment, "latestRevisionId" | "activeRevisionId">>;

/** What is known before a request: the listed revisions, and those that the deployment itself shows. */
export function revisionBaseline(
  { listed, isComplete }: Pick<RevisionList, "listed" | "isComplete">,
  { latestRevisionId, activeRevisionId }: ShownIds,
): RevisionBaseline {
  const listedIds = listed.map(({ id }) => id.toLowerCase());
  const shownIds = [latestRevisionId, activeRevisionId]
    .filter((id) => typeof id === "string")
    .map((id) => id.toLowerCase());
  // A list without what the deployment shows lags, and so does an empty one, unless the deployment has no revision yet.
  const isCurrent =
    shownIds.every((id) => listedIds.includes(id)) && (listed.length > 0 || latestRevisionId === null);
  return {
    listed,
    ids: new Set([...listedIds, ...shownIds]),
    isComplete: isComplete && isCurrent,
    isCreated: false,
    requestedAt: Number.NaN,
  };
}

/** A revision that was there when the run began, as if the run had made it. Whoever made it has identified it. */
export function adoptRevision(
  deploymentId: string,
  revision: Revision,
  listed: readonly Revision[],
  now: number,
): Omit<RunRevision, "liveBefore"> {
  // A newer one that is still pending may replace it.
  const newer = newerRevisions(revision, listed);
  const older = listed.filter((one) => !isSameId(one.id, revision.id) && !newer.includes(one));
  const baseline = revisionBaseline({ listed: older, isComplete: false }, {});
  const { id: revisionId } = revision;
  return { deploymentId, revisionId, snapshot: revision, source: {}, requestedAt: now, baseline };
}

/** Whether a revision of this id was known before the request. */
export function existedBefore(id: string, { ids }: Pick<RevisionBaseline, "ids">): boolean {
  return ids.has(id.toLowerCase());
}

/**
 * Whether a revision did not exist before the request. If not all that existed are known, one that is older than the
 * oldest listed one may be on a further page; if none was listed, the runner's clock has to do, which may differ from the
 * platform's.
 */
export function isNew({ id, createdAt }: Revision, baseline: RevisionBaseline): boolean {
  if (existedBefore(id, baseline)) return false;
  if (baseline.isComplete) return true;
  const oldestAt = oldestTime(baseline);
  if (!Number.isNaN(oldestAt)) return !(parseTimestamp(createdAt) < oldestAt);
  return !wasBefore(createdAt, baseline.requestedAt);
}

/** Whether something shows that a new revision is new. Without a list before and times, an old one looks like a new one. */
export function isShownAsNew({ createdAt }: Revision, baseline: RevisionBaseline): boolean {
  return baseline.isComplete || baseline.isCreated || parseTimestamp(createdAt) >= oldestTime(baseline);
}

/** When the oldest listed one was created, in milliseconds since the epoch; NaN if unknown. */
function oldestTime({ listed }: RevisionBaseline): number {
  const times = listed
    .map(({ createdAt }) => parseTimestamp(createdAt))
    .filter((time) => !Number.isNaN(time));
  return times.length === 0 ? Number.NaN : Math.min(...times);
}

/** Whether a revision is newer than this run's (`ours`). Without times, it is if it did not exist before the request. */
export function isNewerThanOurs(
  other: Revision,
  ours: Revision,
  { baseline }: Pick<RunRevision, "baseline">,
): boolean {
  if (existedBefore(other.id, baseline)) return false;
  return !(parseTimestamp(other.createdAt) < parseTimestamp(ours.createdAt));
}

/** The listed revisions that are newer than this one: those before it, and those created after it, should it not be listed. */
export function newerRevisions(
  { id, createdAt }: Pick<Revision, "id" | "createdAt">,
  listed: readonly Revision[],
): Revision[] {
  const place = listed.findIndex((one) => isSameId(one.id, id));
  const at = parseTimestamp(createdAt);
  return listed.filter((one, index) => index < place || parseTimestamp(one.createdAt) > at);
}

/**
 * The newest revision before this one that was deployed with the same commit or archive: this one is a rollback to it, or
 * deploys the same again. Undefined if there is none, and for an image, which the platform shows no content of. `listed`:
 * newest first, with the revision.
 */
export function repeatedRevision(revision: Revision, listed: readonly Revision[]): Revision | undefined {
  const older = listed.slice(listed.indexOf(revision) + 1);
  return older.find((one) => one.status.kind === "deployed" && hasSameContent(one, revision));
}

/** Whether both show the same commit or archive. */
export function hasSameContent(one: Revision, other: Revision): boolean {
  const content = contentOf(one);
  return content !== undefined && content === contentOf(other);
}

/** What a revision was built from; undefined if the platform does not show it, as of an image, which is never built. */
function contentOf({ source, commitSha }: Revision): string | undefined {
  return source?.tarballPath ?? commitSha;
}

/** Whether a revision is live or may become it, as far as its status shows. */
export function mayBecomeLive({ status: { kind } }: Revision): boolean {
  return kind === "pending" || kind === "deployed";
}

/**
 * The live revision, as far as the deployment and its revisions show it. `exceptId`: that of a revision that does not count, to
 * find what was live before it.
 */
export function liveRevision(
  { activeRevisionId }: Pick<Deployment, "activeRevisionId">,
  listed: readonly Revision[],
  exceptId?: string,
): LiveRevision | undefined {
  const counts = (id: string) => exceptId === undefined || !isSameId(id, exceptId);
  if (typeof activeRevisionId === "string" && counts(activeRevisionId)) {
    return { id: activeRevisionId, isActive: true };
  }
  const newest = listed.find(({ id, status }) => status.kind === "deployed" && counts(id));
  return newest && { id: newest.id, isActive: false };
}

/** The id that the deployment shows as live: `null` if none is, undefined if that is unknown: some platforms always show `null`. */
export function shownLiveId(
  { activeRevisionId }: Deployment,
  { liveBefore }: Pick<RunRevision, "liveBefore">,
): string | null | undefined {
  return activeRevisionId === null && liveBefore?.isActive !== true ? undefined : activeRevisionId;
}
