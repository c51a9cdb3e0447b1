import { isSameImage, isSamePath, isSameRef } from "../platform/compare-source.ts";
import type { Deployment, Revision, RevisionContent } from "../platform/deployment.ts";
import { parseTimestamp } from "../text/time.ts";
import type { DeploymentHistory } from "./history.ts";

/** A write that made a revision. */
export interface SentWrite {
  readonly deploymentId: string;
  /** What the revision deploys, as far as this run sent it. */
  readonly content: RevisionContent;
  readonly before: BeforeWrite;
}

/** The revision that this run made or resumed. */
export interface RunRevision extends SentWrite {
  readonly revisionId: string;
  /** When the request was sent, or a resumed revision was found: the run's time counts from here. Milliseconds since the epoch. */
  readonly sentAt: number;
  /**
   * Whether the response belongs to this request alone. Otherwise, as after a PATCH, it may name the revision that another run
   * made at the same time.
   */
  readonly isCertain: boolean;
  /** Whether the platform ever showed which revision of this deployment is live: every read may find that out. */
  showsLive: boolean;
  /** Whether it deploys an earlier one again. */
  readonly isRollback?: boolean;
}

/** What was there before the write: no revision of it is this run's. */
export interface BeforeWrite {
  /** In lower case. */
  readonly ids: ReadonlySet<string>;
  /** Newest first. */
  readonly listed: readonly Revision[];
  readonly liveId: string | undefined;
  readonly showsLive: boolean;
  /** As in `DeploymentHistory`. */
  readonly readAt: number;
}

export const nothingBefore: BeforeWrite = {
  ids: new Set(),
  listed: [],
  liveId: undefined,
  showsLive: false,
  readAt: Number.NaN,
};

/** What a history shows as there before a write that follows it. */
export function beforeWrite({ deployment, listed, readAt }: DeploymentHistory): BeforeWrite {
  const { latestRevisionId, activeRevisionId } = deployment;
  const ids = [latestRevisionId, activeRevisionId, ...listed.map(({ id }) => id)];
  const showsLive = typeof activeRevisionId === "string";
  return {
    ids: new Set(ids.flatMap((id) => (typeof id === "string" ? id.toLowerCase() : []))),
    listed,
    liveId: findLiveId(deployment, listed, showsLive),
    showsLive,
    readAt,
  };
}

/** Whether a revision was made after that. */
export function isNew({ id, createdAt }: Pick<Revision, "id" | "createdAt">, before: BeforeWrite): boolean {
  if (before.ids.has(id.toLowerCase())) return false;
  // The platform's `Date` has whole seconds, so what was made in the same second counts as later.
  return !(parseTimestamp(createdAt) < before.readAt);
}

/** Whether a revision shows another source than this run sent. What one side does not show says nothing. */
export function showsOtherSource({ content: shown }: Revision, sent: RevisionContent): boolean {
  const isOther = (
    one: string | undefined,
    other: string | undefined,
    isSame: (one: string, other: string) => boolean | undefined,
  ) => one !== undefined && other !== undefined && isSame(one, other) === false;
  return (
    shown !== undefined &&
    (isOther(shown.tarballPath, sent.tarballPath, (one, other) => one === other) ||
      isOther(shown.repoRef, sent.repoRef, isSameRef) ||
      isOther(shown.appConfigPath, sent.appConfigPath, isSamePath) ||
      isOther(shown.imageUri, sent.imageUri, isSameImage))
  );
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

/**
 * The id of the live revision: the one that the deployment shows, or, if the platform never showed one for it, the newest
 * one that is `DEPLOYED`. `listed`: newest first.
 */
export function findLiveId(
  { activeRevisionId }: Pick<Deployment, "activeRevisionId">,
  listed: readonly Revision[],
  showsLive: boolean,
): string | undefined {
  if (showsLive || typeof activeRevisionId === "string") return activeRevisionId ?? undefined;
  return listed.find(({ status }) => status.kind === "deployed")?.id;
}
