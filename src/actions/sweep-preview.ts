import type { Context } from "../context.ts";
import { deletionJob } from "../deploy/delete/delete-deployment.ts";
import type { GitHubClient } from "../github/client.ts";
import { operations } from "../github/errors.ts";
import { readPullRequest } from "../github/repository.ts";
import type { SweepInputs } from "../inputs/sweep.ts";
import { describeReason } from "../report/sentences/sweep.ts";
import type { SweepReason, SweptPreview } from "../results/deletion.ts";
import { code, text } from "../text/message.ts";
import { dayMs } from "../text/time.ts";
import {
  deleteRecorded,
  findObstacle,
  newestActive,
  type RecordedDeletion,
  type RecordedPreview,
} from "./recorded-preview.ts";

/** What a sweep works with. */
export interface SweepJob extends Context {
  readonly inputs: SweepInputs;
  readonly github: GitHubClient;
}

/**
 * Deletes a preview if its pull request is closed or it is too old; undefined if it has no active record any more.
 *
 * @throws Failure, and the reason of a cancellation.
 */
export async function sweepPreview(
  job: SweepJob,
  recorded: RecordedPreview,
): Promise<SweptPreview | undefined> {
  const { inputs, github, report } = job;
  const { dryRun, deleteTracingProject } = inputs;
  const preview = await newestActive(recorded, github);
  if (preview === undefined) return undefined;
  const { name } = preview;
  const { shouldDelete, reason } = await decide(job, preview);
  if (!shouldDelete) return { name, kind: "kept", reason };
  const deleting = deletionJob(job, inputs.controlPlane);
  const obstacle = await findObstacle(deleting, preview);
  if (obstacle === undefined) {
    const what = dryRun ? text`Would delete` : text`Deleting`;
    report.info(text`${what} ${code(name)}: ${describeReason(reason)}.`);
  }
  if (dryRun) {
    return obstacle ? sweptPreview(preview, obstacle, reason) : { name, kind: "would_be_deleted", reason };
  }
  try {
    const options = { obstacle, deleteTracingProject };
    return sweptPreview(preview, await deleteRecorded(deleting, github, preview, options), reason);
  } catch (error) {
    if (job.cancelled.aborted) report.swept({ name, kind: "unconfirmed" });
    throw error;
  }
}

/** Whether to delete a preview, by its newest record that is not inactive (docs/specification.md#sweep). */
async function decide(
  { inputs: { maxAgeDays }, github, clock }: SweepJob,
  { pullRequest: number, newest }: RecordedPreview,
): Promise<{ shouldDelete: boolean; reason: SweepReason }> {
  const pullRequest =
    number === undefined ? undefined : await readPullRequest(github, number, operations.readSweptPullRequest);
  const isClosed = pullRequest?.isOpen === false;
  if (!isClosed && maxAgeDays !== undefined && clock.now() - newest.createdAt > maxAgeDays * dayMs) {
    return { shouldDelete: true, reason: { kind: "too_old", maxAgeDays } };
  }
  const reason: SweepReason =
    number === undefined ? { kind: "no_pull_request" } : { kind: "pull_request", number, isOpen: !isClosed };
  return { shouldDelete: isClosed, reason };
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
