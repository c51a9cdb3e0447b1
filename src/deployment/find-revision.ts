import type { Deployment, RevisionSource } from "../platform/deployment.ts";
import { tryLook } from "../platform/look.ts";
import { attribute, deploys, isNew, type KnownRevisions } from "./attribution.ts";
import { RevisionNotFoundError, type UnconfirmedWrite, UnconfirmedWriteError } from "./errors.ts";
import { confirmWrite } from "./look-for-effect.ts";
import type { WriteTools } from "./write.ts";

export interface RevisionSearch {
  readonly deployment: Deployment;
  /** The revision that the write's answer named. */
  readonly candidate: string | undefined;
  readonly before: KnownRevisions;
  /** What the revision deploys, by which it is told from others. */
  readonly source: RevisionSource;
  /** Where it is open whether the write took effect. */
  readonly doubt: UnconfirmedWrite | undefined;
}

type SearchTools = Pick<WriteTools, "plane" | "progress" | "context">;

/**
 * The id of the revision that the write made: what its answer named, if that is new. Where that is shown to deploy
 * something else, a look at the list may find this run's own; otherwise the list is read until it shows one.
 *
 * @throws RevisionNotFoundError, or UnconfirmedWriteError where there was a doubt.
 */
export async function findRevision(search: RevisionSearch, tools: SearchTools): Promise<string> {
  const { before, doubt } = search;
  const { progress, context } = tools;
  const named = namedRevision(search);
  let fallback: string | undefined;
  if (named !== undefined) {
    progress.named(named);
    const objection = await objectionTo(named, search, tools);
    if (objection === undefined) return named;
    progress.named(undefined);
    context.log.warning(
      `The platform answered with revision ${named}, but that ${objection}: looking for this run's own.`,
    );
    fallback = objection === "deploys something else" ? named : undefined;
  }
  const plane = tools.plane.once();
  let foreign: readonly string[] = [];
  const look = async () => {
    const found = attribute(await plane.listRevisions(search.deployment.id), before, search.source);
    if (found.kind === "not-yet") {
      foreign = found.foreign;
      return undefined;
    }
    if (found.unsure) context.log.warning(unsureOf(found.id));
    return found.id;
  };
  const id = await confirmWrite(look, doubt, context);
  if (id !== undefined) return id;
  if (fallback !== undefined) {
    context.log.warning(`No other revision appeared: taking ${fallback}, which the platform answered with.`);
    return fallback;
  }
  throw doubt === undefined
    ? new RevisionNotFoundError(search.deployment.id, progress.facts.created, foreign)
    : new UnconfirmedWriteError(doubt);
}

/** What the write's answer named, unless it was there before. */
function namedRevision({ candidate, before }: RevisionSearch): string | undefined {
  return candidate !== undefined && !before.ids.has(candidate) ? candidate : undefined;
}

/**
 * What the platform shows of this revision that speaks against it. Whatever it doesn't show, the key being refused too,
 * is for the watch to find out, which comes once the revision is told.
 */
async function objectionTo(
  candidate: string,
  { deployment, before, source }: RevisionSearch,
  { plane, context }: SearchTools,
): Promise<"deploys something else" | "was there before" | undefined> {
  const result = await tryLook(() => plane.once().getRevision(deployment.id, candidate), context);
  if ("error" in result) return undefined;
  if (!isNew(result.seen, before)) return "was there before";
  return deploys(result.seen, source) === false ? "deploys something else" : undefined;
}

function unsureOf(id: string): string {
  return `Several new revisions appeared and the platform doesn't show what they deploy; taking the oldest, ${id}, for this run's.`;
}
