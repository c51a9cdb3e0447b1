import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import type { DeployPlan } from "../deploy/plan/plan.ts";
import type { Ending } from "../errors.ts";
import { commentWriter } from "../github/comment-writer.ts";
import { connectGitHub } from "../github/github-client.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/read-deploy-inputs.ts";
import { warnWithoutToken } from "../inputs/read-github-inputs.ts";
import { readPreviewConditions, readPreviewInputs } from "../inputs/read-preview-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { closePreview } from "../previews/delete-preview.ts";
import { deployPreview } from "../previews/deploy-preview.ts";
import { lookUpPreview } from "../previews/look-up-preview.ts";
import { type Preview, previewRecord } from "../previews/preview.ts";
import { previewTask } from "../previews/preview-task.ts";
import { text } from "../text/message.ts";
import { type DeployParts, packUpload, planDeploy, prepareDeploy } from "./prepare-deploy.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function previewAction(context: Context): Promise<Ending> {
  const { workflow, report } = context;
  const reader = new InputReader(context.env);
  const task = previewTask(workflow, readPreviewConditions(reader));
  if (task.kind === "skip") return { outcome: "skipped", message: text`No preview: ${task.reason}.` };
  const { pullRequest } = task;
  warnWithoutToken(reader);
  const inputs = readPreviewInputs(reader, workflow.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.settings.requestTimeoutMs, context);
  const preview = { inputs, pullRequest, github };
  // Added before anything can fail, so that a failure replaces the comment of an earlier run.
  if (!inputs.dryRun && inputs.comment && github !== undefined) {
    const comment = { name: inputs.name, pullRequest: pullRequest.number };
    report.listeners.comment = commentWriter(comment, github, context);
  }
  if (task.kind === "delete") {
    reader.finish(report);
    return await closePreview(context, preview, task.reason);
  }
  const deployInputs = readDeployInputs(reader, "warn");
  const plan = planDeploy(context, reader, { kind: "name", name: inputs.name }, deployInputs);
  reader.finish(report);
  return await deployPreview(context, preview, () => deployPlanned(context, preview, deployInputs, plan));
}

async function deployPlanned(
  context: Context,
  preview: Preview,
  inputs: DeployInputs,
  plan: DeployPlan,
): Promise<Ending> {
  const { github } = preview;
  await using upload = await packUpload(context, plan, inputs);
  const recordPlace = previewRecord(preview);
  const lookUp: DeployParts["lookUp"] = (job, records) => lookUpPreview(job, preview, records);
  return await deploy(await prepareDeploy(context, { inputs, plan, upload, github, recordPlace, lookUp }));
}
