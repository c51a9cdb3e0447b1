import { ActionError, bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision, RevisionSource } from "../../platform/deployment.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import {
  deploysSource,
  existedBefore,
  findOwnRevision,
  isNew,
  type KnownRevisions,
} from "./match-revision.ts";
import { confirmWrite, type UnconfirmedWrite, UnconfirmedWriteError } from "./unconfirmed-write.ts";

/** A write that makes a revision, and what identifies that revision. */
export interface RevisionToIdentify {
  readonly deploymentId: string;
  readonly created: boolean;
  /** The revision that the response named. */
  readonly namedId: string | undefined;
  readonly before: KnownRevisions;
  /** What the revision deploys. */
  readonly source: RevisionSource;
  /** Whether a new revision proves that an unconfirmed write took effect: what it shows is all that was sent. */
  readonly isProof: (revision: Revision) => boolean;
  /** Set if the response left open whether the write took effect. */
  readonly unconfirmed: UnconfirmedWrite | undefined;
}

/** The platform accepted a write, but no revision of this run appeared. */
export class RevisionNotFoundError extends ActionError {
  override readonly name = "RevisionNotFoundError";
  readonly deploymentId: string;

  /** `others`: ids of new revisions of another source. */
  constructor({ deploymentId, created }: RevisionToIdentify, others: readonly string[]) {
    const found = others.length === 0 ? "" : ` New revisions of another source: ${others.join(", ")}.`;
    super(
      `The platform ${created ? "created" : "accepted the update of"} deployment ${sanitizeExcerpt(deploymentId, 100)}, but no new revision of this run appeared within 60 s.${found}`,
      {
        code: "revision_not_found",
        hint: created
          ? "Check the deployment on the platform: it may be left behind without a revision."
          : "Check the deployment's revisions on the platform. If the update changed nothing, there was nothing to deploy.",
      },
    );
    this.deploymentId = deploymentId;
  }
}

/**
 * The id of the revision that a write made (docs/specification.md#which-revision-is-this-runs): the one that the response
 * named, if it is new and deploys what was sent, else the one that the list shows.
 *
 * @throws RevisionNotFoundError, or UnconfirmedWriteError if the write was unconfirmed.
 */
export async function identifyRevision(
  write: RevisionToIdentify,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<string> {
  const { namedId, before, unconfirmed } = write;
  const isNamed = namedId !== undefined && !existedBefore(namedId, before);
  const objection = isNamed ? await checkNamed(namedId, write, controlPlane, context) : undefined;
  if (isNamed && objection === undefined) return namedId;
  const search = await searchList(write, controlPlane, context);
  if (search.id !== undefined) return search.id;
  const others = new Set([...search.others, ...(objection === "deploys another source" ? [namedId] : [])]);
  const ids = [...others].map((id) => sanitizeExcerpt(id ?? "", 100));
  if (unconfirmed === undefined) throw new RevisionNotFoundError(write, ids);
  throw ids.length === 0
    ? new UnconfirmedWriteError(unconfirmed)
    : new UnconfirmedWriteError(
        unconfirmed,
        `New revisions appeared, but the platform does not show that they are this run's: ${ids.join(", ")}.`,
      );
}

type Objection = "existed before" | "deploys another source";

/** What speaks against the revision that the response named. If it can't be read, watching it will show the reason. */
async function checkNamed(
  id: string,
  { deploymentId, before, source }: RevisionToIdentify,
  controlPlane: ControlPlane,
  { emit, cancelled, log }: RunContext,
): Promise<Objection | undefined> {
  await emit({ kind: "revision_named", revisionId: id });
  const read = await bestEffort(() => controlPlane.withoutRetry().getRevision(deploymentId, id), cancelled);
  if ("error" in read) return undefined;
  const objection = objectionTo(read.value, before, source);
  if (objection === undefined) return undefined;
  await emit({ kind: "revision_named", revisionId: undefined });
  log.warning(`The platform named revision ${id}, but that ${objection}. Searching for this run's revision.`);
  return objection;
}

function objectionTo(
  revision: Revision,
  before: KnownRevisions,
  source: RevisionSource,
): Objection | undefined {
  if (!isNew(revision, before)) return "existed before";
  return deploysSource(revision, source) === false ? "deploys another source" : undefined;
}

async function searchList(
  { deploymentId, before, source, isProof, unconfirmed }: RevisionToIdentify,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<{ id: string | undefined; others: readonly string[] }> {
  const polled = controlPlane.withoutRetry();
  let others: readonly string[] = [];
  const findRevision = async () => {
    const listed = await polled.listRevisions(deploymentId);
    // Another run may have made a new revision, so an unconfirmed write is confirmed only by one that shows all of it.
    const candidates = unconfirmed === undefined ? listed : listed.filter(isProof);
    const found = findOwnRevision(candidates, before, source);
    if (found !== undefined) return found;
    others = listed.filter((revision) => isNew(revision, before)).map(({ id }) => id);
    return undefined;
  };
  const found = await confirmWrite(findRevision, unconfirmed, context);
  if (found?.isCertain === false) {
    context.log.warning(
      `Several new revisions appeared, and the platform does not show what they deploy. Using the oldest one, ${found.id}.`,
    );
  }
  return { id: found?.id, others };
}
