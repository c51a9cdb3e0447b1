import type { Ending } from "../ending.ts";
import { CancelledError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import type { Status } from "../platform/status.ts";
import { applyPlan } from "./apply/apply.ts";
import type { AppliedRevision } from "./apply/match-revision.ts";
import { reportResumed } from "./apply/resume.ts";
import { checkAgent } from "./checks/check-agent.ts";
import { findCommitMismatch } from "./checks/verify-commit.ts";
import { dryRun } from "./plan/dry-run.ts";
import type { PlannedDeployment } from "./planned-deployment.ts";
import { rollBackOnFailure } from "./rollback/rollback-on-failure.ts";
import { explainFailure, showServerLog } from "./watch/explain-failure.ts";
import { interruptRevision } from "./watch/interrupt.ts";
import { LiveLog } from "./watch/live-log.ts";
import { newerLiveId, type WatchResult, watchRevision } from "./watch/watch.ts";

/** Carries out a planned deployment from its write to its end. `resumed`: a revision to watch instead of making one. */
export async function runDeployment(
  planned: PlannedDeployment,
  resumed: AppliedRevision | undefined,
  context: RunContext,
): Promise<Ending> {
  if (planned.inputs.mode.dryRun) return await dryRun(planned, context);
  return await finishRevision(await startRevision(planned, resumed, context), planned, context);
}

/** This run's revision, which the platform builds or deploys now. */
export interface StartedRevision {
  readonly applied: AppliedRevision;
  /** How long it will probably take, in milliseconds; undefined if unknown. */
  readonly typicalMs: number | undefined;
}

/** Makes this run's revision, or resumes the one that an earlier attempt or step of the run started. */
export async function startRevision(
  planned: PlannedDeployment,
  resumed: AppliedRevision | undefined,
  context: RunContext,
): Promise<StartedRevision> {
  const { inputs } = planned;
  let applied = resumed;
  try {
    if (resumed !== undefined) {
      await reportResumed(resumed, context);
      // Its start was not seen, so the typical duration does not apply.
      return { applied: resumed, typicalMs: undefined };
    }
    applied = await applyPlan(planned, context);
    const { capabilities } = inputs.controlPlane.platform;
    const typicalMs = capabilities.durations ? applied.before.typicalMs : undefined;
    const { revisionId } = applied;
    await context.emit({ kind: "revision_identified", revisionId, typicalMs, isResumed: false });
    return { applied, typicalMs };
  } catch (error) {
    if (inputs.after.interruptOnCancel && context.cancelled.aborted) {
      if (applied === undefined) await context.emit({ kind: "interrupt_skipped" });
      else await interruptRevision(applied, inputs.controlPlane, context);
    }
    throw error;
  }
}

/** Waits for the revision, checks it, and rolls back if it failed and the inputs say so. */
export async function finishRevision(
  started: StartedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const { inputs } = planned;
  const { mode, after } = inputs;
  const { applied } = started;
  if (!mode.wait) {
    return {
      outcome: "started",
      headline: `Revision ${applied.revisionId} was started. This run does not wait for it (wait: false).`,
    };
  }
  const liveLog = mode.buildLog === "live" ? new LiveLog(applied, inputs.controlPlane, context) : undefined;
  const watched = await watchStarted(started, planned, liveLog, context);
  if (watched.ending.outcome !== "deployed") {
    const explained = await explainFailure(watched, applied, inputs, liveLog, context);
    return await rollBackIfWanted(explained, watched, applied, planned, context);
  }
  const built = { sha: watched.revision?.commitSha, repoUrl: watched.repoUrl };
  const mismatch = findCommitMismatch(built, planned.plan, context.workflow);
  if (mismatch?.isUnexpected && !after.verifyCommit) context.log.warning(mismatch.message);
  const checked = await checkAgent(watched, applied, planned, context);
  if (checked.outcome !== "deployed") {
    if (checked.outcome === "failed") await showServerLog(applied, inputs, context);
    return await rollBackIfWanted(checked, watched, applied, planned, context);
  }
  if (mismatch && after.verifyCommit) {
    const state = newerLiveId(watched) === undefined ? "is live" : "was deployed";
    const hint = `The revision ${state} anyway. ${mismatch.hint}`;
    return { outcome: "failed", headline: mismatch.message, hint };
  }
  return checked;
}

async function watchStarted(
  { applied, typicalMs }: StartedRevision,
  { inputs, controlPlane }: PlannedDeployment,
  liveLog: LiveLog | undefined,
  context: RunContext,
): Promise<WatchResult> {
  const { mode, after } = inputs;
  const options = {
    timeoutMs: mode.timeoutMs,
    maxDelayMs: mode.pollIntervalMs,
    typicalMs,
    onPoll: liveLog && ((status: Status) => liveLog.onPoll(status)),
    ...(after.interruptOnCancel && {
      onCancel: async () => {
        // A preview that is no longer wanted ends the watching too, and is deleted.
        if (!(context.cancelled.reason instanceof CancelledError)) return;
        await interruptRevision(applied, inputs.controlPlane, context);
      },
    }),
  };
  try {
    return await watchRevision(applied, options, controlPlane, context);
  } finally {
    liveLog?.close();
  }
}

/** Adds what a rollback did to the ending of a revision that failed, was interrupted or is not healthy. */
async function rollBackIfWanted(
  ending: Ending,
  { revision }: WatchResult,
  applied: AppliedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const hasFailed = ending.outcome === "failed" || ending.outcome === "interrupted";
  if (!planned.inputs.after.rollbackOnFailure || !hasFailed) return ending;
  const failed = { applied, wasDeployed: revision?.status.kind === "deployed" };
  const rollback = await rollBackOnFailure(failed, planned, context);
  return { ...ending, details: [...(ending.details ?? []), ...rollback] };
}
