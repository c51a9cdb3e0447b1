import { connectAgent } from "../checks/agent-client.ts";
import { runChecks } from "../checks/run-checks.ts";
import type { Ending } from "../ending.ts";
import type { CheckResult, RunContext } from "../events.ts";
import type { AppliedRevision } from "./attribution.ts";
import { isNewerRevision } from "./newer-revision.ts";
import type { PlannedDeployment } from "./planned-deployment.ts";
import type { WatchResult } from "./watch.ts";

/**
 * Checks the agent of a revision that is live. Returns the ending of the deployment: the one given, with what was found
 * out, or a failure.
 *
 * @throws the reason of a cancellation.
 */
export async function checkAgent(
  { ending, revision, url }: WatchResult,
  applied: AppliedRevision,
  { inputs, controlPlane }: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const { checks } = inputs.after;
  const subject = {
    revisionId: applied.revisionId,
    agent: connectAgent(url, checks, context),
    isNewer: (id: string) => isNewerRevision(id, revision, applied, controlPlane.withoutRetry(), context),
  };
  return endingAfterChecks(await runChecks(subject, checks, context), ending, applied.revisionId);
}

/** The ending after these results. `deployed`: the ending if all of them passed. */
export function endingAfterChecks(
  results: readonly CheckResult[],
  deployed: Ending,
  revisionId: string,
): Ending {
  const failed = results.filter(({ passed }) => !passed);
  const [first] = failed;
  if (first === undefined) {
    return results.length === 0 ? deployed : { ...deployed, details: results.map(({ message }) => message) };
  }
  return {
    outcome: first.isSuperseded ? "superseded" : "failed",
    headline: `Revision ${revisionId} is DEPLOYED, but ${reasons[first.kind]}.`,
    details: [first.message],
    ...(first.hint !== undefined && { hint: first.hint }),
  };
}

const reasons: Readonly<Record<CheckResult["kind"], string>> = {
  "health check": "not healthy",
  "serving check": "was not seen to respond",
  "smoke test": "failed a smoke test",
};
