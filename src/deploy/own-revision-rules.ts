import { Failure } from "../errors.ts";
import { showsOtherContent } from "../platform/compare-content.ts";
import { isSameId, type RevisionId } from "../platform/ids.ts";
import type { Revision } from "../platform/revision.ts";
import type { OwnRevision, RevisionOrigin, SeenRevisions } from "../state/own-revision.ts";
import { code, idText, listOf, type Phrase, phrase, text } from "../text/message.ts";
import { parseTimestamp } from "../text/time.ts";
import { deployAgainHint, hintIfRollback } from "./after-failure.ts";
import type { RevisionContext } from "./deploy-context.ts";
import { findById, indexById } from "./snapshot.ts";

/** Returns why a revision can't be this run's, because it was there before; undefined if it is new. */
export function whyNotNew(
  { listed, latestId, liveId, readAt }: SeenRevisions,
  { id, createdAt }: Pick<Revision, "id"> & { readonly createdAt?: string | undefined },
): Phrase | undefined {
  const wasLatestOrLive = [latestId, liveId].some((earlier) => isSameId(earlier, id));
  if (wasLatestOrLive || findById(listed, id) !== undefined) return phrase`was there before this run`;
  // A revision without a time counts as new.
  if (readAt === undefined || createdAt === undefined) return undefined;
  // `Date` has whole seconds only. An unreadable time (NaN) counts as new too.
  if (!(parseTimestamp(createdAt) < readAt)) return undefined;
  const time = code(new Date(readAt).toISOString());
  return phrase`was there before this run, whose write came after ${time}: its ${code("created_at")} is ${code(createdAt, 40)}`;
}

/**
 * Where a revision stands to this run's:
 * - `older`: it was there before this run, or is listed below this run's revision.
 * - `newer`: it is listed above this run's, or this run's is not listed yet.
 * - `unlisted`: it was not there before, so it may be newer.
 */
type Relation = "own" | "older" | "newer" | "unlisted";

export function relationTo(
  { revisionId, before }: OwnRevision,
  { listed }: Pick<SeenRevisions, "listed">,
  id: RevisionId,
): Relation {
  if (isSameId(id, revisionId)) return "own";
  if (whyNotNew(before, { id }) !== undefined) return "older";
  const index = indexById(listed, id);
  if (index === listed.length) return "unlisted";
  return index < indexById(listed, revisionId) ? "newer" : "older";
}

/** Returns the new revisions that may be this run's. If any show the unique path of its archive, only these may be. */
export function findCandidates(
  listed: readonly Revision[],
  { before, content: { tarballPath } }: RevisionOrigin,
): readonly Revision[] {
  const allNew = listed.filter((revision) => whyNotNew(before, revision) === undefined);
  if (tarballPath === undefined) return allNew;
  const ofArchive = allNew.filter(({ content }) => content?.tarballPath === tarballPath);
  return ofArchive.length > 0 ? ofArchive : allNew;
}

/** Returns the failure if another revision, a listed one or the latest one, may be this run's too. */
export function findSecondCandidateFailure(
  ownRevision: OwnRevision,
  { listed, latestId }: { readonly listed: readonly Revision[]; readonly latestId?: RevisionId | undefined },
): Failure | undefined {
  if (ownRevision.isCertain) return undefined;
  const unlisted = latestId !== undefined && relationTo(ownRevision, { listed }, latestId) === "unlisted";
  const candidates = [...findCandidates(listed, ownRevision), ...(unlisted ? [{ id: latestId }] : [])];
  const others = candidates.filter(({ id }) => !isSameId(id, ownRevision.revisionId));
  return others.length > 0
    ? cannotTellFailure(ownRevision, [{ id: ownRevision.revisionId }, ...others])
    : undefined;
}

export function cannotTellFailure(
  origin: RevisionOrigin,
  candidates: readonly Pick<Revision, "id">[],
): Failure {
  return new Failure(
    text`Can't tell which revision is this run's: several are new, ${listOf(candidates.map(({ id }) => idText(id)))}.`,
    {
      details: [text`Each of them may be live by now.`],
      // To deploy again could replace the other run's revision, which may be the newer version.
      hint: text`Check on the platform which one is live. To keep runs of the same deployment apart, use a concurrency group in the workflow. ${hintIfRollback(origin)}`,
    },
  );
}

/** @throws Failure if the revision that was read as this run's is another one, which is not reported any more */
export function requireOwn({ report }: RevisionContext, ownRevision: OwnRevision, revision: Revision): void {
  const { before, content } = ownRevision;
  const otherSource = showsOtherContent(revision, content)
    ? phrase`deploys a different source from the one that this run sent`
    : undefined;
  const problem = whyNotNew(before, revision) ?? otherSource;
  if (problem === undefined) return;
  report.setRevision({ id: undefined, commitSha: undefined, statuses: [] });
  throw new Failure(
    text`Revision ${idText(revision.id)}, which the platform names, is not this run's: it ${problem}.`,
    { hint: text`Check the deployment's revisions on the platform. ${deployAgainHint(ownRevision)}` },
  );
}
