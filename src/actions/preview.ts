import { RevisionNotFoundError } from "../deploy/apply/identify-revision.ts";
import type { AppliedRevision } from "../deploy/apply/match-revision.ts";
import { type PreparedUpload, prepareUpload } from "../deploy/apply/prepared-upload.ts";
import { finishRevision, runDeployment, type StartedRevision, startRevision } from "../deploy/deploy.ts";
import type { DeploymentPlan } from "../deploy/plan/plan.ts";
import { type PlannedDeployment, planFromInputs, prepareDeployment } from "../deploy/planned-deployment.ts";
import type { Ending } from "../ending.ts";
import { ActionError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { connectGitHub } from "../github/client.ts";
import { originOf } from "../github/deployment-records.ts";
import { type DeployInputs, readDeployInputs, withSmokeTests } from "../inputs/deploy.ts";
import { readPreviewConditions, readPreviewInputs, warnPreviewWithoutToken } from "../inputs/preview.ts";
import { InputReader } from "../inputs/reader.ts";
import type { Target } from "../inputs/target.ts";
import type { ActionContext } from "../report/run-report.ts";
import { deploymentObservers } from "./deployment-observers.ts";
import {
  deletePreview,
  deletePreviewIfUnwanted,
  deleteWritten,
  reasonUnwanted,
  UnwantedPreviewError,
} from "./preview-deletion.ts";
import { previewTask } from "./preview-event.ts";
import { observeComment, type Preview, previewRecord } from "./preview-subject.ts";
import { attemptOf, readRecords, startRecord } from "./start-record.ts";

/** The preview action: deploys a pull request's own deployment, or deletes it. */
export async function preview(context: ActionContext): Promise<Ending> {
  const { workflow, log } = context;
  context.observe(...deploymentObservers(context));
  const reader = new InputReader(context.env);
  const task = previewTask(workflow, readPreviewConditions(reader));
  if (task.kind === "skip") {
    log.notice(`No preview: ${task.why}.`);
    return { outcome: "skipped", headline: `Nothing was done: ${task.why}.` };
  }
  const { pullRequest } = task;
  warnPreviewWithoutToken(reader, task.kind);
  const inputs = readPreviewInputs(reader, workflow.repository, pullRequest.number);
  const github = connectGitHub(inputs.githubToken, inputs.controlPlane.requestTimeoutMs, context);
  const subject: Preview = { inputs, pullRequest, github };
  if (task.kind === "deploy") return await deployPreview(subject, reader, context);
  reader.finish(log);
  return await deletePreview(subject, task.why, context);
}

async function deployPreview(preview: Preview, reader: InputReader, context: ActionContext): Promise<Ending> {
  const inputs = await withSmokeTests(readDeployInputs(reader), reader, context);
  const target: Target = { kind: "name", name: preview.inputs.name };
  const plan = await planFromInputs(target, inputs, reader, context);
  reader.finish(context.log);
  await using upload = await prepareUpload(plan, inputs.controlPlane, context);
  return await deployPlanned(preview, plan, inputs, upload, context);
}

async function deployPlanned(
  preview: Preview,
  plan: DeploymentPlan,
  inputs: DeployInputs,
  upload: PreparedUpload | undefined,
  context: ActionContext,
): Promise<Ending> {
  let prepared: PreparedPreview;
  try {
    prepared = await preparePreview(preview, plan, inputs, upload, context);
  } catch (error) {
    return await endingAfterFailure(error, preview, context, () => deletePreviewIfUnwanted(preview, context));
  }
  const { planned, resumed } = prepared;
  if (preview.github === undefined || inputs.mode.dryRun) {
    return await runDeployment(planned, resumed, context);
  }
  observeComment(preview, preview.github, context);
  return await deployWhileWanted(preview, prepared, context);
}

interface PreparedPreview {
  readonly planned: PlannedDeployment;
  readonly resumed: AppliedRevision | undefined;
}

/** Everything before the write; from here on the run is recorded. */
async function preparePreview(
  preview: Preview,
  plan: DeploymentPlan,
  inputs: DeployInputs,
  upload: PreparedUpload | undefined,
  context: ActionContext,
): Promise<PreparedPreview> {
  const { github } = preview;
  const prepared = await prepareDeployment(plan, inputs, upload, github, context);
  const recordTarget = previewRecord(preview);
  const records = (await readRecords(recordTarget, github)) ?? [];
  const { digest } = prepared.controlPlane;
  const here = records.filter((record) => originOf(record, digest) !== "other");
  const target = { ...plan.target, recordedId: here[0]?.payload.deployment_id };
  const planned = { ...prepared, plan: { ...plan, target } };
  if (github === undefined || inputs.mode.dryRun) return { planned, resumed: undefined };
  const request = attemptOf(planned);
  const resumed = await startRecord(recordTarget, here, request, planned.controlPlane, github, context);
  return { planned, resumed: resumed?.applied };
}

/** Deploys. The pull request may be closed meanwhile: the run for that may come before this one's end, or during it. */
async function deployWhileWanted(
  preview: Preview,
  { planned, resumed }: PreparedPreview,
  context: RunContext,
): Promise<Ending> {
  let started: StartedRevision | undefined;
  const deleteIfUnwanted = async (failure?: unknown) => {
    const why = failure instanceof UnwantedPreviewError ? failure.why : await reasonUnwanted(preview);
    if (why === undefined) return undefined;
    const written = {
      deploymentId: started?.applied.deploymentId ?? deploymentIdOf(failure),
      hasRevision: started !== undefined,
      failure,
    };
    return await deleteWritten(preview, why, written, context);
  };
  try {
    started = await startRevision(planned, resumed, context);
    const ending = await finishWhileWanted(preview, started, planned, context);
    return (await deleteIfUnwanted()) ?? ending;
  } catch (error) {
    return await endingAfterFailure(error, preview, context, () => deleteIfUnwanted(error));
  }
}

/**
 * Waits for the revision, while GitHub is asked beside it whether the preview is still wanted.
 *
 * @throws UnwantedPreviewError as soon as GitHub shows that it is not.
 */
async function finishWhileWanted(
  preview: Preview,
  started: StartedRevision,
  planned: PlannedDeployment,
  context: RunContext,
): Promise<Ending> {
  const unwanted = new AbortController();
  const cancelled = AbortSignal.any([context.cancelled, unwanted.signal]);
  // Without waiting there is no time in which the pull request could be closed before it is read at the end.
  if (planned.inputs.mode.wait) {
    reasonUnwanted(preview).then(
      (why) => why !== undefined && unwanted.abort(new UnwantedPreviewError(why)),
      (error: unknown) => unwanted.abort(error),
    );
  }
  try {
    return await finishRevision(started, planned, { ...context, cancelled });
  } finally {
    await context.emit({ kind: "watching_ended", at: context.clock.now() });
  }
}

function deploymentIdOf(failure: unknown): string | undefined {
  return failure instanceof RevisionNotFoundError ? failure.deploymentId : undefined;
}

/**
 * A step may fail because the preview is no longer wanted: the run then ends with its deletion.
 *
 * @throws the error if the preview is still wanted, or if this run must not delete it
 */
async function endingAfterFailure(
  error: unknown,
  { inputs }: Preview,
  { cancelled }: RunContext,
  deleteIfUnwanted: () => Promise<Ending | undefined>,
): Promise<Ending> {
  const mayDelete = !cancelled.aborted && !inputs.dryRun && error instanceof ActionError;
  const deletion = mayDelete ? await deleteIfUnwanted() : undefined;
  if (deletion === undefined) throw error;
  return deletion;
}
