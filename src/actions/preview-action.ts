import { type Context, type PlatformContext, withControlPlane } from "../context.ts";
import { deploy } from "../deploy/deploy.ts";
import type { DeployOptions } from "../deploy/deploy-context.ts";
import { type DeployPlan, makePlan } from "../deploy/plan/plan.ts";
import { type Failure, type SuccessEnding, toResult } from "../errors.ts";
import { commentOnRun } from "../github/comment-writer.ts";
import { readDeployInputs } from "../inputs/read-deploy-inputs.ts";
import { connectGitHub, warnWithoutToken } from "../inputs/read-github-inputs.ts";
import { readPreviewInputs } from "../inputs/read-preview-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { reportedNamesOf } from "../platform/target.ts";
import { askWhyUnwanted } from "../previews/ask-why-unwanted.ts";
import { closePreview, deletePreview, findToDelete } from "../previews/delete-preview.ts";
import { listPreviewRecords, lookUpPreview, type Preview } from "../previews/look-up-preview.ts";
import { previewTask } from "../previews/preview-task.ts";
import { text } from "../text/message.ts";
import { LostWriteError } from "../writes.ts";
import { announcePlan, packIfPlanned } from "./prepare-deploy.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function previewAction(context: Context): Promise<SuccessEnding> {
  const { workflow, report } = context;
  const reader = new InputReader(context.env);
  const hasKey = reader.optional("api_key") !== undefined;
  const task = previewTask(workflow, { label: reader.optional("label"), hasKey });
  if (task.kind === "skip") return { outcome: "skipped", message: text`No preview: ${task.reason}.` };
  warnWithoutToken(reader);
  const inputs = readPreviewInputs(reader, workflow.repository, task.pullRequest);
  const target = { kind: "name", name: inputs.name } as const;
  report.set(reportedNamesOf(target));
  const github = connectGitHub(reader, context);
  const preview = { ...inputs, github };
  // Added before anything can fail, so that a failure replaces the comment of an earlier run.
  if (!inputs.dryRun && inputs.comment && github !== undefined) {
    commentOnRun({ name: inputs.name, pullRequest: task.pullRequest }, github, context);
  }
  if (task.kind === "delete") {
    reader.finish(report);
    return await closePreview(withControlPlane(context, inputs.settings), preview, task.reason);
  }
  const { given, settings, options } = readDeployInputs(reader, inputs.settings, "warn");
  const plan = makePlan(reader, target, given, settings.platform, workflow);
  reader.finish(report);

  announcePlan(plan, report);
  const platformContext = withControlPlane(context, settings, options.timeoutMs);
  const deployed = await toResult(() => deployPreview(platformContext, preview, plan, options));
  report.set({ endedAt: context.clock.now() });
  if (github !== undefined && !options.dryRun) {
    const deletion = await deleteIfUnwanted(platformContext, preview, deployed.error);
    if (deletion !== undefined) return deletion;
  }
  if (deployed.error !== undefined) throw deployed.error;
  return deployed.value;
}

async function deployPreview(
  context: PlatformContext,
  preview: Preview,
  plan: DeployPlan,
  options: DeployOptions,
): Promise<SuccessEnding> {
  await using archive = await packIfPlanned(context, plan, options);
  const { github, record } = preview;
  const records = await listPreviewRecords(preview, context.report);
  const lookUp = () => lookUpPreview(context, preview, records);
  return await deploy({ ...context, plan, options, archive, github, record, records, lookUp });
}

/**
 * Deletes a preview if its pull request was closed while it was deployed, even if the deploy failed. Returns undefined if it is
 * still wanted. `failure`: that of the deploy.
 */
async function deleteIfUnwanted(
  context: PlatformContext,
  preview: Preview,
  failure: Failure | undefined,
): Promise<SuccessEnding | undefined> {
  const reason = await context.report.warnOnFailure(() => askWhyUnwanted(preview));
  context.cancelled.throwIfAborted();
  if (reason === undefined) return undefined;
  if (failure !== undefined) context.report.info(failure.ending.message);
  const found = await toResult(() => findToDelete(context, preview));
  if (found.error !== undefined) throw found.error.addDetails(failure?.ending.message);
  // After a lost response to a create, the deployment may still appear, so the run must not end as deleted.
  if (found.value.id === undefined && failure instanceof LostWriteError) return undefined;
  return await deletePreview(context, preview, found.value, reason);
}
