import type { Context } from "../context.ts";
import type { SweepReason, SweptPreview } from "../deletion-results.ts";
import { deletionJob } from "../deploy/apply/delete-deployment.ts";
import type { PlatformJob } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import { operations } from "../github/errors.ts";
import { readPullRequest } from "../github/repository.ts";
import type { SweepInputs } from "../inputs/preview.ts";
import { describeReason, type SweepWriter } from "../report/sweep.ts";
import { code, text } from "../text/message.ts";
import {
  deleteRecorded,
  findObstacle,
  newestActive,
  type RecordedDeletion,
  retireRecords,
} from "./recorded-preview.ts";
import { decideSweep, type RecordedPreview, type SweepDecision } from "./sweep-plan.ts";

/** What a sweep works with. */
export interface SweepJob extends Context {
  readonly inputs: SweepInputs;
  readonly github: GitHubClient;
  readonly writer: SweepWriter;
}

/**
 * Deletes a preview if its pull request is closed or it is too old; undefined if it has no active record any more.
 *
 * @throws ActionError, and the reason of a cancellation.
 */
export async function sweepPreview(
  job: SweepJob,
  recorded: RecordedPreview,
): Promise<SweptPreview | undefined> {
  const { inputs, github, report } = job;
  const preview = await newestActive(recorded, github);
  if (preview === undefined) return undefined;
  const { name, deploymentId, records } = preview;
  const { shouldDelete, reason } = await decide(job, preview);
  if (!shouldDelete) return { name, kind: "kept", reason };
  const deleting = deletionJob(job, inputs.controlPlane);
  const obstacle = await findObstacle(deleting, preview);
  if (obstacle === undefined) {
    const what = inputs.dryRun ? text`Would delete` : text`Deleting`;
    report.info(text`${what} ${code(name)}: ${describeReason(reason)}.`);
  }
  if (obstacle === undefined && inputs.dryRun) return { name, kind: "would_be_deleted", reason };
  const deletion = obstacle ?? (await deleteSwept(deleting, preview));
  if (!inputs.dryRun && (deletion.kind === "deleted" || deletion.kind === "gone")) {
    const deployment = { controlPlaneDigest: deleting.controlPlane.digest, deploymentId };
    await retireRecords(job, github, deployment, records);
  }
  return sweptPreview(preview, deletion, reason);
}

async function decide({ inputs, github, clock }: SweepJob, preview: RecordedPreview): Promise<SweepDecision> {
  const { pullRequest } = preview;
  const state =
    pullRequest === undefined
      ? undefined
      : await readPullRequest(github, pullRequest, operations.readSweptPullRequest);
  return decideSweep(preview, state?.isOpen, inputs.maxAgeDays, clock.now());
}

async function deleteSwept(job: SweepJob & PlatformJob, preview: RecordedPreview): Promise<RecordedDeletion> {
  try {
    return await deleteRecorded(job, preview, job.inputs.deleteTracingProject);
  } catch (error) {
    if (job.cancelled.aborted) job.writer.add({ name: preview.name, kind: "unconfirmed" });
    throw error;
  }
}

/** `reason`: for the deletion. */
function sweptPreview(
  { name, newest }: RecordedPreview,
  deletion: RecordedDeletion,
  reason: SweepReason,
): SweptPreview {
  switch (deletion.kind) {
    case "deleted":
    case "gone":
      return { name, kind: deletion.kind, reason };
    case "renamed":
      return { name, kind: "renamed", shownName: deletion.name };
    case "unproven":
      return { name, kind: "unproven", reason: deletion.reason, recordId: newest.id };
  }
}
