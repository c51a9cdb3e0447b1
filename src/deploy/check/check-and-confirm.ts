import type { CheckError } from "../../checks/check-error.ts";
import type { ReadBaseline } from "../../checks/comparison-check.ts";
import { type Result, toResult } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { link, type Message, type Phrase, phrase } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import type { OwnRevision } from "../own-revision.ts";
import type { Snapshot } from "../snapshot.ts";
import { confirmLive } from "../watch/watch.ts";
import { checkRevision, type LiveRevision } from "./check-revision.ts";

/** A revision that was still live after its checks. */
interface CheckedRevision {
  /** The messages of the checks, or the failure if one failed. */
  readonly result: Result<readonly Message[], CheckError>;
  readonly snapshot: Snapshot;
}

/**
 * Checks a live revision, and confirms afterwards that it is still live.
 *
 * @throws Failure if it is not live, or if that can't be read
 */
export async function checkAndConfirm(
  context: RevisionContext,
  ownRevision: OwnRevision,
  live: LiveRevision,
  readBaseline?: ReadBaseline,
): Promise<CheckedRevision> {
  const result = await checkRevision(context, ownRevision, live, readBaseline);
  const confirmed = await toResult(() => confirmLive(context, ownRevision, live.revision), context.cancelled);
  // A newer revision may have responded to the checks, so they say nothing certain about this one.
  if (confirmed.error !== undefined) throw confirmed.error.addDetails(result.error?.ending.message);
  return { result, snapshot: confirmed.value };
}

/** Returns ` at https://…`; undefined if the deployment shows no URL. */
export function atUrl({ url }: Deployment): Phrase | undefined {
  return url === undefined ? undefined : phrase` at ${link(url)}`;
}
