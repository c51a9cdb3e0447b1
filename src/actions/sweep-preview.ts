import {
  controlPlaneForDeletion,
  type Deletion,
  deleteDeployment,
  describeDeletion,
} from "../deployment/deletion.ts";
import type { RunContext } from "../events.ts";
import type { GitHubClient } from "../github/client.ts";
import { makeInactive, readState } from "../github/deployment-records.ts";
import { operations } from "../github/errors.ts";
import { readPullRequest } from "../github/repository.ts";
import type { SweepInputs } from "../inputs/sweep.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { ifFound } from "../platform/failures.ts";
import type { SweepReport, SweptPreview } from "../report/sweep.ts";
import { runUrl } from "../runner/workflow-run.ts";
import { decideSweep, previewsOf, type RecordedPreview, type SweepDecision } from "./sweep-plan.ts";

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
  const otherName = await findOtherName(preview, controlPlane);
  if (otherName !== undefined) {
    const mismatch = `the deployment of its record is now named ${otherName}`;
    context.log.warning(`${name} is left alone: ${mismatch}.`);
    return { name, result: "kept", why: mismatch };
  }
  context.log.info(`${inputs.dryRun ? "Would delete" : "Deleting"} ${name}: ${why}.`);
  if (!inputs.dryRun) await deleteSwept(preview, inputs, controlPlane, github, context, report);
  return { name, result: "deleted", why };
}

/**
 * The preview as its newest record that is not inactive describes it. A revision that failed leaves an inactive record,
 * and the one before it may still be live. States are read again here: a push may have replaced a record meanwhile.
 */
async function newestActive(
  { records }: RecordedPreview,
  github: GitHubClient,
): Promise<RecordedPreview | undefined> {
  for (const [index, { id }] of records.entries()) {
    if ((await readState(github, id)) !== "inactive") return previewsOf(records.slice(index))[0];
  }
  return undefined;
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

/** The name that the deployment shows, if it is not the preview's: then it is not ours to delete. */
async function findOtherName(
  preview: RecordedPreview,
  controlPlane: ControlPlane,
): Promise<string | undefined> {
  const deployment = await ifFound(controlPlane.getDeployment(preview.deploymentId));
  return deployment?.name === preview.name ? undefined : deployment?.name;
}

async function deleteSwept(
  { name, deploymentId, records }: RecordedPreview,
  { deleteTracingProject }: SweepInputs,
  controlPlane: ControlPlane,
  github: GitHubClient,
  context: RunContext,
  report: SweepReport,
): Promise<void> {
  let deletion: Deletion;
  try {
    deletion = await deleteDeployment(
      { id: deploymentId, title: name, deleteTracingProject },
      controlPlane,
      context,
    );
  } catch (error) {
    const why = "the run was cancelled during its deletion";
    if (context.cancelled.aborted) report.add({ name, result: "unconfirmed", why });
    throw error;
  }
  if (deletion === "missing") context.log.notice(describeDeletion(deletion, `The deployment of ${name}`));
  const why = { logUrl: runUrl(context.workflow), description: "The preview was swept" };
  await github.warnOnFailure(() => makeInactive(github, records, why));
}
