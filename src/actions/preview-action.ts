import { type Context, type PlatformContext, withControlPlane } from "../context.ts";
import { type SuccessEnding, toResult } from "../errors.ts";
import { commentOnRun } from "../github/comment-writer.ts";
import type { ActionRecord } from "../github/deployment-records.ts";
import { readDeployInputs } from "../inputs/read-deploy-inputs.ts";
import { connectGitHub, warnWithoutToken } from "../inputs/read-github-inputs.ts";
import { readPreviewInputs } from "../inputs/read-preview-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { reportedNamesOf } from "../platform/target.ts";
import { closePreview, deletePreview, findToDelete } from "../previews/delete-preview.ts";
import { listPreviewRecords, lookUpPreview, type Preview } from "../previews/look-up-preview.ts";
import { previewTask } from "../previews/preview-task.ts";
import { reasonUnwanted } from "../previews/reason-unwanted.ts";
import { text } from "../text/message.ts";
import { LostWriteError } from "../writes.ts";
import { type DeployJob, deployPlanned, requirePlan } from "./deploy-planned.ts";

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
  const deployInputs = readDeployInputs(reader, inputs.settings, "warn");
  const plan = requirePlan(context, reader, target, deployInputs);
  const job = {
    inputs: deployInputs,
    plan,
    github,
    record: inputs.record,
    readRecords: () => listPreviewRecords(preview),
    lookUp: (platformContext: PlatformContext, records: readonly ActionRecord[]) =>
      lookUpPreview(platformContext, preview, records),
  };
  return await deployPreview(context, job, preview);
}

/** Deploys a preview. If its pull request was closed meanwhile, the preview is deleted, even if the deploy failed. */
async function deployPreview(context: Context, job: DeployJob, preview: Preview): Promise<SuccessEnding> {
  const { cancelled, clock, report } = context;
  const { github, inputs } = job;
  if (github === undefined || inputs.options.dryRun) return await deployPlanned(context, job);
  const ended = await toResult(() => deployPlanned(context, job));
  report.set({ endedAt: clock.now() });
  const reason = await github.warnOnFailure(() => reasonUnwanted(preview));
  cancelled.throwIfAborted();
  const failure = ended.error;
  if (reason !== undefined) {
    if (failure !== undefined) report.info(failure.ending.message);
    const platformContext = withControlPlane(context, inputs.settings);
    const found = await toResult(() => findToDelete(platformContext, preview));
    if (found.error !== undefined) throw found.error.addDetails(failure?.ending.message);
    // After a lost response to a create, the deployment may still appear, so the run must not end as deleted.
    if (found.value.id !== undefined || !(failure instanceof LostWriteError))
      return await deletePreview(platformContext, preview, found.value, reason);
  }
  if (ended.error !== undefined) throw ended.error;
  return ended.value;
}
