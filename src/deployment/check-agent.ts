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
  const [first, ...others] = failed;
  if (first === undefined) {
    const details = passedDetails(results);
    return details.length === 0 ? deployed : { ...deployed, details };
  }
  return {
    outcome: first.isSuperseded ? "superseded" : "failed",
    headline: `Revision ${revisionId} is DEPLOYED, but ${reasons[first.kind]}.`,
    ...(others.length === 0
      ? { details: [first.message] }
      : { details: [countFailed(failed, results)], findings: failed.map(({ message }) => message) }),
    ...(first.hint !== undefined && { hint: first.hint }),
  };
}

/** A sentence for each check, and one for all smoke tests. */
function passedDetails(results: readonly CheckResult[]): string[] {
  const others = results.filter(({ kind }) => kind !== "smoke test");
  const count = results.length - others.length;
  const all = count === 1 ? "The smoke test passed." : `All ${count} smoke tests passed.`;
  return [...others.map(({ message }) => message), ...(count === 0 ? [] : [all])];
}

/** Several checks can fail only if they are smoke tests. */
function countFailed(failed: readonly CheckResult[], results: readonly CheckResult[]): string {
  const count = results.filter(({ kind }) => kind === "smoke test").length;
  return `${failed.length} of ${count} smoke tests failed.`;
}

const reasons: Readonly<Record<CheckResult["kind"], string>> = {
  "health check": "not healthy",
  "serving check": "was not seen to respond",
  "smoke test": "failed a smoke test",
};
