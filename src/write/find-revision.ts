import type { Deployment, RevisionSource } from "../control-plane/deployment.ts";
import { tryLook } from "../control-plane/look.ts";
import { attribute, deploys, type KnownRevisions } from "../revisions/attribution.ts";
import { AmbiguousWriteError, type DoubtfulWrite, RevisionNotSeenError } from "./errors.ts";
import { lookForEffect } from "./look-for-effect.ts";
import type { WriteTools } from "./write.ts";

export interface RevisionSearch {
  readonly deployment: Deployment;
  /** The revision that the write's answer named. */
  readonly candidate: string | undefined;
  readonly before: KnownRevisions;
  /** What the revision deploys, by which it is told from others. */
  readonly source: RevisionSource;
  /** Where it is open whether the write took effect. */
  readonly doubt: DoubtfulWrite | undefined;
}

type SearchTools = Pick<WriteTools, "plane" | "progress" | "ports">;

/**
 * The id of the revision that the write made: what its answer named, if that is new. Where that is shown to deploy
 * something else, a look at the list may find this run's own; otherwise the list is read until it shows one.
 *
 * @throws RevisionNotSeenError, or AmbiguousWriteError where there was a doubt.
 */
export async function findRevision(search: RevisionSearch, tools: SearchTools): Promise<string> {
  const { before, doubt } = search;
  const { progress, ports } = tools;
  const named = namedRevision(search);
  if (named !== undefined) {
    progress.named(named);
    if (!(await deploysAnother(named, search, tools))) return named;
    progress.named(undefined);
  }
  const plane = tools.plane.once();
  let foreign: readonly string[] = [];
  const look = async () => {
    const found = attribute(await plane.listRevisions(search.deployment.id), before, search.source);
    if (found.kind === "not-yet") {
      foreign = found.foreign;
      return undefined;
    }
    if (found.unsure) ports.log.warning(unsureOf(found.id));
    return found.id;
  };
  const id = await lookForEffect(look, doubt, ports);
  if (id !== undefined) return id;
  if (named !== undefined) {
    ports.log.warning(`No other revision appeared: taking ${named}, which the platform answered with.`);
    return named;
  }
  throw doubt === undefined
    ? new RevisionNotSeenError(search.deployment.id, foreign)
    : new AmbiguousWriteError(doubt);
}

/** What the write's answer named, unless it was there before. */
function namedRevision({ candidate, before }: RevisionSearch): string | undefined {
  return candidate !== undefined && !before.ids.has(candidate) ? candidate : undefined;
}

/**
 * Whether the platform shows that this revision deploys something else than this run asked for. Whatever it doesn't
 * show, the key being refused too, is for the watch to find out, which comes once the revision is told.
 */
async function deploysAnother(
  candidate: string,
  search: RevisionSearch,
  { plane, ports }: SearchTools,
): Promise<boolean> {
  const look = () => plane.once().getRevision(search.deployment.id, candidate);
  const result = await tryLook(look, ports);
  if ("error" in result || deploys(result.seen, search.source) !== false) return false;
  ports.log.warning(
    `The platform answered with revision ${candidate}, but that deploys something else: looking for this run's own.`,
  );
  return true;
}

function unsureOf(id: string): string {
  return `Several new revisions appeared and the platform doesn't show what they deploy; taking the oldest, ${id}, for this run's.`;
}
