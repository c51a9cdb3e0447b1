import { unprovenTexts } from "../deploy/apply/absence.ts";
import { controlPlaneForDeletion } from "../deploy/apply/delete-deployment.ts";
import type { RunContext } from "../events.ts";
import type { GitHubClient } from "../github/client.ts";
import { operations } from "../github/errors.ts";
import { readPullRequest } from "../github/repository.ts";
import type { SweepInputs } from "../inputs/sweep.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { SweepReport, SweptPreview } from "../report/sweep.ts";
import {
  deleteRecorded,
  findObstacle,
  newestActive,
  type RecordedDeletion,
  retireRecords,
} from "./recorded-preview.ts";
import { decideSweep, type RecordedPreview, type SweepDecision } from "./sweep-plan.ts";

/**
 * Deletes a preview if its pull request is closed or it is too old; undefined if it has no active record any more.
 *
 * @throws ActionError, and the reason of a cancellation.
 */
export async function sweepPreview(
  recorded: RecordedPreview,
  inputs: SweepInputs,
  github: GitHubClient,
  context: RunContext,
  report: SweepReport,
): Promise<SweptPreview | undefined> {
  const preview = await newestActive(recorded, github);
  if (preview === undefined) return undefined;
  const { name } = preview;
  const { shouldDelete, why } = await decide(preview, inputs, github, context);
  if (!shouldDelete) return { name, result: "kept", why };
  const controlPlane = controlPlaneForDeletion(inputs.controlPlane, context);
  const obstacle = await findObstacle(preview, controlPlane);
  if (obstacle === undefined)
    context.log.info(`${inputs.dryRun ? "Would delete" : "Deleting"} ${name}: ${why}.`);
  const result = obstacle ?? (await deleteSwept(preview, inputs, controlPlane, context, report));
  if (!inputs.dryRun && (result.kind === "deleted" || result.kind === "gone")) {
    const { deploymentId, records } = preview;
    const deployment = { controlPlaneDigest: controlPlane.digest, deploymentId };
    await retireRecords(records, deployment, github, context);
  }
  return sweptPreview(preview, result, why, context);
}

async function deleteSwept(
  preview: RecordedPreview,
  { deleteTracingProject, dryRun }: SweepInputs,
  controlPlane: ControlPlane,
  context: RunContext,
  report: SweepReport,
): Promise<RecordedDeletion> {
  if (dryRun) return { kind: "deleted" };
  try {
    return await deleteRecorded(preview, deleteTracingProject, controlPlane, context);
  } catch (error) {
    const why = "the run was cancelled during its deletion";
    if (context.cancelled.aborted) report.add({ name: preview.name, result: "unconfirmed", why });
    throw error;
  }
}

async function decide(
  preview: RecordedPreview,
  { maxAgeDays }: SweepInputs,
  github: GitHubClient,
  { clock }: RunContext,
): Promise<SweepDecision> {
  const { pullRequest } = preview;
  const state =
    pullRequest === undefined
      ? undefined
      : await readPullRequest(github, pullRequest, operations.readSweptPullRequest);
  return decideSweep(preview, state?.isOpen, maxAgeDays, clock.now());
}

/** `why`: the reason for the deletion. */
function sweptPreview(
  { name, newest }: RecordedPreview,
  deletion: RecordedDeletion,
  why: string,
  { log }: RunContext,
): SweptPreview {
  switch (deletion.kind) {
    case "deleted":
      return { name, result: "deleted", why };
    case "gone":
      log.notice(`${name} was already gone, so nothing was deleted.`);
      return { name, result: "gone", why };
    case "renamed": {
      const mismatch = `the deployment of its record is now named ${deletion.name}`;
      log.warning(`${name} is left alone: ${mismatch}.`);
      return { name, result: "kept", why: mismatch };
    }
    case "unproven": {
      const { why: doubt, hint } = unprovenTexts[deletion.reason];
      log.warning(`${name} is left alone: its deployment ${doubt}. ${hint} (Its record: ${newest.id}.)`);
      return { name, result: "kept", why: `its deployment ${doubt}.`, hint };
    }
  }
}
