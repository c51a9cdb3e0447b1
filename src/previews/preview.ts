import type { Context } from "../context.ts";
import { findDeployment, requireRepository } from "../deploy/find-target.ts";
import type { PlatformJob } from "../deploy/job.ts";
import { expectedRepository } from "../deploy/plan/plan.ts";
import { type Ending, toResult } from "../errors.ts";
import type { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord } from "../github/deployment-records.ts";
import { code, type Message, text } from "../text/message.ts";
import { deleteDeployment, deletionEnding, deletionJob } from "./delete-deployment.ts";
import type { Preview } from "./event.ts";
import { previewRecord, recordedId, retireRecords } from "./records.ts";
import { confirmUnwanted, reasonUnwanted } from "./still-wanted.ts";

/** Deletes the preview of a pull request that was closed or lost its label, unless it is wanted again. `event`: which of both. */
export async function closePreview(context: Context, preview: Preview, event: Message): Promise<Ending> {
  const { report } = context;
  const { name, label, dryRun, controlPlane } = preview.inputs;
  report.set({ title: name, name });
  const why = await confirmUnwanted(context, preview, event);
  if (why === undefined) {
    const hasLabel = label === undefined ? undefined : text` and has the label ${code(label)}`;
    report.notice(text`The pull request is open${hasLabel}, so its preview stays.`);
    return { outcome: "skipped", message: text`Nothing was deleted: the preview is still wanted.` };
  }
  report.info(text`Deleting the preview ${code(name)}: ${why}.`);
  const job = deletionJob(context, controlPlane);
  const records = await readRecords(preview);
  const id = await findPreview(job, preview, records);
  if (dryRun) {
    const what = id === undefined ? text`nothing` : text`deployment ${code(id)}`;
    return { outcome: "planned", message: text`Dry run: would delete ${what}. No changes were sent.` };
  }
  return await deleteFound(job, preview, { id, why, records });
}

/**
 * Deploys a preview. The pull request may be closed meanwhile: GitHub is asked once the deploy has ended in whatever way, and
 * what it made is deleted then.
 */
export async function deployWhileOpen(
  context: Context,
  preview: Preview & { readonly github: GitHubClient },
  deploy: () => Promise<Ending>,
): Promise<Ending> {
  const { cancelled, clock, report } = context;
  const { github } = preview;
  const ended = await toResult(deploy, cancelled);
  report.set({ endedAt: clock.now() });
  const why = await github.warnOnFailure(() => reasonUnwanted(github, preview));
  cancelled.throwIfAborted();
  if (why !== undefined && "error" in ended) report.info(ended.error.ending.message);
  const deletion = why && (await deleteMade(context, preview, why));
  if (deletion !== undefined) return deletion;
  if ("error" in ended) throw ended.error;
  return ended.value;
}

/** Deletes what this run deployed; undefined if it is unknown whether it made a deployment. */
async function deleteMade(context: Context, preview: Preview, why: Message): Promise<Ending | undefined> {
  const { deploymentId, revisionId, writes } = context.report.state;
  const hasSent = writes.length > 0;
  const job = deletionJob(context, preview.inputs.controlPlane);
  // A run that made a revision has a record, which replaces the others when it ends.
  const hasRecord = hasSent && revisionId !== undefined;
  const records = hasRecord ? [] : await readRecords(preview);
  const id = await findPreview(job, preview, records, deploymentId);
  // The response to a create was lost, and what it made may still appear.
  if (id === undefined && deploymentId === undefined && hasSent) return undefined;
  context.report.notice(text`Deleting the preview: ${why}.`);
  return await deleteFound(job, preview, { id, why, records });
}

async function readRecords(preview: Preview): Promise<readonly OwnRecord[]> {
  const { github } = preview;
  const { environment, task } = previewRecord(preview);
  return (await github?.warnOnFailure(() => listOwnRecords(github, environment, task))) ?? [];
}

/**
 * The id of the preview's deployment; undefined if it is gone. `knownId`: what this run deployed to.
 *
 * @throws Failure if a record or the name leads to a deployment that is not the preview, or if the name can't be searched
 */
async function findPreview(
  job: PlatformJob,
  preview: Preview,
  records: readonly OwnRecord[],
  knownId?: string,
): Promise<string | undefined> {
  const { inputs } = preview;
  const { name, isOwnName } = inputs;
  const recorded = knownId ?? (await recordedId(preview, records, job.controlPlane.digest));
  const target = { kind: "name", name, recordedId: recorded, mustBeRecorded: !isOwnName } as const;
  const found = await findDeployment(job, target);
  if (found !== undefined) requireRepository(name, found, expectedRepository(inputs, job.workflow));
  return found?.id;
}

/** Deletes a preview, and makes its records inactive. `id`: of its deployment, undefined if it is gone. */
async function deleteFound(
  job: PlatformJob,
  { inputs, github }: Preview,
  { id, why, records }: { id: string | undefined; why: Message; records: readonly OwnRecord[] },
): Promise<Ending> {
  const { name: title, deleteTracingProject, controlPlane } = inputs;
  if (id !== undefined) job.report.set({ deploymentId: id });
  const deletion =
    id === undefined ? "gone" : await deleteDeployment(job, { id, title, deleteTracingProject });
  await retireRecords(job, github, records);
  return { ...deletionEnding(job, deletion, title, controlPlane), details: [text`The reason: ${why}.`] };
}
