import type { EpochMs } from "../../clock.ts";
import type { PlatformContext } from "../../context.ts";
import { Failure } from "../../errors.ts";
import { pollUntil } from "../../http/poll.ts";
import { RequestError } from "../../http/request-error.ts";
import type { NamedRevision } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/revision.ts";
import type { OwnRevision, RevisionOrigin } from "../../state/own-revision.ts";
import { code, text } from "../../text/message.ts";
import { hintIfRollback, unreadableFailure } from "../after-failure.ts";
import { cannotTellFailure, findCandidates, whyNotNew } from "../own-revision-rules.ts";
import { lagPollMs, maxLagMs } from "../snapshot.ts";

const settlingMs = 10_000;

/**
 * Returns the revision that a write made (docs/specification.md#which-revision-is-this-runs): the one that the response names
 * if it is new, or else the only new one in the list. A ref or a time does not prove that a new revision is this run's.
 *
 * @throws Failure if there is no new revision, or if there are several
 */
export async function identifyRevision(
  context: PlatformContext,
  origin: RevisionOrigin,
  named: NamedRevision | undefined,
): Promise<OwnRevision> {
  const { before } = origin;
  if (named !== undefined && whyNotNew(before, named) === undefined) {
    return { ...origin, revisionId: named.id, isCertain: named.isCertain };
  }
  // Until then, the revision of a run at the same time may be listed, and this run's not.
  const notBefore = origin.waitStartedAt + settlingMs;
  const onNone = (lastFailure: Failure | undefined) => notFoundFailure(origin, lastFailure);
  const candidates = await pollForCandidates(context, origin, { notBefore, onNone });
  const [only, ...others] = candidates;
  if (others.length > 0) throw cannotTellFailure(origin, candidates);
  return { ...origin, revisionId: only.id, isCertain: false };
}

interface CandidateSearch {
  /** By default, any time. */
  readonly notBefore?: EpochMs;
  /** By default, every new revision. */
  readonly accepts?: (revision: Revision) => boolean;
  /** Returns the failure if none is found. `lastFailure`: that of the last read, if it failed. */
  readonly onNone: (lastFailure: Failure | undefined) => Failure;
}

/** Polls for at most a minute until new revisions are listed, and returns them. @throws the failure of `onNone` */
export async function pollForCandidates(
  { controlPlane, ...context }: PlatformContext,
  origin: RevisionOrigin,
  { notBefore = 0, accepts = () => true, onNone }: CandidateSearch,
): Promise<readonly [Revision, ...Revision[]]> {
  const polling = controlPlane.withLimits({ retryMs: 0 });
  const findAny = async () => {
    const { listed } = await polling.listRevisions(origin.deploymentId);
    const [first, ...others] = findCandidates(listed, origin).filter(accepts);
    const isEarly = context.clock.now() < notBefore;
    return first === undefined || isEarly ? undefined : ([first, ...others] as const);
  };
  const times = { deadline: context.clock.now() + maxLagMs, delayMs: lagPollMs };
  return await pollUntil(findAny, { ...times, onTimeout: onNone }, context).catch((error: unknown) => {
    // A read after which polling may not continue: 401 or 403.
    throw error instanceof RequestError ? onNone(error) : error;
  });
}

function notFoundFailure(origin: RevisionOrigin, readFailure: Failure | undefined): Failure {
  if (readFailure !== undefined) {
    return unreadableFailure(origin, text`Could not read which revision this run made.`, readFailure);
  }
  const ifUnchanged = text`If the request is the same as what is deployed, the platform may make no revision.`;
  return new Failure(
    text`The platform accepted the request for deployment ${code(origin.deploymentId)}, but lists no new revision after ${maxLagMs / 1000} s.`,
    {
      hint: text`Check the deployment's revisions on the platform. ${hintIfRollback(origin) ?? ifUnchanged}`,
    },
  );
}
