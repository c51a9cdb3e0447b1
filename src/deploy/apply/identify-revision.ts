import { Failure, toResult } from "../../errors.ts";
import type { Revision, RevisionSource } from "../../platform/deployment.ts";
import { code, id, listed, text } from "../../text/message.ts";
import type { PlatformJob } from "../job.ts";
import { matchRevision, type Objection, objectionTo, type RevisionMatch } from "./match-revision.ts";
import { existedBefore, isNew, type RevisionBaseline, type RunRevision } from "./revision-history.ts";
import {
  confirmationMs,
  pollForEffect,
  type UnconfirmedWrite,
  UnconfirmedWriteError,
} from "./unconfirmed-write.ts";

/** A request that makes a revision, and what identifies that revision. */
export interface RevisionToIdentify {
  readonly deploymentId: string;
  readonly created: boolean;
  readonly namedId: string | undefined;
  /** The same, if the response showed it. */
  readonly snapshot?: Revision | undefined;
  readonly baseline: RevisionBaseline;
  readonly source: RevisionSource;
  /** Set if the response left open whether the request took effect. */
  readonly unconfirmed?: UnconfirmedRevision | undefined;
}

interface UnconfirmedRevision extends UnconfirmedWrite {
  /** Whether a new revision proves that the request took effect: what it shows is all that was sent. */
  readonly isProof: (revision: Revision) => boolean;
}

type Identified = Pick<RunRevision, "revisionId" | "isAmbiguous" | "snapshot">;

/** The platform accepted a request, but no revision of this run appeared. */
export class RevisionNotFoundError extends Failure {
  override readonly name = "RevisionNotFoundError";
  readonly deploymentId: string;

  /** `others`: ids of revisions that may be new, but are not shown to be this run's. */
  constructor({ deploymentId, created }: RevisionToIdentify, others: readonly string[]) {
    const done = created ? text`created deployment` : text`accepted the update of deployment`;
    const appeared =
      others.length === 0
        ? undefined
        : text` Other new revisions appeared, but the platform does not confirm that they are this run's: ${listedIds(others)}.`;
    super(
      text`The platform ${done} ${code(deploymentId)}, but no new revision of this run appeared within ${confirmationMs / 1000} s.${appeared}`,
      {
        hint: created
          ? text`Check the deployment on the platform: it may be left behind without a revision.`
          : text`Check the deployment's revisions on the platform. If the update changed nothing, there was nothing to deploy.`,
        explainsWrite: true,
      },
    );
    this.deploymentId = deploymentId;
  }
}

function listedIds(ids: readonly string[]) {
  return listed(ids.map((revisionId) => id(revisionId)));
}

/**
 * The revision that a request made (docs/specification.md#which-revision-is-this-runs): the one that the response named, if
 * it is new and deploys what was sent, else the one that the list shows.
 *
 * @throws RevisionNotFoundError, or UnconfirmedWriteError if the request was unconfirmed.
 */
export async function identifyRevision(job: PlatformJob, wanted: RevisionToIdentify): Promise<Identified> {
  const { namedId, baseline, unconfirmed } = wanted;
  const isNamed = namedId !== undefined && !existedBefore(namedId, baseline);
  const { objection, snapshot } = isNamed ? await checkNamed(job, namedId, wanted) : {};
  if (isNamed && objection === undefined) return { revisionId: namedId, isAmbiguous: false, snapshot };
  const { match, ...search } = await searchList(job, wanted);
  if (match !== undefined) {
    const { revision, evidence } = match;
    return { revisionId: revision.id, isAmbiguous: evidence !== "source", snapshot: revision };
  }
  const ownName = isNamed && objection === "other_source" ? [namedId] : [];
  const others = [...new Set([...search.others, ...ownName])];
  if (unconfirmed === undefined) throw new RevisionNotFoundError(wanted, others);
  throw others.length === 0
    ? new UnconfirmedWriteError(unconfirmed)
    : new UnconfirmedWriteError(
        unconfirmed,
        text`New revisions appeared, but the platform does not confirm that they are this run's: ${listedIds(others)}.`,
      );
}

const objections = {
  existed_before: text`existed before the run`,
  other_source: text`deploys a different source`,
} satisfies Record<Objection, unknown>;

/** The named revision, and why it can't be this run's. Read errors are ignored here; the watch reports them. */
async function checkNamed(
  { controlPlane, report, cancelled }: PlatformJob,
  namedId: string,
  { deploymentId, snapshot, baseline, source }: RevisionToIdentify,
): Promise<{ objection?: Objection | undefined; snapshot?: Revision }> {
  const readNamed = () =>
    toResult(() => controlPlane.withoutRetry().getRevision(deploymentId, namedId), cancelled);
  const work = { kind: "named_revision", deploymentId, revisionId: namedId } as const;
  const read = snapshot ? { value: snapshot } : await report.whileUnfinished(work, readNamed);
  if ("error" in read) return {};
  const objection = objectionTo(read.value, { baseline, source });
  if (objection === undefined) return { snapshot: read.value };
  report.warning(
    text`The platform named revision ${id(namedId)}, but that one ${objections[objection]}. Searching for this run's revision.`,
  );
  return { objection };
}

async function searchList(
  job: PlatformJob,
  { deploymentId, baseline, source, unconfirmed }: RevisionToIdentify,
): Promise<{ match: RevisionMatch | undefined; others: readonly string[] }> {
  const polled = job.controlPlane.withoutRetry();
  let others: readonly string[] = [];
  const findRevision = async () => {
    const { listed: revisions } = await polled.listRevisions(deploymentId);
    // Another run may have made a new revision, so an unconfirmed request is confirmed only by one that shows all of it.
    const candidates = unconfirmed === undefined ? revisions : revisions.filter(unconfirmed.isProof);
    const match = matchRevision(candidates, baseline, source);
    if (match !== undefined) return match;
    others = revisions.filter((revision) => isNew(revision, baseline)).map((revision) => revision.id);
    return undefined;
  };
  const match = await pollForEffect(job, findRevision, unconfirmed);
  if (match?.evidence === "oldest") {
    job.report.warning(
      text`Several new revisions appeared, and the platform does not report what they deploy. Using the oldest one, ${id(match.revision.id)}. The run succeeds only if all of them are ${code("DEPLOYED")}.`,
    );
  }
  return { match, others };
}
