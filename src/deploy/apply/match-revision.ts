import { isSameImage, isSamePath, isSameRef } from "../../platform/compare-source.ts";
import type { RevisionList } from "../../platform/control-plane.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { parseTimestamp, wasBefore } from "../../text/time.ts";

/** The revision that this run made or resumed, and what was there before it. */
export interface RunRevision {
  readonly deploymentId: string;
  readonly revisionId: string;
  /** Whether another new revision could be this run's instead: no response named one, and the platform does not show sources. */
  readonly isUnproven?: boolean;
  /** What the revision deploys, as far as this run sent it. */
  readonly source: RevisionSource;
  /** When the request was sent, or a resumed revision was found: the run's time counts from here. Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly baseline: RevisionBaseline;
  /** The revision that was live before; undefined if there was none or the platform does not show it. */
  readonly liveBefore: LiveRevision | undefined;
}

/** What is known of the revisions before the request. None of them can be this run's. */
export interface RevisionBaseline {
  /** Newest first. */
  readonly listed: readonly Revision[];
  /** In lower case; see `existedBefore`. */
  readonly ids: ReadonlySet<string>;
  /** Whether there were no others: then every other id is new, whatever the clocks say. */
  readonly isComplete: boolean;
  /** Whether this run created the deployment, so that nothing existed before. */
  readonly isCreated: boolean;
  /** When the oldest listed one was created, in milliseconds since the epoch; NaN if unknown. */
  readonly oldestAt: number;
  /** When the request was sent, in milliseconds since the epoch; NaN if that is unknown. */
  readonly requestedAt: number;
}

export const emptyBaseline: RevisionBaseline = {
  listed: [],
  ids: new Set(),
  isComplete: true,
  isCreated: false,
  oldestAt: Number.NaN,
  requestedAt: Number.NaN,
};

/** What is known of a deployment that was created: nothing is listed before. `respondedAt`: see `CreatedDeployment`. */
export function createdBaseline(respondedAt: number): RevisionBaseline {
  return { ...emptyBaseline, isComplete: false, isCreated: true, requestedAt: respondedAt };
}

/** What is known before a request: the listed revisions, and those that the deployment itself shows. */
export function revisionBaseline(
  { listed, isComplete }: RevisionList,
  { latestRevisionId, activeRevisionId }: ShownIds,
): RevisionBaseline {
  const listedIds = listed.map(({ id }) => id.toLowerCase());
  const shownIds = [latestRevisionId, activeRevisionId]
    .filter((id) => typeof id === "string")
    .map((id) => id.toLowerCase());
  // A list without what the deployment shows lags, and so does an empty one, unless the deployment has no revision yet.
  const isCurrent =
    shownIds.every((id) => listedIds.includes(id)) && (listed.length > 0 || latestRevisionId === null);
  const times = listed
    .map(({ createdAt }) => parseTimestamp(createdAt))
    .filter((time) => !Number.isNaN(time));
  return {
    listed,
    ids: new Set([...listedIds, ...shownIds]),
    isComplete: isComplete && isCurrent,
    isCreated: false,
    oldestAt: times.length === 0 ? Number.NaN : Math.min(...times),
    requestedAt: Number.NaN,
  };
}

type ShownIds = Partial<Pick<Deployment, "latestRevisionId" | "activeRevisionId">>;

/** Whether a revision of this id was known before the request. */
export function existedBefore(id: string, { ids }: Pick<RevisionBaseline, "ids">): boolean {
  return ids.has(id.toLowerCase());
}

export interface LiveRevision {
  readonly id: string;
  /** Whether the deployment itself shows it as active; otherwise it is the newest `DEPLOYED` one. */
  readonly isActive: boolean;
}

/** The live revision, as far as the deployment and its revisions (newest first) show it. */
export function liveRevision(
  { activeRevisionId }: Pick<Deployment, "activeRevisionId">,
  listed: readonly Revision[],
): LiveRevision | undefined {
  if (typeof activeRevisionId === "string") return { id: activeRevisionId, isActive: true };
  const newest = listed.find(({ status }) => status.kind === "deployed");
  return newest && { id: newest.id, isActive: false };
}

