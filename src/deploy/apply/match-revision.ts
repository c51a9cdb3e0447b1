import { isSameImage, isSamePath, isSameRef } from "../../platform/compare-source.ts";
import type { Revision, RevisionSource } from "../../platform/deployment.ts";
import { isNew, isShownAsNew, type RevisionBaseline, type RunRevision } from "./revision-history.ts";

/** A listed revision that is this run's, as far as the list shows that. */
export interface RevisionMatch {
  readonly revision: Revision;
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
  if (match) return { revision: match, evidence: "source" };
  const unclear = fresh.findLast(
    (revision) => deploysSource(revision, source) === undefined && isShownAsNew(revision, baseline),
  );
  return unclear && { revision: unclear, evidence: fresh.length === 1 ? "only_new" : "oldest" };
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
export function deploysSource({ source: shown }: Revision, sent: RevisionSource): boolean | undefined {
  if (shown === undefined) return undefined;
  const comparisons = [
    compare(shown.tarballPath, sent.tarballPath, (one, other) => one === other),
    compare(shown.repoRef, sent.repoRef, isSameRef),
    compare(shown.appConfigPath, sent.appConfigPath, isSamePath),
    compare(shown.imageUri, sent.imageUri, isSameImage),
  ].filter((result) => result !== undefined);
  if (comparisons.includes(false)) return false;
  // Uploads can only be told apart by their path.
  const isUnclear = sent.tarballPath !== undefined && shown.tarballPath === undefined;
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
