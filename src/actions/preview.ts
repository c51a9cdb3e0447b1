import type { Context } from "../context.ts";
import { begin, deploy, finish } from "../deploy/deploy.ts";
import type { DeployJob } from "../deploy/job.ts";
import type { DeployPlan } from "../deploy/plan/plan.ts";
import type { Ending } from "../errors.ts";
import { toResult } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import type { Target } from "../inputs/control-plane.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewConditions, readPreviewInputs, warnPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import { describeDeploy, previewStaysLive } from "../report/sentences/deploy.ts";
import type { PackedSource } from "../source/pack-source.ts";
import { text } from "../text/message.ts";
import { packUpload, planDeploy, prepareDeploy } from "./prepare-deploy.ts";
import { deletePreview, deleteWritten, orPreviewRemains } from "./preview-deletion.ts";
import { type Preview, previewTask } from "./preview-event.ts";
import { recordedId } from "./recorded-preview.ts";
import { previewRecord } from "./records.ts";
import { reasonUnwanted, StillWanted } from "./still-wanted.ts";
import { addComment, addDeploymentWriters, addRecord } from "./writers.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function preview(context: Context): Promise<Ending> {
  const { workflow, report } = context;
  addDeploymentWriters(context);
  const reader = new InputReader(context.env);
  const task = previewTask(workflow, readPreviewConditions(reader));
  if (task.kind === "skip") {
    report.notice(text`No preview: ${task.why}.`);
    return { outcome: "skipped", message: text`Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  warnPreviewWithoutToken(reader, task.kind);
  const inputs = readPreviewInputs(reader, workflow.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, context);
  const subject: Preview = { inputs, pullRequest, github };
  // Before anything can fail: a comment of an earlier run must not stay as it is then.
  if (!inputs.dryRun) addComment(context, subject);
  if (task.kind === "deploy") return await deployPreview(context, subject, reader);
  await orPreviewRemains(context, subject, false, async () => reader.finish(report));
  return await deletePreview(context, subject, task.why);
}

async function deployPreview(context: Context, preview: Preview, reader: InputReader): Promise<Ending> {
  const inputs = readDeployInputs(reader, "warn");
  const { name, isOwnName } = preview.inputs;
  const target: Target = { kind: "name", name, mustBeRecorded: !isOwnName };
  const plan = planDeploy(context, reader, target, inputs);
  reader.finish(context.report);
  await using upload = await packUpload(context, plan, inputs.options.checks);
  const parts = { plan, inputs, upload };
  if (preview.github === undefined || inputs.options.dryRun) {
    return describeDeploy(await deploy(await preparePreview(context, preview, parts)), previewStaysLive);
  }
  const prepared = await toResult(() => preparePreview(context, preview, parts), context.cancelled);
  if ("value" in prepared) {
    const job = prepared.value;
    addRecord(job, previewRecord(preview));
    return await deployWhileWanted(job, preview);
  }
  // A step may fail because the preview is no longer wanted.
  const why = await reasonUnwanted(preview);
  if (why === undefined) throw prepared.error;
  return await deletePreview(context, preview, why);
}

interface PreviewParts {
  readonly plan: DeployPlan;
  readonly inputs: DeployInputs;
  readonly upload: PackedSource | undefined;
}

/** Makes the job, which follows what this control plane and workspace have recorded of the preview. */
async function preparePreview(context: Context, preview: Preview, parts: PreviewParts): Promise<DeployJob> {
  const { github } = preview;
  const record = previewRecord(preview);
  const job = await prepareDeploy(context, { ...parts, github, record, isProduction: false });
  const { plan, records, controlPlane } = job;
  const recorded = recordedId(preview, records?.earlier ?? [], controlPlane.digest);
  const target = { ...plan.target, recorded };
  return { ...job, plan: { ...plan, target } };
}

/** Deploys, and deletes what it made if the preview is no longer wanted: GitHub is asked beside the watch, and at the end. */
async function deployWhileWanted(job: DeployJob, preview: Preview): Promise<Ending> {
  const { report, clock, cancelled, options } = job;
  const stillWanted = new StillWanted(preview);
  const begun = await toResult(() => begin(job), cancelled);
  const revision = "value" in begun && begun.value.kind === "revision" ? begun.value.revision : undefined;
  // Without waiting there is no time in which the pull request could be closed before it is read at the end.
  if (revision !== undefined && options.wait) stillWanted.askBeside();
  const watching = { ...job, cancelled: AbortSignal.any([cancelled, stillWanted.unwanted]) };
  const ended = "error" in begun ? begun : await toResult(() => finish(watching, begun.value), cancelled);
  report.setFacts({ endedAt: clock.now() });
  const failure = "error" in ended ? ended.error : undefined;
  const why = await stillWanted.whyNot();
  const deletion = why && (await deleteWritten(job, preview, why, { revision, failure }));
  if (deletion !== undefined) return deletion;
  if ("error" in ended) throw ended.error;
  return describeDeploy(ended.value, previewStaysLive);
}
