import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";
import { isSameCommit } from "../plan/compare-source.ts";
import { type WatchOptions, type WatchResult, watchRevision } from "../watch/watch.ts";

/**
 * Watches a revision that deploys an earlier one again. It is `deployed` only if it was built from the same commit, as far
 * as the platform shows that. Throws like `watchRevision`.
 */
export async function watchRedeployed(
  again: AppliedRevision,
  earlier: Revision,
  options: WatchOptions,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<WatchResult> {
  const watched = await watchRevision(again, options, controlPlane, context);
  const [built, wanted] = [watched.revision?.commitSha, earlier.commitSha];
  const isOther = built !== undefined && wanted !== undefined && !isSameCommit(built, wanted);
  if (watched.ending.outcome !== "deployed" || !isOther) return watched;
  const [id, earlierId] = [excerpt(again.revisionId), excerpt(earlier.id)];
  return {
    ...watched,
    ending: {
      outcome: "failed",
      headline: `Revision ${id} deploys the source of revision ${earlierId}, but was built from commit ${excerpt(built)} instead of ${excerpt(wanted)}.`,
      hint: "The branch or tag has moved since. Deploy a tag or an image of the working version.",
    },
  };
}

/** Which revision is live now, as a sentence. @throws the reason of a cancellation */
export async function describeLive(
  deploymentId: string,
  controlPlane: ControlPlane,
  { cancelled }: RunContext,
): Promise<string> {
  const read = await bestEffort(() => controlPlane.withoutRetry().getDeployment(deploymentId), cancelled);
  if ("error" in read) return `Could not read which revision is live now: ${read.error.message}`;
  const { activeRevisionId } = read.value;
  return typeof activeRevisionId === "string"
    ? `Revision ${excerpt(activeRevisionId)} is live now.`
    : "The platform does not show which revision is live now.";
}

function excerpt(text: string): string {
  return sanitizeExcerpt(text, 100);
}
