import { deleteDeployment, isUnproven, readAbsence } from "../deploy/delete/delete-deployment.ts";
import type { PlatformJob } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import {
  makeInactive,
  nameOfTask,
  type OwnRecord,
  originOf,
  readState,
  recordsOf,
} from "../github/deployment-records.ts";
import { runUrl } from "../github/workflow-run.ts";
import type { RecordedDeploymentId } from "../inputs/control-plane.ts";
import { undefinedIf404 } from "../platform/error-kinds.ts";
import type { DeletionResult, ListEvidence, Unproven } from "../results/deletion.ts";
import type { Preview } from "./preview-event.ts";

/** A preview as its newest record describes it. */
export interface RecordedPreview {
  readonly name: string;
  readonly deploymentId: string;
  readonly pullRequest: number | undefined;
  /** All records of its task, newest first. */
  readonly records: readonly OwnRecord[];
  readonly newest: OwnRecord;
}

/**
 * The preview's deployment in the newest record that may be of this control plane and workspace. `records`: newest first.
 * Under a name that pull requests may share, only the records of this one count: those of another lead to its preview.
 */
export function recordedId(
  { inputs: { isOwnName }, pullRequest }: Preview,
  records: readonly OwnRecord[],
  controlPlaneDigest: string,
): RecordedDeploymentId | undefined {
  const isOwn = ({ payload: { pull_request: number = pullRequest.number } }: OwnRecord) =>
    isOwnName || number === pullRequest.number;
  const newest = records.find((record) => isOwn(record) && originOf(record, controlPlaneDigest) !== "other");
  return (
    newest && {
      id: newest.payload.deployment_id,
      isOwn: originOf(newest, controlPlaneDigest) === "own",
    }
  );
}

/** The previews of records, which are newest first. One whose payload has another name than its task is left alone. */
export function previewsOf(records: readonly OwnRecord[]): RecordedPreview[] {
  const byTask = Map.groupBy(records, ({ task }) => task);
  return [...byTask].flatMap(([task, ofTask]) => {
    const name = nameOfTask(task);
    const [newest] = ofTask;
    if (name === undefined || newest === undefined || newest.payload.name !== name) return [];
    const { deployment_id: deploymentId, pull_request: pullRequest } = newest.payload;
    return [{ name, deploymentId, pullRequest, records: ofTask, newest }];
  });
}

/**
 * The preview as its newest record that is not inactive describes it; undefined if it has none. A revision that failed
 * leaves an inactive record, and the one before it may still be live. States are read again here: a push may have
 * replaced the record since the list was read.
 */
export async function newestActive(
  { records }: RecordedPreview,
  github: GitHubClient,
): Promise<RecordedPreview | undefined> {
  for (const [index, { id }] of records.entries()) {
    if ((await readState(github, id)) !== "inactive") return previewsOf(records.slice(index))[0];
  }
  return undefined;
}

/** What came of the deletion of a preview; `gone`: there was nothing to delete. */
export type RecordedDeletion =
  | { readonly kind: "deleted" }
  | { readonly kind: "gone" }
  /** The deployment has this name now, so it is not the preview. */
  | { readonly kind: "renamed"; readonly name: string }
  | { readonly kind: "unproven"; readonly reason: Unproven };

type Obstacle = Exclude<RecordedDeletion, { kind: "deleted" }>;

/**
 * Why there is nothing to delete for a preview whose record is not of another control plane or workspace; undefined if
 * its deployment is there. @throws the errors of `ControlPlane`
 */
export async function findObstacle(
  job: PlatformJob,
  { name, deploymentId, newest }: RecordedPreview,
): Promise<Obstacle | undefined> {
  const { controlPlane } = job;
  const deployment = await undefinedIf404(controlPlane.getDeployment(deploymentId));
  if (deployment !== undefined) {
    const { name: currentName = name } = deployment;
    return currentName === name ? undefined : { kind: "renamed", name: currentName };
  }
  if (originOf(newest, controlPlane.digest) !== "own") {
    return { kind: "unproven", reason: "unknown_control_plane" };
  }
  return obstacleOf(await readAbsence(job, { id: deploymentId, name }));
}

/**
 * Deletes the deployment of a preview unless there is an obstacle, and makes its records inactive if it was deleted or is
 * gone. @throws the errors of `deleteDeployment`
 */
export async function deleteRecorded(
  job: PlatformJob,
  github: GitHubClient,
  { name, deploymentId, records }: RecordedPreview,
  { obstacle, deleteTracingProject }: DeletionOptions,
): Promise<RecordedDeletion> {
  const deletion =
    obstacle ??
    resultOf(await deleteDeployment(job, { id: deploymentId, title: name, deleteTracingProject }));
  if (deletion.kind === "deleted" || deletion.kind === "gone") {
    await retireRecords(job, github, deploymentId, records);
  }
  return deletion;
}

interface DeletionOptions {
  readonly obstacle: Obstacle | undefined;
  readonly deleteTracingProject: boolean;
}

function resultOf(deletion: DeletionResult): RecordedDeletion {
  const isDeleted = deletion === "deleted" || deletion === "being_deleted";
  return isDeleted ? { kind: "deleted" } : obstacleOf(deletion);
}

function obstacleOf(evidence: ListEvidence): Obstacle {
  return isUnproven(evidence) ? { kind: "unproven", reason: evidence } : { kind: "gone" };
}

/** Makes the records of a deployment inactive that was deleted or is gone. A failure of GitHub is a warning. */
export async function retireRecords(
  { workflow, controlPlane }: PlatformJob,
  github: GitHubClient | undefined,
  deploymentId: string | undefined,
  records: readonly OwnRecord[],
): Promise<void> {
  const ofDeployment = recordsOf({ controlPlaneDigest: controlPlane.digest, deploymentId }, records);
  const why = { logUrl: runUrl(workflow), description: "The preview was deleted" };
  await github?.warnOnFailure(() => makeInactive(github, ofDeployment, why));
}
