import type { Deployment, Revision, RevisionSource } from "../platform/deployment.ts";
import { kindOfStatus } from "../platform/status.ts";
import { parseTimestamp, wasBefore } from "../text/instant.ts";
import { sameRef } from "./same-ref.ts";
import { typicalDurationMs } from "./typical-duration.ts";

/** The revisions that were there before the write: none of them can be this run's. */
export interface KnownRevisions {
  readonly ids: ReadonlySet<string>;
  /** Creation of the newest, in milliseconds since the epoch; NaN where that isn't known. */
  readonly newestAt: number;
  /** When the write was sent, in milliseconds since the epoch; NaN where it wasn't yet, or made the deployment. */
  readonly writtenAt: number;
  /** How long such a revision usually took, in milliseconds; undefined where that isn't known. */
  readonly typicalMs: number | undefined;
}

export const noRevisions: KnownRevisions = {
  ids: new Set(),
  newestAt: Number.NaN,
  writtenAt: Number.NaN,
  typicalMs: undefined,
};

/** What is known before a write: the list of revisions, and ids that the deployment itself shows. */
export function knownRevisions(
  listed: readonly Revision[],
  shownIds: readonly (string | null | undefined)[],
): KnownRevisions {
  const shown = shownIds.filter((id) => typeof id === "string");
  const times = listed
    .map(({ createdAt }) => parseTimestamp(createdAt))
    .filter((time) => !Number.isNaN(time));
  return {
    ids: new Set([...listed.map(({ id }) => id), ...shown]),
    newestAt: times.length === 0 ? Number.NaN : Math.max(...times),
    writtenAt: Number.NaN,
    typicalMs: typicalDurationMs(listed),
  };
}

/** A revision that serves. */
export interface LiveRevision {
  readonly id: string;
  /** Whether the deployment itself shows it as the active one; otherwise it is the newest that is `DEPLOYED`. */
  readonly shown: boolean;
}

/** Which revision is live, as far as that can be told from the deployment and its revisions, newest first. */
export function liveRevision(
  { activeRevisionId }: Pick<Deployment, "activeRevisionId">,
  listed: readonly Revision[],
): LiveRevision | undefined {
  if (typeof activeRevisionId === "string") return { id: activeRevisionId, shown: true };
  const newest = listed.find(({ status }) => kindOfStatus(status) === "deployed");
  return newest && { id: newest.id, shown: false };
}

export type Attribution =
  /** `unsure` where several could be this run's and the platform doesn't show what they deploy. */
  | { readonly kind: "ours"; readonly id: string; readonly unsure: boolean }
  | { readonly kind: "not-yet"; readonly foreign: readonly string[] };

/**
 * Finds this run's revision in a list, newest first (contract, 3.1): one that wasn't there before and deploys what
 * this run sent, the oldest if several do; where none shows what it deploys, the oldest new one.
 */
export function attribute(
  listed: readonly Revision[],
  before: KnownRevisions,
  source: RevisionSource,
): Attribution {
  const fresh = listed.filter((revision) => isNew(revision, before));
  const match = fresh.findLast((revision) => deploys(revision, source) === true);
  if (match) return { kind: "ours", id: match.id, unsure: false };
  const unshown = fresh.findLast((revision) => deploys(revision, source) === undefined);
  if (unshown) return { kind: "ours", id: unshown.id, unsure: fresh.length > 1 };
  return { kind: "not-yet", foreign: fresh.map(({ id }) => id) };
}

/**
 * Whether a revision wasn't there before the write. A list may page or lag: what is older than the newest that was
 * known isn't new, even if its id wasn't seen. Where none was known, the runner's clock has to do, which need not be
 * the platform's.
 */
export function isNew({ id, createdAt }: Revision, { ids, newestAt, writtenAt }: KnownRevisions): boolean {
  if (ids.has(id)) return false;
  if (!Number.isNaN(newestAt)) return !(parseTimestamp(createdAt) < newestAt);
  return !wasBefore(createdAt, writtenAt);
}

/** Whether a revision deploys this source; undefined where the platform doesn't show it, or in a way that can't be told. */
export function deploys(revision: Revision, source: RevisionSource): boolean | undefined {
  const shown = revision.source;
  if (shown === undefined) return undefined;
  const comparisons = [
    compare(shown.repoRef, source.repoRef, sameRef),
    compare(shown.appConfigPath, source.appConfigPath, samePath),
    compare(shown.imageUri, source.imageUri, sameImage),
  ].filter((result) => result !== undefined);
  return comparisons.length === 0 ? undefined : comparisons.every(Boolean);
}

/** Undefined where one side says nothing: an update sends only what is to change. */
function compare(
  shown: string | undefined,
  sent: string | undefined,
  same: (a: string, b: string) => boolean | undefined,
): boolean | undefined {
  return shown === undefined || sent === undefined ? undefined : same(shown, sent);
}

function samePath(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/^(\.?\/)+/, "");
  return plain(one) === plain(other);
}

/** A platform may show the digest that a tag stood for, which tells nothing of the tag. */
function sameImage(one: string, other: string): boolean | undefined {
  const isDigest = (image: string) => image.includes("@");
  return one === other || (isDigest(one) === isDigest(other) ? false : undefined);
}
