import type { ComparedAgent } from "../../checks/comparison-check.ts";
import { toResult } from "../../errors.ts";
import { link, type Message, text } from "../../text/message.ts";
import type { RevisionContext } from "../deploy-context.ts";
import type { LiveDeployment } from "../find/history.ts";
import type { OwnRevision } from "../make/own-revision.ts";
import { confirmLive } from "../watch/watch.ts";
import { checkRevision } from "./check-revision.ts";

/**
 * Checks a live revision, and confirms afterwards that it is still live. Returns the messages of the checks.
 *
 * @throws CheckError if it is live and a check failed, Failure if it is not live, and the reason of a cancellation
 */
export async function checkAndConfirm(
  context: RevisionContext,
  ownRevision: OwnRevision,
  live: LiveDeployment,
  comparedAgent?: ComparedAgent,
): Promise<readonly Message[]> {
  const { cancelled } = context;
  const checked = await toResult(() => checkRevision(context, ownRevision, live, comparedAgent), cancelled);
  const confirmed = await toResult(() => confirmLive(context, ownRevision, live.revision), cancelled);
  if (confirmed.error !== undefined) {
    // A newer revision may have responded to the checks, so they say nothing certain about this one.
    throw confirmed.error.addDetails(checked.error !== undefined ? checked.error.ending.message : undefined);
  }
  if (checked.error !== undefined) throw checked.error;
  return checked.value;
}

/** Returns ` at https://…`; undefined if the deployment shows no URL. */
export function atUrl({ report }: RevisionContext): Message | undefined {
  const address = report.state.deployment?.url;
  return address === undefined ? undefined : text` at ${link(address)}`;
}
