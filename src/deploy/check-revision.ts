import { type Agent, connectAgent } from "../agent/agent-client.ts";
import type { Check } from "../checks/check.ts";
import { healthCheck } from "../checks/health-check.ts";
import { runChecks } from "../checks/run-checks.ts";
import { smokeTestCheck } from "../checks/run-smoke-test.ts";
import { servingCheck } from "../checks/serving-check.ts";
import { toResult } from "../errors.ts";
import type { CheckInputs } from "../inputs/checks.ts";
import type { Revision } from "../platform/deployment.ts";
import { isNotFound } from "../platform/error-kinds.ts";
import type { ChecksResult, WatchResult, WatchResultOf } from "../results/watch.ts";
import { id, text } from "../text/message.ts";
import type { RunRevision } from "./apply/revision-history.ts";
import { comparison } from "./compare/compare.ts";
import type { ComparedWith } from "./compare/compared-with.ts";
import type { CheckedJob, PlatformJob } from "./job.ts";
import { showServerLog } from "./watch/failure-log.ts";
import { isNewerRevision, readLiveState } from "./watch/live-state.ts";

/** Whether a check was asked for, which makes sense only for the revision that is live. */
export function needsLiveRevision({ checks, verifyCommit = false }: CheckOptions): boolean {
  const { healthPath, serving, smokeTests, compare } = checks;
  const isAsked = healthPath !== undefined || serving === "require" || smokeTests.length > 0;
  return isAsked || compare !== undefined || verifyCommit;
}

/** What the inputs say of the checks; a rollback verifies no commit. */
export interface CheckOptions {
  readonly checks: CheckInputs;
  readonly verifyCommit?: boolean;
}

/** The checks that need more than the agent: of the commit, and of the contract. */
export interface MoreChecks {
  readonly comparedWith?: ComparedWith | undefined;
  readonly commit?: Check | undefined;
}

/**
 * Runs all checks of a deploy or a rollback, if its revision is live, and finds out whether it was this one that they asked.
 * Shows the end of the server's log after one that failed. @throws the reason of a cancellation
 */
export async function checkRevision(
  job: CheckedJob,
  run: RunRevision,
  watched: WatchResult,
  more: MoreChecks,
): Promise<ChecksResult> {
  if (watched.kind !== "live") return { results: [] };
  const { report, options, cancelled } = job;
  const agent = connectAgent(watched.url, options.checks, cancelled);
  const results = await runChecks(job, agent, checksOf(job, run, { ...watched, agent }, more));
  report.checksEnded();
  const afterwards = results.length > 0 ? await readAfterwards(job, run, watched.revision) : undefined;
  // Of what was built or is compared, the server's log shows nothing.
  const hasFailed = results.some(
    ({ passed, kind }) => !passed && kind !== "comparison" && kind !== "commit check",
  );
  if (hasFailed && afterwards?.kind !== "replaced") await showServerLog(job, run);
  return { results, afterwards };
}

/** The checks that the inputs ask for, in order: the first finds out which revision the others ask. */
function checksOf(
  job: CheckedJob,
  run: RunRevision,
  { revision, agent }: WatchResultOf<"live"> & { readonly agent: Agent },
  { comparedWith, commit }: MoreChecks,
): Check[] {
  const { serving, healthPath, smokeTests, timeoutMs } = job.options.checks;
  const checkServing = (mode: "auto" | "require") =>
    servingCheck(job, agent, {
      mode,
      timeoutMs,
      revisionId: run.revisionId,
      isNewer: async (revisionId) => (await isNewerRevision(job, run, revisionId, revision)) === true,
      onVersion: (version) => job.report.serverVersion(version),
    });
  return [
    ...(serving === "off" ? [] : [checkServing(serving)]),
    ...(healthPath === undefined ? [] : [healthCheck(job, agent, healthPath, timeoutMs)]),
    ...smokeTests.map((test) => smokeTestCheck(agent, test)),
    ...comparison(job, run, agent, comparedWith),
    // The last one: a rollback does not follow it, but the others.
    ...(commit === undefined ? [] : [commit]),
  ];
}

/** Whether this run's revision was replaced, or is no longer live, after it was checked. */
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
