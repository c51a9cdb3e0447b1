import type { Context } from "../context.ts";
import { findDeployment, warnOfMissingList } from "../deploy/apply/find-deployment.ts";
import { RevisionNotFoundError } from "../deploy/apply/identify-revision.ts";
import type { RunRevision } from "../deploy/apply/revision-history.ts";
import { UnconfirmedWriteError } from "../deploy/apply/unconfirmed-write.ts";
import {
  confirmAbsence,
  deleteDeployment,
  deletionJob,
  isUnproven,
  missingListError,
} from "../deploy/delete/delete-deployment.ts";
import type { PlatformJob } from "../deploy/job.ts";
import { expectedRepository } from "../deploy/plan/plan.ts";
import type { Ending } from "../errors.ts";
import { type Failure, toResult } from "../errors.ts";
import { type OwnRecord, originOf, readStates } from "../github/deployment-records.ts";
import {
  describeDeletion,
  describePlannedDeletion,
  previewRemainsError,
  unprovenError,
} from "../report/sentences/deletion.ts";
import type { DeletionResult, ListEvidence, Unproven } from "../results/deletion.ts";
import { code, type Message, text } from "../text/message.ts";
import type { Preview } from "./preview-event.ts";
import { recordedId, retireRecords } from "./recorded-preview.ts";
import { previewRecord, readRecords } from "./records.ts";

/** Deletes the preview of a pull request that was closed or lost its label. `why`: part of a sentence. */
export async function deletePreview(context: Context, preview: Preview, why: Message): Promise<Ending> {
  const { inputs, github } = preview;
  const { name } = inputs;
  context.report.setFacts({ title: name, name });
  context.report.info(text`Deleting the preview ${code(name)}: ${why}.`);
  const job = deletionJob(context, inputs.controlPlane);
  const { found, records } = await orPreviewRemains(job, preview, false, async () => {
    const records = await readRecords(previewRecord(preview), github);
    const found = await findPreview(job, preview, records);
    if (found.kind === "missing" && !found.hasList) {
      // The records alone show then that there is no preview.
      if (records === undefined) throw missingListError(name);
      warnOfMissingList(job, name);
    }
    return { found, records };
  });
  if (inputs.dryRun) return describePlannedDeletion(found.kind === "found" ? found.id : undefined);
  job.report.setFacts({ deletionReason: why });
  const deletion = await orPreviewRemains(job, preview, found.kind === "found", () =>
    deleteFound(job, preview, found, records),
  );
  return describeDeletion(deletion, text`Deployment ${code(found.name)}`);
}

/** Makes a step of a deletion. @throws its error, which says that the preview exists if it was found (`isFound`), or may exist */
export async function orPreviewRemains<T>(
  { cancelled }: Pick<Context, "cancelled">,
  { inputs: { dryRun } }: Preview,
  isFound: boolean,
  step: () => Promise<T>,
): Promise<T> {
  const result = await toResult(step, cancelled);
  if ("value" in result) return result.value;
  throw dryRun ? result.error : previewRemainsError(result.error, isFound);
}

/** What a run wrote, as far as it knows. */
interface WrittenPreview {
  readonly revision: RunRevision | undefined;
  /** Why the run failed, if it did. */
  readonly failure: Failure | undefined;
}

/** Deletes what this run wrote. `why`: part of a sentence. Undefined if that is not known well enough. */
export async function deleteWritten(
  context: Context,
  preview: Preview,
  why: Message,
  { revision, failure }: WrittenPreview,
): Promise<Ending | undefined> {
  const { inputs, github } = preview;
  const job = deletionJob(context, inputs.controlPlane);
  // With a revision this run has a record, which replaces the others when it ends.
  const records = revision === undefined ? await readRecords(previewRecord(preview), github) : [];
  const withoutRevision = failure instanceof RevisionNotFoundError ? failure.deploymentId : undefined;
  const deploymentId = revision?.deploymentId ?? withoutRevision;
  const found: FoundPreview =
    deploymentId === undefined
      ? await findPreview(job, preview, records)
      : { kind: "found", id: deploymentId, name: inputs.name };
  // This run can't claim that nothing is left: what an unconfirmed write made may appear, or nothing can be searched.
  const isSearchable = found.kind === "found" || found.hasList || records !== undefined;
  const mayAppear = found.kind === "missing" && failure instanceof UnconfirmedWriteError;
  if (mayAppear || !isSearchable) return undefined;
  job.report.notice(text`Deleting the preview: ${why}.`);
  job.report.setFacts({ deletionReason: why });
  const deletion = await deleteFound(job, preview, found, records);
  return describeDeletion(deletion, text`Deployment ${code(found.name)}`);
}

/** `name`: as the platform shows it now, or else as the inputs give it. */
type FoundPreview = { readonly name: string } & (
  | { readonly kind: "found"; readonly id: string }
  | { readonly kind: "missing"; readonly recordedId: string | undefined; readonly hasList: boolean }
);

/** The preview's deployment: the one that an earlier run recorded, or else the one of its name. */
async function findPreview(
  job: PlatformJob,
  preview: Preview,
  records: readonly OwnRecord[] = [],
): Promise<FoundPreview> {
  const { inputs, github } = preview;
  const recorded = recordedId(preview, records, job.controlPlane.digest);
  const target = { kind: "name", name: inputs.name, recorded, mustBeRecorded: !inputs.isOwnName } as const;
  const repoUrl = expectedRepository(inputs, job.workflow);
  const found = await findDeployment(job, { target, repoUrl, github });
  if (found.kind === "missing") {
    return { kind: "missing", name: inputs.name, recordedId: recorded?.id, hasList: found.hasList };
  }
  const { id, name = inputs.name } = found.deployment;
  job.report.setFacts({ title: name, name });
  return { kind: "found", id, name };
}

/**
 * Deletes the preview's deployment, if there is one, and makes its records inactive.
 *
 * @throws Failure if it was not found, and nothing shows that it is gone
 */
async function deleteFound(
  job: PlatformJob,
  preview: Preview,
  found: FoundPreview,
  records: readonly OwnRecord[] = [],
): Promise<DeletionResult> {
  const { name, deleteTracingProject } = preview.inputs;
  let deletion: DeletionResult;
  if (found.kind === "found") {
    job.report.deploymentId(found.id);
    deletion = await deleteDeployment(job, { id: found.id, title: found.name, deleteTracingProject });
    if (isUnproven(deletion)) throw unprovenError(found.name, deletion);
  } else {
    const absence = found.hasList
      ? await confirmAbsence(job, { id: found.recordedId, name }, name)
      : "no_list";
    const unproven = await findUnproven(job, preview, absence, records);
    if (unproven !== undefined) throw unprovenError(name, unproven);
    deletion = absence;
  }
  const deploymentId = found.kind === "found" ? found.id : found.recordedId;
  await retireRecords(job, preview.github, deploymentId, records);
  return deletion;
}

/** Why a preview that was not found may exist; undefined if it is gone, or no record shows that there was one. */
async function findUnproven(
  { controlPlane: { digest } }: PlatformJob,
  { github }: Preview,
  absence: ListEvidence,
  records: readonly OwnRecord[],
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
