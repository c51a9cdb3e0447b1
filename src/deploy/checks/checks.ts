import { toResult } from "../../errors.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { isNotFound } from "../../platform/error-kinds.ts";
import { checkLabel } from "../../report/check-messages.ts";
import { id, text } from "../../text/message.ts";
import type { CheckResult, ChecksResult, WatchResultOf } from "../../watch-results.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { DeployJob } from "../job.ts";
import { showServerLog } from "../watch/failure-log.ts";
import { readLiveState } from "../watch/live-state.ts";
import { connectAgent } from "./agent-client.ts";
import type { Check, CheckTarget } from "./check.ts";
import { healthCheck } from "./health-check.ts";
import { servingCheck } from "./serving-check.ts";
import { smokeTests, wakeAgent } from "./smoke-test.ts";

interface Stage {
  /** The checks that the inputs ask for. */
  readonly checksFor: (inputs: CheckInputs) => readonly Check[];
  /** Called before the checks, if there are any. */
  readonly prepare?: (target: CheckTarget) => Promise<void>;
}

/** A later one runs only if all checks of the earlier ones passed: the serving check finds out which revision the others ask. */
const stages: readonly Stage[] = [
  { checksFor: servingCheck },
  { checksFor: healthCheck },
  { checksFor: smokeTests, prepare: wakeAgent },
];

/** Whether a check was asked for, which makes sense only for the revision that is live. */
export function needsLiveRevision(inputs: CheckInputs): boolean {
  const { healthPath, serving, smokeTests: tests, compare } = inputs;
  return healthPath !== undefined || serving === "require" || tests.length > 0 || compare !== undefined;
}

/**
 * Checks the deployed agent (docs/specification.md#checks), and finds out whether this run's revision was checked. Shows the
 * end of the server's log after a failed check. `last`: those that follow if all others passed.
 *
 * @throws the reason of a cancellation.
 */
export async function runChecks(
  job: DeployJob,
  ours: RunRevision,
  { revision, url }: WatchResultOf<"live">,
  last: readonly Check[],
): Promise<ChecksResult> {
  const { checks: inputs } = job.options;
  const agent = connectAgent(url, inputs, job.cancelled);
  const target = { job, ours, revision, agent };
  const results: CheckResult[] = [];
  for (const { checksFor, prepare } of [...stages, { checksFor: () => last }]) {
    const checks = checksFor(inputs);
    if (checks.length > 0) await prepare?.(target);
    for (const check of checks) {
      const result = await runCheck(check, target);
      if (result !== undefined) results.push(result);
    }
    if (results.some(({ passed }) => !passed)) break;
  }
  job.report.runningCheck(undefined);
  // A comparison that only warns has no result.
  const isChecked = results.length > 0 || last.length > 0;
  const afterwards = isChecked ? await readAfterwards(target) : undefined;
  // Of a comparison, the server's log shows nothing.
  const hasFailed = results.some(
    ({ kind, passed, isSuperseded }) => !passed && !isSuperseded && kind !== "comparison",
  );
  if (hasFailed && afterwards?.kind !== "replaced") await showServerLog(job, ours);
  return { results, afterwards };
}

async function runCheck(
  { kind, name, perform }: Check,
  target: CheckTarget,
): Promise<CheckResult | undefined> {
  const { clock, report } = target.job;
  report.runningCheck(checkLabel({ kind, name }));
  const startedAt = clock.now();
  const finding = await perform(target);
  report.activity(undefined);
  if (finding === undefined) return undefined;
  const result = { kind, name, durationMs: clock.now() - startedAt, ...finding };
  report.check(result);
  return result;
}

/** Whether this run's revision was replaced, or is no longer live, after it was checked. */
async function readAfterwards({ job, ours, revision }: CheckTarget): Promise<ChecksResult["afterwards"]> {
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
