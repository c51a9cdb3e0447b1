import { toResult } from "../../errors.ts";
import { withoutQuery } from "../../inputs/agent-request.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import type { Revision } from "../../platform/deployment.ts";
import { isNotFound } from "../../platform/error-kinds.ts";
import type { CheckName, CheckResult, ChecksResult, WatchResultOf } from "../../results/watch.ts";
import { id, text } from "../../text/message.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { CheckedJob, PlatformJob } from "../job.ts";
import { showServerLog } from "../watch/failure-log.ts";
import { readLiveState } from "../watch/live-state.ts";
import { connectAgent } from "./agent-client.ts";
import { infoPath } from "./agent-info.ts";
import { type ChecksBuilder, performChecks } from "./check.ts";

/** Whether a check was asked for, which makes sense only for the revision that is live. */
export function needsLiveRevision(inputs: CheckInputs): boolean {
  const { healthPath, serving, smokeTests: tests, compare } = inputs;
  return healthPath !== undefined || serving === "require" || tests.length > 0 || compare !== undefined;
}

/**
 * Checks the deployed agent (docs/specification.md#checks), and finds out whether this run's revision was checked. Shows the
 * end of the server's log after a failed check. `builders`: the checks of one follow only if all earlier ones passed.
 *
 * @throws the reason of a cancellation.
 */
export async function runChecks(
  job: CheckedJob,
  run: RunRevision,
  { revision, url }: WatchResultOf<"live">,
  builders: readonly ChecksBuilder[],
): Promise<ChecksResult> {
  const subject = { job, run, revision, agent: connectAgent(url, job.options.checks, job.cancelled) };
  const groups = builders.map((build) => () => build(subject));
  const results = await performChecks(job, groups);
  job.report.setFacts({ checksNotRun: checksNotRun(job.options.checks, results) });
  const afterwards = results.length > 0 ? await readAfterwards(job, run, revision) : undefined;
  // Of a comparison, and of a newer revision that responds, the server's log shows nothing.
  const hasFailed = results.some(
    ({ passed, finding: { kind } }) => !passed && kind !== "compared" && kind !== "superseded",
  );
  const serverLog = hasFailed && afterwards?.kind !== "replaced" ? await showServerLog(job, run) : undefined;
  return { results, afterwards, serverLog };
}

/**
 * The checks that have no result: after a failure, a serving check that found out nothing, or a comparison of a first deployment
 * with what was there before.
 */
function checksNotRun(
  { healthPath, serving, smokeTests, compare }: CheckInputs,
  results: readonly CheckResult[],
): readonly CheckName[] {
  const wanted: readonly CheckName[] = [
    ...(serving === "off" ? [] : [{ kind: "serving check", name: infoPath } as const]),
    ...(healthPath === undefined ? [] : [{ kind: "health check", name: withoutQuery(healthPath) } as const]),
    ...smokeTests.map(({ name }) => ({ kind: "smoke test", name }) as const),
    ...(compare === undefined ? [] : [{ kind: "comparison", name: compare.target } as const]),
  ];
  return wanted.filter(({ kind, name }) => !results.some((run) => run.kind === kind && run.name === name));
}

/**
 * Whether this run's revision was replaced, or is no longer live, after it was checked.
 *
 * @throws the reason of a cancellation.
 */
async function readAfterwards(
  job: PlatformJob,
  run: RunRevision,
  revision: Revision,
): Promise<ChecksResult["afterwards"]> {
  const read = async () => {
    const deployment = await job.controlPlane.getDeployment(run.deploymentId);
    job.report.deployment(deployment);
    return await readLiveState(job, run, deployment, revision);
  };
  const { deploymentId } = run;
  const live = await toResult(read, job.cancelled);
  if ("error" in live) {
    if (isNotFound(live.error)) return { kind: "being_deleted", deploymentId };
    job.report.warning(
      text`${live.error.ending.message} Could not confirm that revision ${id(revision.id)} was still live after its checks.`,
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
      return { kind: "not_live", live: live.value, waitedMs: job.clock.now() - run.requestedAt };
  }
}
