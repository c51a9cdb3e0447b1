import type { Ending } from "../ending.ts";
import type { RunContext } from "../events.ts";
import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import type { LogType } from "../platform/revision-log.ts";
import type { Status } from "../platform/status.ts";
import { sanitizeSentence } from "../text/sanitize.ts";
import { applyPlan } from "./apply.ts";
import type { AppliedRevision } from "./attribution.ts";
import { checkAgent } from "./check-agent.ts";
import { dryRun } from "./dry-run.ts";
import { readFailureLog } from "./failure-log.ts";
import { interruptRevision } from "./interrupt.ts";
import type { PlannedDeployment } from "./planned-deployment.ts";
import { rollBack } from "./rollback.ts";
import { findCommitMismatch } from "./verify-commit.ts";
import { type WatchResult, watchRevision } from "./watch.ts";

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
  { plan, inputs, controlPlane, deadline }: PlannedDeployment,
  resumed: AppliedRevision | undefined,
  context: RunContext,
): Promise<StartedRevision> {
  let applied = resumed;
  try {
    if (resumed !== undefined) return await resumeRevision(resumed, context);
    applied = await applyPlan(plan, deadline, controlPlane, context);
    const { offers } = inputs.controlPlane.platform;
    const typicalMs = offers.durations ? applied.before.typicalMs : undefined;
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

async function resumeRevision(applied: AppliedRevision, { emit, log }: RunContext): Promise<StartedRevision> {
  const { deploymentId, revisionId, writtenAt, liveBefore } = applied;
  log.info(
    `An earlier attempt or step of this run started revision ${revisionId}, which is still running. Watching it.`,
  );
  await emit({ kind: "deployment_identified", deploymentId });
  await emit({ kind: "previous_revision_seen", revisionId: liveBefore?.id });
  await emit({ kind: "write_sent", at: writtenAt });
  // Its start was not seen, so the typical duration does not apply.
  await emit({ kind: "revision_identified", revisionId, typicalMs: undefined, isResumed: true });
  return { applied, typicalMs: undefined };
}

/** Waits for the revision, checks it, and rolls back if it failed and the inputs say so. */
export async function finishRevision(
  { applied, typicalMs }: StartedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const { inputs, controlPlane } = planned;
  const { mode, after } = inputs;
  if (!mode.wait) {
    return {
      outcome: "started",
      headline: `Revision ${applied.revisionId} was started. This run does not wait for it (wait: false).`,
    };
  }
  const options = {
    timeoutMs: mode.timeoutMs,
    maxDelayMs: mode.pollIntervalMs,
    typicalMs,
    ...(after.interruptOnCancel && {
      onCancel: () => interruptRevision(applied, inputs.controlPlane, context),
    }),
  };
  const watched = await watchRevision(applied, options, controlPlane, context);
  if (watched.ending.outcome !== "deployed") {
    const explained = await explainFailure(watched, applied, inputs.controlPlane, context);
    return await rollBackIfWanted(explained, watched, applied, planned, context);
  }
  const mismatch = findCommitMismatch(watched.revision?.commitSha, planned.plan, context.workflow);
  if (mismatch?.isKnown && !after.verifyCommit) context.log.warning(mismatch.message);
  const checked = await checkAgent(watched, applied, planned, context);
  if (checked.outcome !== "deployed") {
    await showServerLog(checked, applied, inputs.controlPlane, context);
    return await rollBackIfWanted(checked, watched, applied, planned, context);
  }
  if (mismatch && after.verifyCommit) {
    const hint = `The revision is live anyway. ${mismatch.hint}`;
    return { outcome: "failed", headline: mismatch.message, hint };
  }
  return checked;
}

/** Shows the end of the server's log after a failed check, if the platform has it. */
async function showServerLog(
  { outcome }: Ending,
  applied: AppliedRevision,
  settings: ControlPlaneSettings,
  context: RunContext,
): Promise<void> {
  if (outcome !== "failed" || !settings.platform.offers.logs) return;
  await readFailureLog(applied, "deploy", settings, context);
}

/** Adds the platform's reason and the end of the log to a failed build or deploy, if the platform has them. */
async function explainFailure(
  { ending, revision }: WatchResult,
  applied: AppliedRevision,
  settings: ControlPlaneSettings,
  context: RunContext,
): Promise<Ending> {
  if (revision?.status.kind !== "failed" || !settings.platform.offers.logs) return ending;
  const type = logTypeFor(revision.status);
  const failureLog = await readFailureLog(applied, type, settings, context);
  const reason = context.redact.text(revision.statusMessage?.trim() ?? "");
  return {
    ...ending,
    ...(reason !== "" && { details: [`The platform says: ${sanitizeSentence(reason, 1000)}`] }),
    ...(failureLog && {
      hint: `Read the end of the ${type} log in this step's log or in the job summary. Check app_config_path, repo_ref and secrets.`,
    }),
  };
}

/** A revision that failed before its deploy has only a build log. */
function logTypeFor({ raw }: Status): LogType {
  return raw.includes("DEPLOY") ? "deploy" : "build";
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
  const rollback = await rollBack(failed, planned, context);
  return { ...ending, details: [...(ending.details ?? []), ...rollback] };
}
