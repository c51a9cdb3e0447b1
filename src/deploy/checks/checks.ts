import { toResult } from "../../errors.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound } from "../../platform/error-kinds.ts";
import type { CheckResult, ChecksResult, WatchResultOf } from "../../results/watch.ts";
import { id, text } from "../../text/message.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { DeployJob, PlatformJob } from "../job.ts";
import { showServerLog } from "../watch/failure-log.ts";
import { readLiveState } from "../watch/live-state.ts";
import { connectAgent } from "./agent-client.ts";
import { performCheck, type Stage } from "./check.ts";
import { healthCheck } from "./health-check.ts";
import { servingCheck } from "./serving-check.ts";
import { smokeTests } from "./smoke-test.ts";

/** A later one runs only if all checks of the earlier ones passed: the serving check finds out which revision the others ask. */
const stages: readonly Stage[] = [servingCheck, healthCheck, smokeTests];

/** Whether a check was asked for, which makes sense only for the revision that is live. */
export function needsLiveRevision(inputs: CheckInputs): boolean {
  const { healthPath, serving, smokeTests: tests, compare } = inputs;
  return healthPath !== undefined || serving === "require" || tests.length > 0 || compare !== undefined;
}

/**
 * Checks the deployed agent (docs/specification.md#checks), and finds out whether this run's revision was checked. Shows the
 * end of the server's log after a failed check. `last`: follows if all others passed.
 *
 * @throws the reason of a cancellation.
 */
export async function runChecks(
  job: DeployJob,
  ours: RunRevision,
  { revision, url }: WatchResultOf<"live">,
  last: Stage,
): Promise<ChecksResult> {
  const target = { job, ours, revision, agent: connectAgent(url, job.options.checks, job.cancelled) };
  const results: CheckResult[] = [];
  for (const stage of [...stages, last]) {
    for (const check of await stage(target)) {
      const result = await performCheck(job, check);
      if (result !== undefined) results.push(result);
    }
    if (results.some(({ passed }) => !passed)) break;
  }
  job.report.checksEnded();
  const afterwards = results.length > 0 ? await readAfterwards(job, ours, revision) : undefined;
  // Of a comparison, and of a newer revision that responds, the server's log shows nothing.
  const hasFailed = results.some(
    ({ passed, finding: { kind } }) => !passed && kind !== "compared" && kind !== "superseded",
  );
  if (hasFailed && afterwards?.kind !== "replaced") await showServerLog(job, ours);
  return { results, afterwards };
}

/**
 * Whether this run's revision was replaced, or is no longer live, after it was checked.
 *
 * @throws the reason of a cancellation.
 */
export async function readAfterwards(
  job: PlatformJob,
  ours: RunRevision,
  revision: Revision,
): Promise<ChecksResult["afterwards"]> {
  const read = async () => {
    const deployment = await job.controlPlane.getDeployment(ours.deploymentId);
    job.report.deployment(deployment);
    return await readLiveState(job, ours, deployment, revision);
  };
  const { deploymentId } = ours;
  const live = await toResult(read, job.cancelled);
  if ("error" in live) {
    if (isNotFound(live.error)) return { kind: "being_deleted", deploymentId };
    job.report.warning(
      text`${live.error.text} Could not confirm that revision ${id(revision.id)} was still live after its checks.`,
    );
    return undefined;
  }
  switch (live.value.kind) {
    case "ours":
      return undefined;
    case "newer":
      return { kind: "replaced", liveRevisionId: live.value.id };
    case "being_deleted":
      return { kind: "being_deleted", deploymentId };
    default:
      return { kind: "not_live", live: live.value, waitedMs: job.clock.now() - ours.requestedAt };
  }
}
