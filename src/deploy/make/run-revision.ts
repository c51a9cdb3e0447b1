import type { Revision, RevisionContent } from "../../platform/deployment.ts";
import type { RevisionPlace } from "../../report/report.ts";
import { parseTimestamp } from "../../text/time.ts";
import type { DeploymentHistory } from "../find/history.ts";
import type { DeployJob } from "../job.ts";

/** A request that makes a revision. */
export interface RevisionWrite {
  readonly deploymentId: string;
  /** What the revision deploys, as far as this run sends it. */
  readonly content: RevisionContent;
  readonly before: BeforeWrite;
  /** When it is sent: the run's time counts from here. Milliseconds since the epoch. */
  readonly sentAt: number;
  /** Whether it deploys an earlier revision again. */
  readonly isRollback?: boolean;
}

/** The revision that this run made or found. */
export interface RunRevision extends RevisionWrite {
  readonly revisionId: string;
  /**
   * Whether the response belongs to this request alone. Otherwise, as after a PATCH, it may name the revision that another run
   * made at the same time.
   */
  readonly isCertain: boolean;
}

/** What was there before the write. None of these revisions is this run's. */
export interface BeforeWrite {
  /** The IDs of all revisions that were there, in lower case. */
  readonly ids: ReadonlySet<string>;
  /** Newest first. */
  readonly listed: readonly Revision[];
  readonly liveId: string | undefined;
  /** When it was read, as in `DeploymentHistory`. */
  readonly readAt: number;
}

/** How long after the write a 404 means that the revision, or its log, is not visible yet; in milliseconds. */
export const visibilityMs = 60_000;

export const nothingBefore: BeforeWrite = {
  ids: new Set(),
  listed: [],
  liveId: undefined,
  readAt: Number.NaN,
};

/** What is there before a write, from a history that was read right before it. */
export function beforeWrite({ deployment, listed, liveId, readAt }: DeploymentHistory): BeforeWrite {
  const ids = [deployment.latestRevisionId, deployment.activeRevisionId, ...listed.map(({ id }) => id)];
  return {
    ids: new Set(ids.flatMap((id) => (typeof id === "string" ? id.toLowerCase() : []))),
    listed,
    liveId,
    readAt,
  };
}

/** A revision that was there already and that this run watches as its own, from now on. */
export function adoptRevision(
  { clock, plan }: DeployJob,
  found: Pick<RunRevision, "deploymentId" | "revisionId" | "before"> & Partial<RunRevision>,
): RunRevision {
  return { content: plan.content, sentAt: clock.now(), isCertain: true, ...found };
}

/** Where this run's revision is found, and how another attempt recognizes it. */
export function placeOfRevision({
  deploymentId,
  revisionId,
  content,
  before,
  isCertain,
}: RunRevision): RevisionPlace {
  const follows = isCertain ? undefined : (before.listed[0]?.id ?? "");
  return { deploymentId, revisionId, tarballPath: content.tarballPath, follows };
}

/** Whether a revision was made after `before` was read. */
export function isNew({ id, createdAt }: Pick<Revision, "id" | "createdAt">, before: BeforeWrite): boolean {
  if (before.ids.has(id.toLowerCase())) return false;
  // The platform's `Date` has whole seconds, so what was made in the same second counts as later. So does what has no time.
  const isEarlier = parseTimestamp(createdAt) < before.readAt;
  return !isEarlier;
}

/** The new revisions of a list that may be this run's: of an upload, those that show its archive's unique path. */
export function newRevisions(
  listed: readonly Revision[],
  before: BeforeWrite,
  { tarballPath }: RevisionContent,
): readonly Revision[] {
  const fresh = listed.filter((revision) => isNew(revision, before));
  if (tarballPath === undefined) return fresh;
  const own = fresh.filter(({ content }) => content?.tarballPath === tarballPath);
  return own.length > 0 ? own : fresh;
}
