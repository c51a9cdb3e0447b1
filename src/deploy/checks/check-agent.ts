import type { Ending } from "../../ending.ts";
import { bestEffort } from "../../errors.ts";
import type { CheckResult, RunContext } from "../../events.ts";
import type { ControlPlane } from "../../platform/control-plane.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { AppliedRevision } from "../apply/match-revision.ts";
import type { PlannedDeployment } from "../planned-deployment.ts";
import { readLiveState } from "../watch/live-state.ts";
import { isNewerRevision } from "../watch/newer-revision.ts";
import { newerLiveId, type WatchResult } from "../watch/watch.ts";
import { beingDeleted, checkedAnother, notChecked } from "../watch/watch-endings.ts";
import { connectAgent } from "./agent-client.ts";
import { needsLiveRevision, runChecks } from "./checks.ts";

/**
 * Checks the agent of a revision that was deployed, unless a newer one is live: that one would be checked. Returns the
 * ending of the deployment: the one given, with what was found out, or another one.
 *
 * @throws the reason of a cancellation.
 */
export async function checkAgent(
  watched: WatchResult,
  applied: AppliedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const { ending, revision, url } = watched;
  const { checks } = planned.inputs.after;
  const newerId = newerLiveId(watched);
  if (newerId !== undefined) {
    if (needsLiveRevision(checks)) return notChecked(applied.revisionId, newerId);
    context.log.notice(ending.headline);
    return ending;
  }
  const controlPlane = planned.controlPlane.withoutRetry();
  const subject = {
    revisionId: applied.revisionId,
    agent: connectAgent(url, checks, context),
    isNewer: (id: string) => isNewerRevision(id, revision, applied, controlPlane, context),
  };
  const results = await runChecks(subject, checks, context);
  const checked = endingAfterChecks(results, ending, applied.revisionId);
  // The serving check alone shows which revision it asked.
  const isDecided = results.every(({ kind, passed }) => kind === "serving check" && passed);
  if (isDecided || checked.outcome === "superseded" || revision === undefined) return checked;
  return (await endingIfReplaced(revision, applied, controlPlane, context)) ?? checked;
}

/** How the run ends if its revision was replaced or deleted while it was checked. */
async function endingIfReplaced(
  ours: Revision,
  applied: AppliedRevision,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Ending | undefined> {
  const read = async () => {
    const deployment = await controlPlane.getDeployment(applied.deploymentId);
    return await readLiveState(deployment, ours, applied, controlPlane, context);
  };
  const live = await bestEffort(read, context.cancelled);
  if ("error" in live) return undefined;
  if (live.value.kind === "newer") return checkedAnother(ours.id, live.value.id);
  return live.value.kind === "being_deleted" ? beingDeleted(ours.id, applied.deploymentId) : undefined;
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
