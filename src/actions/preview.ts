import { ControlPlane } from "../control-plane/client.ts";
import { ActionError } from "../errors.ts";
import { connectGitHub } from "../github/connect.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewInputs } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { DeploymentPlan, Target } from "../plan/deployment-plan.ts";
import { previewTask } from "../plan/preview-event.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../report/ending.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import type { Progress } from "../report/progress.ts";
import { summaryReporter } from "../report/summary.ts";
import { carryOut, planFromInputs } from "./deployment-run.ts";
import { checkRepository } from "./preflight.ts";
import { deleteIfUnwanted, deletePreview } from "./preview-removal.ts";
import { type Preview, recordSubject, tellComment } from "./preview-subject.ts";
import { readRecords, startRecording } from "./recording.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it (contract, 4). */
export async function preview(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  progress.tell(outputsReporter(ports), logReporter(ports), summaryReporter(run, ports));
  const reader = new InputReader(ports.env);
  const given = { label: reader.optional("label"), hasKey: reader.optional("api_key") !== undefined };
  const task = previewTask(run, given);
  if (task.kind === "skip") {
    ports.log.notice(`No preview: ${task.why}.`);
    return { outcome: "skipped", message: `Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  const inputs = readPreviewInputs(reader, run.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, run, ports);
  const subject: Preview = { inputs, pullRequest, run, github, progress, ports };
  if (task.kind === "deploy") return await deployPreview(subject, reader);
  reader.finish();
  return await deletePreview(subject, task.why);
}

async function deployPreview(preview: Preview, reader: InputReader): Promise<Ending> {
  const { inputs, run, ports, progress } = preview;
  const deployInputs = readDeployInputs(reader);
  const target: Target = { kind: "name", name: inputs.name };
  const plan = planFromInputs(target, deployInputs, run, reader, progress);
  try {
    return await deployAndWatch(preview, plan, deployInputs);
  } catch (error) {
    // The run for the closing may have deleted under this one's hands what it was about to read.
    if (!(error instanceof ActionError) || ports.cancelled.aborted || inputs.dryRun) throw error;
    const overtaken = await deleteIfUnwanted(preview);
    if (overtaken === undefined) throw error;
    return overtaken;
  }
}

async function deployAndWatch(preview: Preview, plan: DeploymentPlan, inputs: DeployInputs): Promise<Ending> {
  const { run, github, progress, ports } = preview;
  const until = ports.clock.now() + inputs.mode.timeoutMs;
  const plane = new ControlPlane(inputs.controlPlane, ports, { attempts: 5, until });
  await checkRepository(plan, run, github, plane);
  const subject = recordSubject(preview);
  const records = (await readRecords(subject, github)) ?? [];
  const target = { ...plan.target, recordedId: records[0]?.payload.deployment_id };
  const deployment = { plan: { ...plan, target }, inputs, run, plane, progress, ports };
  if (github === undefined || inputs.mode.dryRun) return await carryOut(deployment);
  const resumed = await startRecording(subject, records, { github, plane, run, progress, ports });
  tellComment(preview, github);
  const overtaken = () => deleteIfUnwanted(preview);
  const ending = await carryOut({ ...deployment, resumed, yieldsToOlder: true, overtaken });
  return ending.outcome === "deleted" || ending.outcome === "started"
    ? ending
    : ((await overtaken()) ?? ending);
}
