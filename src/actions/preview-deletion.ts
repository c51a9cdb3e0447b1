import { isUnproven, readAbsence, type Unproven, unprovenError } from "../deploy/apply/absence.ts";
import {
  controlPlaneForDeletion,
  type Deletion,
  deleteDeployment,
  deletionEnding,
  missingListError,
} from "../deploy/apply/delete-deployment.ts";
import { locateDeployment, warnOfMissingList } from "../deploy/apply/find-deployment.ts";
import { UnconfirmedWriteError } from "../deploy/apply/unconfirmed-write.ts";
import { expectedRepository } from "../deploy/plan/plan.ts";
import type { Ending } from "../ending.ts";
import { ActionError } from "../errors.ts";
import type { RunContext } from "../events.ts";
import { type OwnRecord, originOf, readStates } from "../github/deployment-records.ts";
import { readPullRequest } from "../github/repository.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { ActionContext } from "../report/run-report.ts";
import { deleteFormerPreview, findFormerPreview } from "./former-preview.ts";
import { observeComment, type Preview, previewRecord } from "./preview-subject.ts";
import { retireRecords } from "./recorded-preview.ts";
import { readRecords } from "./start-record.ts";

/** Deletes the preview of a pull request that was closed or lost its label. `why`: part of a sentence. */
export async function deletePreview(preview: Preview, why: string, context: ActionContext): Promise<Ending> {
  const { inputs, github } = preview;
  const { name } = inputs;
  await context.emit({ kind: "planned", title: name, name });
  context.log.info(`Deleting the preview ${name}: ${why}.`);
  const controlPlane = controlPlaneForDeletion(inputs.controlPlane, context);
  const records = await readRecords(previewRecord(preview), github);
  const former = await findFormerPreview(preview, controlPlane.digest);
  const located = await locatePreview(preview, records, controlPlane, context);
  if (located.kind === "missing" && !located.hasList) {
    // The records alone show then that there is no preview.
    if (records === undefined) throw missingListError(name);
    warnOfMissingList(name, context.log);
  }
  if (inputs.dryRun) {
    const ids = [located.kind === "found" ? located.id : undefined, former?.deploymentId];
    const found = ids.filter((id) => id !== undefined).map((id) => `deployment ${id}`);
    return {
      outcome: "planned",
      headline: `Dry run: would delete ${found.join(" and ") || "nothing"}. No changes were sent.`,
    };
  }
  if (github) observeComment(preview, github, context);
  const deletion = await deleteLocated(preview, located, records, controlPlane, context);
  const formerEnding = former && (await deleteFormerPreview(preview, former, controlPlane, context));
  if (formerEnding !== undefined && deletion === "gone") return formerEnding;
  return deletionEnding(deletion, `Deployment ${name}`, context);
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
  readonly hasRevision: boolean;
  readonly failure: unknown;
}

/** Deletes what this run wrote. `why`: part of a sentence. Undefined if that is not known well enough. */
export async function deleteWritten(
  preview: Preview,
  why: string,
  { deploymentId, hasRevision, failure }: WrittenPreview,
  context: RunContext,
): Promise<Ending | undefined> {
  const { inputs, github } = preview;
  const controlPlane = controlPlaneForDeletion(inputs.controlPlane, context);
  // With a revision this run has a record, which replaces the others when it ends.
  const records = hasRevision ? [] : await readRecords(previewRecord(preview), github);
  const located: LocatedPreview =
    deploymentId === undefined
      ? await locatePreview(preview, records, controlPlane, context)
      : { kind: "found", id: deploymentId };
  // This run can't claim that nothing is left: what an unconfirmed write made may appear, or nothing can be searched.
  const isSearchable = located.kind === "found" || located.hasList || records !== undefined;
  const mayAppear = located.kind === "missing" && failure instanceof UnconfirmedWriteError;
  if (mayAppear || !isSearchable) return undefined;
  context.log.notice(`Deleting the preview: ${why}.`);
  const deletion = await deleteLocated(preview, located, records, controlPlane, context);
  return deletionEnding(deletion, `Deployment ${inputs.name}`, context);
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

type LocatedPreview =
  | { readonly kind: "found"; readonly id: string }
  | { readonly kind: "missing"; readonly recordedId: string | undefined; readonly hasList: boolean };

/** The preview's deployment: the one that an earlier run recorded, or else the one of its name. */
async function locatePreview(
  { inputs }: Preview,
  records: readonly OwnRecord[] = [],
  controlPlane: ControlPlane,
  { workflow }: RunContext,
): Promise<LocatedPreview> {
  const newest = records.find((record) => originOf(record, controlPlane.digest) !== "other");
  const id = newest?.payload.deployment_id;
  const target = { kind: "name", name: inputs.name, recordedId: id } as const;
  const located = await locateDeployment(target, expectedRepository(inputs, workflow), controlPlane);
  return located.kind === "found"
    ? { kind: "found", id: located.deployment.id }
    : { kind: "missing", recordedId: id, hasList: located.hasList };
}

/**
 * Deletes the preview's deployment, if there is one, and makes its records inactive.
 *
 * @throws ActionError if it was not found, and nothing shows that it is gone
 */
async function deleteLocated(
  preview: Preview,
  located: LocatedPreview,
  records: readonly OwnRecord[] = [],
  controlPlane: ControlPlane,
  context: RunContext,
): Promise<Deletion> {
  const { name, deleteTracingProject } = preview.inputs;
  const { github } = preview;
  let deletion: Deletion;
  if (located.kind === "found") {
    const { id } = located;
    await context.emit({ kind: "deployment_identified", deploymentId: id });
    deletion = await deleteDeployment({ id, title: name, deleteTracingProject }, controlPlane, context);
    if (isUnproven(deletion)) throw unprovenError(name, deletion);
  } else {
    deletion = located.hasList
      ? await readAbsence({ id: located.recordedId, name }, controlPlane)
      : "no_list";
    const unproven = await findUnproven(preview, deletion, records, controlPlane.digest);
    if (unproven !== undefined) throw unprovenError(name, unproven);
  }
  const deploymentId = located.kind === "found" ? located.id : located.recordedId;
  const deployment = { controlPlaneDigest: controlPlane.digest, deploymentId };
  if (github) await retireRecords(records, deployment, github, context);
  return deletion;
}

/** Why a preview that was not found may exist; undefined if it is gone, or no record shows that there was one. */
async function findUnproven(
  { github }: Preview,
  absence: Deletion,
  records: readonly OwnRecord[],
  digest: string,
): Promise<Unproven | undefined> {
  if (absence === "listed") return absence;
  if (absence !== "no_list" && records.some((record) => originOf(record, digest) === "own")) return undefined;
  const states = await github?.warnOnFailure(() => readStates(github, records));
  // An inactive record is of a preview that was deleted before.
  const active = records.find(({ id }) => states?.get(id) !== "inactive");
  if (active === undefined) return undefined;
  const origin = originOf(active, digest);
  if (origin === "other") return "other_control_plane";
  return absence === "no_list" ? absence : "unknown_control_plane";
}