/** Whether a revision is live or may become it, as far as its status shows. */
export function mayBecomeLive({ status: { kind } }: Revision): boolean {
  return kind === "pending" || kind === "deployed";
}

/** A listed revision that is this run's, as far as the list shows that. */
export interface RevisionMatch {
  readonly id: string;
  /** It shows this run's source, it is the only new one, or it is the oldest of several. */
  readonly evidence: "source" | "only_new" | "oldest";
}

/**
 * Finds this run's revision among the listed ones, newest first
 * (docs/specification.md#which-revision-is-this-runs). Prefers the oldest new revision that shows this run's source;
 * otherwise the oldest that shows none and is shown to be new. Undefined if none can be this run's.
 */
export function matchRevision(
  listed: readonly Revision[],
  baseline: RevisionBaseline,
  source: RevisionSource,
): RevisionMatch | undefined {
  const fresh = listed.filter((revision) => isNew(revision, baseline));
  const match = fresh.findLast((revision) => deploysSource(revision, source) === true);
  if (match) return { id: match.id, evidence: "source" };
  const unclear = fresh.findLast(
    (revision) => deploysSource(revision, source) === undefined && isShownAsNew(revision, baseline),
  );
  return unclear && { id: unclear.id, evidence: fresh.length === 1 ? "only_new" : "oldest" };
}

/**
 * Whether a revision did not exist before the request. If not all that existed are known, one that is older than the
 * oldest listed one may be on a further page; if none was listed, the runner's clock has to do, which may differ from the
 * platform's.
 */
export function isNew({ id, createdAt }: Revision, baseline: RevisionBaseline): boolean {
  if (existedBefore(id, baseline)) return false;
  if (baseline.isComplete) return true;
  if (!Number.isNaN(baseline.oldestAt)) return !(parseTimestamp(createdAt) < baseline.oldestAt);
  return !wasBefore(createdAt, baseline.requestedAt);
}

/** Whether something shows that a revision is new. Without a list before and times, an old one looks like a new one. */
function isShownAsNew(
  { createdAt }: Revision,
  { isComplete, isCreated, oldestAt }: RevisionBaseline,
): boolean {
  return isComplete || isCreated || parseTimestamp(createdAt) >= oldestAt;
}

/** Why a revision can't be the one that this run made. */
export type Objection = "existed_before" | "other_source";

/** What a revision itself shows against being this run's; undefined if nothing. */
export function objectionTo(
  revision: Revision,
  { baseline, source }: Pick<RunRevision, "baseline" | "source">,
): Objection | undefined {
  if (!isNew(revision, baseline)) return "existed_before";
  return deploysSource(revision, source) === false ? "other_source" : undefined;
}

/** Whether a revision deploys this source; undefined if the platform does not show enough to tell. */
export function deploysSource({ source: shown }: Revision, source: RevisionSource): boolean | undefined {
  if (shown === undefined) return undefined;
  const comparisons = [
    compare(shown.tarballPath, source.tarballPath, (one, other) => one === other),
    compare(shown.repoRef, source.repoRef, isSameRef),
    compare(shown.appConfigPath, source.appConfigPath, isSamePath),
    compare(shown.imageUri, source.imageUri, isSameImage),
  ].filter((result) => result !== undefined);
  if (comparisons.includes(false)) return false;
  // Uploads can only be told apart by their path.
  const isUnclear = source.tarballPath !== undefined && shown.tarballPath === undefined;
  return comparisons.length === 0 || isUnclear ? undefined : true;
}

/** Undefined if one side is missing: an update sends only what changes. */
function compare(
  shown: string | undefined,
  sent: string | undefined,
  isSame: (one: string, other: string) => boolean | undefined,
): boolean | undefined {
  return shown === undefined || sent === undefined ? undefined : isSame(shown, sent);
}
