import type { Context } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import type { DeployPlan } from "../deploy/plan/plan.ts";
import type { Ending } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import { commentFollower } from "../github/comment-follower.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewConditions, readPreviewInputs, warnPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import { type Preview, previewTask } from "../previews/event.ts";
import { closePreview, deployWhileOpen } from "../previews/preview.ts";
import { previewRecord, recordedId } from "../previews/records.ts";
import { text } from "../text/message.ts";
import { packUpload, planDeploy, prepareDeploy } from "./prepare-deploy.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function preview(context: Context): Promise<Ending> {
  const { workflow, report } = context;
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
  if (!inputs.dryRun && inputs.comment && github !== undefined) {
    const comment = { name: inputs.name, pullRequest: pullRequest.number };
    report.addFollower(commentFollower(comment, github, context));
  }
  if (task.kind === "deploy") return await deployPreview(context, subject, reader);
  reader.finish(report);
  return await closePreview(context, subject, task.why);
}

async function deployPreview(context: Context, preview: Preview, reader: InputReader): Promise<Ending> {
  const inputs = readDeployInputs(reader, "warn");
  const { name, isOwnName } = preview.inputs;
  const target = { kind: "name", name, mustBeRecorded: !isOwnName } as const;
  const plan = planDeploy(context, reader, target, inputs);
  reader.finish(context.report);
  const { github } = preview;
  const run = () => deployPlanned(context, preview, inputs, plan);
  return github === undefined || inputs.options.dryRun
    ? await run()
    : await deployWhileOpen(context, { ...preview, github }, run);
}

async function deployPlanned(
  context: Context,
  preview: Preview,
  inputs: DeployInputs,
  plan: DeployPlan,
): Promise<Ending> {
  const { github } = preview;
  await using upload = await packUpload(context, plan, inputs.options.checks);
  const job = await prepareDeploy(context, {
    inputs,
    plan,
    upload,
    github,
    recordTarget: previewRecord(preview),
    isProduction: false,
    isPreview: true,
  });
  const { records, controlPlane } = job;
  const recorded = await recordedId(preview, records?.ofTask ?? [], controlPlane.digest);
  const target = { ...plan.target, recordedId: recorded };
  return await deploy({ ...job, plan: { ...plan, target } });
}
