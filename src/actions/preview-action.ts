import type { Context } from "../context.ts";
import type { SuccessEnding } from "../errors.ts";
import { commentOnRun } from "../github/comment-writer.ts";
import { readDeployInputs } from "../inputs/read-deploy-inputs.ts";
import { connectGitHub, warnWithoutToken } from "../inputs/read-github-inputs.ts";
import { readPreviewInputs } from "../inputs/read-preview-inputs.ts";
import { InputReader } from "../inputs/reader.ts";
import { namesOf } from "../platform/target.ts";
import { closePreview } from "../previews/delete-preview.ts";
import { deployPreview } from "../previews/deploy-preview.ts";
import { previewTask } from "../previews/preview-task.ts";
import { text } from "../text/message.ts";
import { deployPlanned, planDeploy } from "./deploy-planned.ts";

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
  report.set(namesOf(target));
  const github = connectGitHub(reader, context);
  const preview = { inputs, github };
  // Added before anything can fail, so that a failure replaces the comment of an earlier run.
  if (!inputs.dryRun && inputs.comment && github !== undefined) {
    commentOnRun({ name: inputs.name, pullRequest: task.pullRequest }, github, context);
  }
  if (task.kind === "delete") {
    reader.finish(report);
    return await closePreview(context, preview, task.reason);
  }
  const deployInputs = readDeployInputs(reader, "warn");
  const plan = planDeploy(context, reader, target, deployInputs);
  return await deployPreview(context, preview, () =>
    deployPlanned(context, { inputs: deployInputs, plan, github, record: inputs.record, preview }),
  );
}
