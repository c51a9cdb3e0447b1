import { controlPlaneForDeletion, deleteAndEnd, missingListError } from "../deployment/deletion.ts";
import { type Located, locateDeployment, warnOfMissingList } from "../deployment/locate.ts";
import { expectedRepository } from "../deployment/plan.ts";
import { UnconfirmedWriteError } from "../deployment/unconfirmed-write.ts";
import type { Ending } from "../ending.ts";
import { ActionError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { makeInactive, type OwnRecord } from "../github/deployment-records.ts";
import { readPullRequest } from "../github/repository.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { ActionContext } from "../report/run-report.ts";
import { runUrl } from "../runner/workflow-run.ts";
import { observeComment, type Preview, previewRecord } from "./preview-subject.ts";
import { readRecords } from "./start-record.ts";

/** Deletes the preview of a pull request that was closed or lost its label. `why`: part of a sentence. */
export async function deletePreview(preview: Preview, why: string, context: ActionContext): Promise<Ending> {
  const { inputs, github } = preview;
  const { name, deleteTracingProject } = inputs;
  await context.emit({ kind: "planned", title: name, name });
  context.log.info(`Deleting the preview ${name}: ${why}.`);
  const records = await readRecords(previewRecord(preview), github);
  const controlPlane = controlPlaneForDeletion(inputs.controlPlane, context);
  const located = await locatePreview(preview, records?.[0]?.payload.deployment_id, controlPlane, context);
  if (located.kind === "missing" && !located.hasList) {
    // The records alone show then that there is no preview.
    if (records === undefined) throw missingListError(name);
    warnOfMissingList(name, context.log);
  }
  const id = located.kind === "found" ? located.deployment.id : undefined;
  if (inputs.dryRun) {
    return {
      outcome: "planned",
      headline: `Dry run: would delete ${id === undefined ? "nothing" : `deployment ${id}`}. No changes were sent.`,
    };
  }
  if (github) observeComment(preview, github, context);
  const ending = await deleteAndEnd({ id, title: name, deleteTracingProject }, controlPlane, context);
  await deactivateRecords(preview, records, context);
  return ending;
}

/** Deletes the preview if it is no longer wanted, for a run that wrote nothing yet. Undefined if it stays. */
export async function deletePreviewIfUnwanted(
  preview: Preview,
  context: ActionContext,
): Promise<Ending | undefined> {
  const why = await reasonUnwanted(preview);
  return why === undefined ? undefined : await deletePreview(preview, why, context);
}

/** What a run wrote, as far as it knows. */
export interface WrittenPreview {
  readonly deploymentId: string | undefined;
  /** The deployment that an earlier run recorded. */
  readonly recordedId: string | undefined;
  readonly hasRevision: boolean;
  readonly failure: unknown;
}

/** Deletes what this run wrote. `why`: part of a sentence. Undefined if that is not known well enough. */
export async function deleteWritten(
  preview: Preview,
  why: string,
  { deploymentId, recordedId, hasRevision, failure }: WrittenPreview,
  context: RunContext,
): Promise<Ending | undefined> {
  const { inputs, github } = preview;
  const controlPlane = controlPlaneForDeletion(inputs.controlPlane, context);
  const id = deploymentId ?? (await findPreviewId(preview, recordedId, controlPlane, context));
  // What an unconfirmed write made may still appear, so this run can't claim that nothing is left.
  if (id === undefined && failure instanceof UnconfirmedWriteError) return undefined;
  context.log.notice(`Deleting the preview: ${why}.`);
  const { name: title, deleteTracingProject } = inputs;
  const ending = await deleteAndEnd({ id, title, deleteTracingProject }, controlPlane, context);
  // With a revision this run has a record, which replaces the others when it ends.
  if (!hasRevision)
    await deactivateRecords(preview, await readRecords(previewRecord(preview), github), context);
  return ending;
}

/** The preview turned out to be unwanted while it was watched. */
export class UnwantedPreviewError extends ActionError {
  override readonly name = "UnwantedPreviewError";
  /** Part of a sentence. */
  readonly why: string;

  constructor(why: string) {
    super(`The preview is no longer wanted: ${why}.`, { code: "unwanted_preview", hint: "" });
    this.why = why;
  }
}

/** Why the preview is no longer wanted, as part of a sentence; undefined if it is, or if GitHub does not show it. */
export async function reasonUnwanted({ github, inputs, pullRequest }: Preview): Promise<string | undefined> {
  const state = await github?.warnOnFailure(() => readPullRequest(github, pullRequest.number));
  if (state === undefined) return undefined;
  if (!state.isOpen) return "the pull request was closed meanwhile";
  const isWanted = inputs.label === undefined || state.labels.includes(inputs.label);
  return isWanted ? undefined : `the pull request lost its label ${inputs.label} meanwhile`;
}

async function findPreviewId(
  preview: Preview,
  recordedId: string | undefined,
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<string | undefined> {
  const located = await locatePreview(preview, recordedId, controlPlane, context);
  return located.kind === "found" ? located.deployment.id : undefined;
}

/** The preview's deployment: the one that an earlier run recorded, or else the one of its name. */
function locatePreview(
  { inputs }: Preview,
  recordedId: string | undefined,
  controlPlane: ControlPlane,
  { workflow }: RunContext,
): Promise<Located> {
  const repoUrl = expectedRepository(inputs, workflow);
  return locateDeployment({ kind: "name", name: inputs.name, recordedId }, repoUrl, controlPlane);
}

async function deactivateRecords(
  { github }: Preview,
  records: readonly OwnRecord[] = [],
  { workflow }: RunContext,
): Promise<void> {
  const why = { logUrl: runUrl(workflow), description: "The preview was deleted" };
  await github?.warnOnFailure(() => makeInactive(github, records, why));
}
