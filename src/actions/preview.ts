import type { Context } from "../context.ts";
import type { DeploymentPlan } from "../deployment/plan.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import { ActionError } from "../errors.ts";
import { connectGitHub } from "../github/connect.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewGate, readPreviewInputs, warnOfPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Target } from "../inputs/target.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { deploymentReporters } from "../report/deployment-reporters.ts";
import { applyPlan } from "./carry-out.ts";
import { planFromInputs, prepare } from "./prepare.ts";
import { previewTask } from "./preview-event.ts";
import { deleteIfUnwanted, deletePreview, deletePreviewIfUnwanted } from "./preview-removal.ts";
import { type Preview, recordSubject, tellComment } from "./preview-subject.ts";
import { readRecords, startRecording } from "./recording.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it (contract, 4). */
export async function preview(progress: Progress, context: Context): Promise<Ending> {
  const run = readWorkflowRun(context);
  progress.tell(...deploymentReporters(run, context));
  const reader = new InputReader(context.env);
  const task = previewTask(run, readPreviewGate(reader));
  if (task.kind === "skip") {
    context.log.notice(`No preview: ${task.why}.`);
    return { outcome: "skipped", message: `Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  warnOfPreviewWithoutToken(reader, task.kind);
  const inputs = readPreviewInputs(reader, run.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, context);
  const subject: Preview = { inputs, pullRequest, run, github, progress, context };
  if (task.kind === "deploy") return await deployPreview(subject, reader);
  reader.finish(context.log);
  return await deletePreview(subject, task.why);
}

async function deployPreview(preview: Preview, reader: InputReader): Promise<Ending> {
  const { inputs, run, github, context, progress } = preview;
  const deployInputs = readDeployInputs(reader);
  const target: Target = { kind: "name", name: inputs.name };
  const plan = planFromInputs(target, deployInputs, run, reader, progress);
  reader.finish(context.log);
  let deployment: DeploymentRun;
  try {
    deployment = await prepareRecorded(preview, plan, deployInputs);
  } catch (error) {
    return await endingInsteadOf(error, preview, deletePreviewIfUnwanted);
  }
  if (github === undefined || inputs.dryRun) return await applyPlan(deployment);
  tellComment(preview, github);
  return await deployWhileWanted(preview, deployment);
}

/** The write and what follows. The run for a closing may come before this one's end, or in the middle of it. */
async function deployWhileWanted(preview: Preview, deployment: DeploymentRun): Promise<Ending> {
  try {
    const overtaken = () => deleteIfUnwanted(preview);
    return await applyPlan({ ...deployment, yieldsToOlder: true, overtaken });
  } catch (error) {
    return await endingInsteadOf(error, preview, deleteIfUnwanted);
  }
}

/**
 * What fails may fail because the preview isn't wanted any more: then that is how the run ends.
 * @throws the error itself where the preview is still wanted, or the run has no time or no leave to delete it
 */
async function endingInsteadOf(
  error: unknown,
  preview: Preview,
  deletionIfUnwanted: (preview: Preview) => Promise<Ending | undefined>,
): Promise<Ending> {
  const mayDelete = !preview.context.cancelled.aborted && !preview.inputs.dryRun;
  const deletion = mayDelete && error instanceof ActionError ? await deletionIfUnwanted(preview) : undefined;
  if (deletion === undefined) throw error;
  return deletion;
}

/** All that comes before the write, and that this run is recorded from there on. */
async function prepareRecorded(
  preview: Preview,
  plan: DeploymentPlan,
  inputs: DeployInputs,
): Promise<DeploymentRun> {
  const { run, github, progress, context } = preview;
  const prepared = await prepare({ plan, inputs, run, github, progress, context });
  const subject = recordSubject(preview);
  const records = (await readRecords(subject, github)) ?? [];
  const target = { ...plan.target, recordedId: records[0]?.payload.deployment_id };
  const deployment = { ...prepared, plan: { ...plan, target } };
  if (github === undefined || inputs.mode.dryRun) return deployment;
  return await startRecording(subject, records, { ...deployment, github });
}
