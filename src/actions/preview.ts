import type { Context } from "../context.ts";
import { RevisionNotFoundError } from "../deploy/apply/identify-revision.ts";
import type { RunRevision } from "../deploy/apply/revision-history.ts";
import { deploy } from "../deploy/deploy.ts";
import { type DeployJob, startJob } from "../deploy/job.ts";
import type { DeployPlan } from "../deploy/plan/plan.ts";
import { preflight } from "../deploy/preflight.ts";
import { ActionError } from "../errors.ts";
import { connectGitHub } from "../github/client.ts";
import { originOf } from "../github/deployment-records.ts";
import type { Target } from "../inputs/control-plane.ts";
import { type DeployInputs, readDeployInputs } from "../inputs/deploy.ts";
import { readPreviewConditions, readPreviewInputs, warnPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import type { RunResult } from "../report/result.ts";
import { describeDeploy } from "../report/sentences/deploy.ts";
import type { PackedSource } from "../source/pack-source.ts";
import { type Message, text } from "../text/message.ts";
import { packUpload, planDeploy } from "./plan-deploy.ts";
import { deletePreview, deletePreviewIfUnwanted, deleteWritten, reasonUnwanted } from "./preview-deletion.ts";
import { type Preview, previewTask } from "./preview-event.ts";
import { recordedId } from "./recorded-preview.ts";
import { previewRecord, readRecords, recordDeploy } from "./records.ts";
import { addComment, addDeploymentWriters } from "./writers.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function preview(context: Context): Promise<RunResult> {
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
  if (task.kind === "deploy") return await deployPreview(context, subject, reader);
  reader.finish(report);
  return await deletePreview(context, subject, task.why);
}

async function deployPreview(context: Context, preview: Preview, reader: InputReader): Promise<RunResult> {
  const inputs = readDeployInputs(reader, "warn");
  const target: Target = { kind: "name", name: preview.inputs.name };
  const plan = planDeploy(context, reader, target, inputs);
  reader.finish(context.report);
  await using upload = await packUpload(context, plan, inputs.options.checks);
  let job: DeployJob;
  try {
    job = await preparePreview(context, preview, { plan, inputs, upload });
  } catch (error) {
    return await resultAfterFailure(context, preview, error, () => deletePreviewIfUnwanted(context, preview));
  }
  if (preview.github === undefined || inputs.options.dryRun) return describeDeploy(await deploy(job));
  addComment(context, preview);
  return await deployWhileWanted(job, preview);
}

interface PreviewParts {
  readonly plan: DeployPlan;
  readonly inputs: DeployInputs;
  readonly upload: PackedSource | undefined;
}

/** Everything before the write; from here on the run is recorded. */
async function preparePreview(
  context: Context,
  preview: Preview,
  { plan, inputs, upload }: PreviewParts,
): Promise<DeployJob> {
  const { github } = preview;
  const { controlPlane: settings, options } = inputs;
  const job = startJob(context, { settings, options, plan, upload, github });
  await preflight(job);
  const recordTarget = previewRecord(preview);
  const { digest } = job.controlPlane;
  const records = (await readRecords(recordTarget, github))?.filter(
    (record) => originOf(record, digest) !== "other",
  );
  const target = { ...plan.target, recorded: recordedId(records ?? [], digest) };
  return await recordDeploy({ ...job, records, plan: { ...plan, target } }, recordTarget);
}

/**
 * Deploys, while GitHub is asked beside the watch whether the preview is still wanted. The pull request may be closed
 * meanwhile: the run for that may come before this one's end, or during it.
 */
async function deployWhileWanted(job: DeployJob, preview: Preview): Promise<RunResult> {
  let revision: RunRevision | undefined;
  let why: Message | undefined;
  const unwanted = new AbortController();
  const stopIfUnwanted = async () => {
    const reason = await reasonUnwanted(preview);
    if (reason === undefined) return;
    why = reason;
    unwanted.abort(unwantedError(reason));
  };
  const onRevision = (made: RunRevision) => {
    revision = made;
    // Without waiting there is no time in which the pull request could be closed before it is read at the end.
    if (job.options.wait) stopIfUnwanted().catch((error: unknown) => unwanted.abort(error));
  };
  const deleteIfUnwanted = async (failure?: unknown) => {
    why ??= await reasonUnwanted(preview);
    if (why === undefined) return undefined;
    const notFoundId = failure instanceof RevisionNotFoundError ? failure.deploymentId : undefined;
    const deploymentId = revision?.deploymentId ?? notFoundId;
    const hasRevision = revision !== undefined;
    return await deleteWritten(job, preview, { why, deploymentId, hasRevision, failure });
  };
  const cancelled = AbortSignal.any([job.cancelled, unwanted.signal]);
  try {
    const result = await deploy({ ...job, cancelled, onRevision });
    job.report.setFacts({ endedAt: job.clock.now() });
    return (await deleteIfUnwanted()) ?? describeDeploy(result);
  } catch (error) {
    job.report.setFacts({ endedAt: job.clock.now() });
    return await resultAfterFailure(job, preview, error, () => deleteIfUnwanted(error));
  }
}

/** Stops the watch; the run then ends with the deletion of the preview. */
function unwantedError(why: Message): ActionError {
  return new ActionError(text`The preview is no longer wanted: ${why}.`, {
    code: "unwanted_preview",
    hint: text``,
  });
}

/**
 * A step may fail because the preview is no longer wanted: the run then ends with its deletion.
 *
 * @throws the error if the preview is still wanted, or if this run must not delete it
 */
async function resultAfterFailure(
  { cancelled }: Context,
  { inputs }: Preview,
  error: unknown,
  deleteIfUnwanted: () => Promise<RunResult | undefined>,
): Promise<RunResult> {
  const mayDelete = !cancelled.aborted && !inputs.dryRun && error instanceof ActionError;
  const deletion = mayDelete ? await deleteIfUnwanted() : undefined;
  if (deletion === undefined) throw error;
  return deletion;
}
