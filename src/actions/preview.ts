import type { DeploymentRun } from "../deployment-run.ts";
import { ActionError } from "../errors.ts";
import { connectGitHub } from "../github/connect.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewGate, readPreviewInputs, warnOfPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Target } from "../inputs/target.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan } from "../plan/deployment-plan.ts";
import { previewTask } from "../plan/preview-event.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { deploymentReporters } from "../report/deployment-reporters.ts";
import { carryOut } from "./carry-out.ts";
import { planFromInputs, prepare } from "./prepare.ts";
import { deleteIfUnwanted, deletePreview, deletePreviewIfUnwanted } from "./preview-removal.ts";
import { type Preview, recordSubject, tellComment } from "./preview-subject.ts";
import { readRecords, startRecording } from "./recording.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it (contract, 4). */
export async function preview(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports);
  progress.tell(...deploymentReporters(run, ports));
  const reader = new InputReader(ports.env);
  const task = previewTask(run, readPreviewGate(reader));
  if (task.kind === "skip") {
    ports.log.notice(`No preview: ${task.why}.`);
    return { outcome: "skipped", message: `Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  warnOfPreviewWithoutToken(reader, task.kind);
  const inputs = readPreviewInputs(reader, run.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, ports);
  const subject: Preview = { inputs, pullRequest, run, github, progress, ports };
  if (task.kind === "deploy") return await deployPreview(subject, reader);
  reader.finish(ports.log);
  return await deletePreview(subject, task.why);
}

async function deployPreview(preview: Preview, reader: InputReader): Promise<Ending> {
  const { inputs, run, github, ports, progress } = preview;
  const deployInputs = readDeployInputs(reader);
  const target: Target = { kind: "name", name: inputs.name };
  const plan = planFromInputs(target, deployInputs, run, reader, progress);
  reader.finish(ports.log);
  let deployment: DeploymentRun;
  try {
    deployment = await prepareRecorded(preview, plan, deployInputs);
  } catch (error) {
    return await endingInsteadOf(error, preview, deletePreviewIfUnwanted);
  }
  if (github === undefined || inputs.dryRun) return await carryOut(deployment);
  tellComment(preview, github);
  return await deployWhileWanted(preview, deployment);
}

/** The write and what follows. The run for a closing may come before this one's end, or in the middle of it. */
async function deployWhileWanted(preview: Preview, deployment: DeploymentRun): Promise<Ending> {
  try {
    const overtaken = () => deleteIfUnwanted(preview);
    return await carryOut({ ...deployment, yieldsToOlder: true, overtaken });
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
  const mayDelete = !preview.ports.cancelled.aborted && !preview.inputs.dryRun;
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
  const { run, github, progress, ports } = preview;
  const prepared = await prepare({ plan, inputs, run, github, progress, ports });
  const subject = recordSubject(preview);
  const records = (await readRecords(subject, github)) ?? [];
  const target = { ...plan.target, recordedId: records[0]?.payload.deployment_id };
  const deployment = { ...prepared, plan: { ...plan, target } };
  if (github === undefined || inputs.mode.dryRun) return deployment;
  return await startRecording(subject, records, { ...deployment, github });
}
