import { Failure, toResult } from "../../errors.ts";
import { mayKeepPolling } from "../../http/error-kinds.ts";
import { type Polled, pollUntil } from "../../http/poll.ts";
import { showsOtherContent } from "../../platform/compare-content.ts";
import type { WriteResponse } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformContext } from "../../platform-context.ts";
import { equalsIgnoringCase } from "../../text/equals-ignoring-case.ts";
import { code, idText, listOf, text } from "../../text/message.ts";
import { parseTimestamp } from "../../text/time.ts";
import type { RevisionContext } from "../deploy-context.ts";
import { findById, type History } from "../find/history.ts";
import {
  deployAgainHint,
  type OwnRevision,
  rollbackHint,
  type SentRevision,
  unreadableFailure,
} from "./own-revision.ts";

/** The time for a new revision to be listed, in milliseconds. */
const listingMs = 60_000;
const settlingMs = 10_000;
const pollDelayMs = 2000;

/**
 * Returns the revision that a write made (docs/specification.md#which-revision-is-this-runs): the one that the response names
 * if it is new, or else the only new one in the list. A ref or a time does not prove that a new revision is this run's.
 *
 * @throws Failure if there is no new revision, or if there are several
 */
export async function identifyRevision(
  context: PlatformContext,
  sent: SentRevision,
  { revision, deployment }: WriteResponse,
): Promise<OwnRevision> {
  const { before } = sent;
  // From now on, the platform may switch to the new one.
  context.report.set({ liveRevisionId: undefined });
  if (deployment !== undefined) context.report.setDeployment(deployment);
  const namedId = revision?.id ?? deployment?.latestRevisionId;
  if (namedId !== undefined && isNewTo(before, { ...revision, id: namedId })) {
    return { ...sent, revisionId: namedId, isCertain: revision !== undefined };
  }
  // The revision of a run at the same time may be listed before this run's.
  const isSettled = () => context.clock.now() >= sent.startedAt + settlingMs;
  const polled = await pollForNew(context, sent, isSettled);
  if (polled.value === undefined) {
    const isTooOld = namedId !== undefined && !isKnown(before, namedId);
    throw notFoundFailure(sent, polled.lastFailure).addDetails(
      isTooOld ? text`Revision ${idText(namedId)}, which the platform names, ${existedBefore}.` : undefined,
    );
  }
  const [only, ...others] = polled.value;
  if (others.length > 0) throw cannotTellFailure(sent, polled.value);
  return { ...sent, revisionId: only.id, isCertain: false };
}

/** Polls for at most a minute until new revisions are listed. Returns them, or the failure of the last read. */
export async function pollForNew(
  { controlPlane, ...context }: PlatformContext,
  sent: SentRevision,
  mayBeOwn: (revision: Revision) => boolean = () => true,
): Promise<Polled<NewRevisions>> {
  const polling = controlPlane.withoutRetries();
  const findNew = async () => {
    const listed = await polling.listRevisions(sent.deploymentId);
    const [first, ...others] = newRevisions(listed, sent).filter(mayBeOwn);
    return first === undefined ? undefined : ([first, ...others] as const);
  };
  const policy = { deadline: context.clock.now() + listingMs, delayMs: pollDelayMs, mayKeepPolling };
  const polled = await toResult(() => pollUntil(findNew, policy, context), context.cancelled);
  return polled.error === undefined ? polled.value : { lastFailure: polled.error };
}

type NewRevisions = readonly [Revision, ...Revision[]];

/** Returns the new revisions that may be this run's. If any show the unique path of its archive, only these may be. */
function newRevisions(
  listed: readonly Revision[],
  { before, content: { tarballPath } }: SentRevision,
): readonly Revision[] {
  const allNew = listed.filter((revision) => isNewTo(before, revision));
  if (tarballPath === undefined) return allNew;
  const ofArchive = allNew.filter(({ content }) => content?.tarballPath === tarballPath);
  return ofArchive.length > 0 ? ofArchive : allNew;
}

/** Returns whether a revision was made after a history was read. */
export function isNewTo(
  before: History,
  revision: { readonly id: string; readonly createdAt?: string | undefined },
): boolean {
  // The `Date` of a response has whole seconds, so a revision of the same second counts as later. So does one without a time.
  return !isKnown(before, revision.id) && !(parseTimestamp(revision.createdAt) < before.readAt);
}

function isKnown({ listed, latestId }: History, revisionId: string): boolean {
  return findById(listed, revisionId) !== undefined || equalsIgnoringCase(latestId, revisionId);
}

/** The end of a sentence about a revision that is not new only because of its time. */
const existedBefore = text`existed before this run: its ${code("created_at")} is before the ${code("Date")} of the platform's response before the write. If this run made it, check the clocks of the platform's gateway and database`;

/** Returns the failure if another of the listed revisions may be this run's too. */
export function findSecondNewFailure(
  ownRevision: OwnRevision,
  listed: readonly Revision[],
): Failure | undefined {
  if (ownRevision.isCertain) return undefined;
  const others = newRevisions(listed, ownRevision).filter(
    (revision) => !equalsIgnoringCase(revision.id, ownRevision.revisionId),
  );
  return others.length > 0
    ? cannotTellFailure(ownRevision, [{ id: ownRevision.revisionId }, ...others])
    : undefined;
}

/** @throws Failure if the revision that was read as this run's is another one, which is not reported any more */
export function requireOwn(
  { revisionReport }: RevisionContext,
  ownRevision: OwnRevision,
  revision: Revision,
): void {
  const reason = !equalsIgnoringCase(revision.id, ownRevision.revisionId)
    ? text`it was shown in place of ${idText(ownRevision.revisionId)}`
    : !isNewTo(ownRevision.before, revision)
      ? text`it ${existedBefore}`
      : showsOtherContent(revision, ownRevision.content)
        ? text`it deploys a different source from the one that this run sent`
        : undefined;
  if (reason === undefined) return;
  revisionReport.forget();
  throw new Failure(
    text`Revision ${idText(revision.id)}, which the platform names, is not this run's: ${reason}.`,
    { hint: text`Check the deployment's revisions on the platform. ${deployAgainHint(ownRevision)}` },
  );
}

function notFoundFailure(sent: SentRevision, readFailure: Failure | undefined): Failure {
  if (readFailure !== undefined) {
    return unreadableFailure(sent, text`Could not read which revision this run made.`, readFailure);
  }
  const ifUnchanged = text`If nothing was to be changed, there was nothing to deploy.`;
  return new Failure(
    text`The platform accepted the request for deployment ${code(sent.deploymentId)}, but lists no new revision after ${listingMs / 1000} s.`,
    { hint: text`Check the deployment's revisions on the platform. ${rollbackHint(sent) ?? ifUnchanged}` },
  );
}

function cannotTellFailure(sent: SentRevision, revisions: readonly Pick<Revision, "id">[]): Failure {
  return new Failure(
    text`Can't tell which revision is this run's: ${listOf(revisions.map((revision) => idText(revision.id)))} are all new.`,
    {
      details: [text`Each of them may be live by now.`],
      // To deploy again could replace the other run's revision, which may be the newer version.
      hint: text`Check on the platform which one is live. To keep runs of the same deployment apart, use a concurrency group in the workflow. ${rollbackHint(sent)}`,
    },
  );
}
