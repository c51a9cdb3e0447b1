import type { CheckError } from "../../checks/check-error.ts";
import type { ComparedAgent } from "../../checks/comparison-check.ts";
import { Failure, type Result, toResult } from "../../errors.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { link, type Message, text } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import type { History, LiveHistory } from "../history.ts";
import type { OwnRevision } from "../own-revision.ts";
import { confirmLive } from "../watch/watch.ts";
import { checkRevision, type LiveRevision } from "./check-revision.ts";

/** A revision that was still live after its checks. */
interface CheckedRevision {
  /** The messages of the checks, or the failure if one failed. */
  readonly result: Result<readonly Message[], CheckError>;
  readonly history: History;
}

/**
 * Checks a live revision, and confirms afterwards that it is still live.
 *
 * @throws Failure if it is not live, or if that can't be read, and the reason of a cancellation
 */
export async function checkAndConfirm(
  context: RevisionContext,
  ownRevision: OwnRevision,
  live: LiveRevision,
  comparedAgent?: ComparedAgent,
): Promise<CheckedRevision> {
  const result = await checkRevision(context, ownRevision, live, comparedAgent);
  const confirm = async () => requireSameUrl(live, await confirmLive(context, ownRevision, live.revision));
  const confirmed = await toResult(confirm, context.cancelled);
  // A newer revision may have responded to the checks, so they say nothing certain about this one.
  if (confirmed.error !== undefined) throw confirmed.error.addDetails(result.error?.ending.message);
  return { result, history: confirmed.value };
}

/** @throws Failure if the deployment has another URL now than the one that was checked */
function requireSameUrl({ deployment: { url: checked } }: LiveRevision, history: LiveHistory): LiveHistory {
  const { url } = history.deployment;
  if (checked === undefined || url === undefined || checked === url) return history;
  throw new Failure(
    text`The deployment has another URL now: ${link(url)}. The checks asked ${link(checked)}.`,
    { hint: text`If somebody changed it meanwhile, run this job again to check the new one.` },
  );
}

/** Returns ` at https://…`; undefined if the deployment shows no URL. */
export function atUrl({ url }: Deployment): Message | undefined {
  return url === undefined ? undefined : text` at ${link(url)}`;
}
