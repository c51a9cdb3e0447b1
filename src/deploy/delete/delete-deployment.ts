import type { Context } from "../../context.ts";
import { Failure, toResult } from "../../errors.ts";
import { ResponseError } from "../../http/response-error.ts";
import { retryIdempotent, type ShouldRetry } from "../../http/retry.ts";
import type { Target } from "../../inputs/control-plane.ts";
import { type Deployment, isBeingDeleted, isSameId } from "../../platform/deployment.ts";
import { isNotFound, isUnsupported, mayHaveTakenEffect, undefinedIf404 } from "../../platform/error-kinds.ts";
import type { ControlPlaneSettings } from "../../platform/platforms.ts";
import { unreadableListError } from "../../report/sentences/deletion.ts";
import { missingListMessage } from "../../report/sentences/deploy.ts";
import type { DeletionResult, ListEvidence, Unproven } from "../../results/deletion.ts";
import { code, input, text } from "../../text/message.ts";
import { findDeployment } from "../apply/find-deployment.ts";
import { pollForEffect, sendWrite, UnconfirmedWriteError } from "../apply/unconfirmed-write.ts";
import { type PlatformJob, platformJob } from "../job.ts";

/** How long requests are retried, in milliseconds: actions that delete have no input for it. */
const retryMs = 300_000;

/** The job of one deletion, whose time starts now. */
export function deletionJob<C extends Context>(context: C, settings: ControlPlaneSettings): C & PlatformJob {
  return platformJob(context, settings, retryMs);
}

/** The id of the deployment to delete; undefined if it does not exist. @throws Failure if a name can't be searched */
export async function findToDelete(job: PlatformJob, target: Target): Promise<string | undefined> {
  // The deletion itself shows whether the id exists.
  if (target.kind === "id") return target.id;
  const found = await findDeployment(job, { target });
  if (found.kind !== "missing") return found.deployment.id;
  if (!found.hasList) throw missingListError(target.name);
  return undefined;
}

/** Whether this leaves open that the deployment exists. */
export function isUnproven(result: DeletionResult): result is Extract<ListEvidence, Unproven> {
  return result === "listed" || result === "no_list";
}

/** A deployment was to be deleted by a name that can't be searched. */
export function missingListError(name: string): Failure {
  return new Failure(text`${missingListMessage(name)} It was not deleted.`, {
    hint: text`Set ${input("deployment_id")}, or delete the deployment on the platform.`,
  });
}

interface DeploymentToDelete {
  readonly id: string;
  /** What the user calls it. */
  readonly title: string;
  readonly deleteTracingProject: boolean;
}

/**
 * Deletes a deployment, and reports what a cancelled run leaves behind.
 *
 * @throws UnconfirmedWriteError, and the errors of `ControlPlane`.
 */
export async function deleteDeployment(
  job: PlatformJob,
  deployment: DeploymentToDelete,
): Promise<DeletionResult> {
  const { cancelled, report } = job;
  const { id, title } = deployment;
  cancelled.throwIfAborted();
  const sent = await report.whileUnfinished({ kind: "deletion", title }, async () => {
    const result = await toResult(() => deleteConfirmed(job, deployment), cancelled);
    if ("error" in result && result.error instanceof UnconfirmedWriteError) throw result.error;
    return result;
  });
  if ("error" in sent) throw sent.error;
  const deletion = sent.value ?? (await confirmAbsence(job, { id }, title));
  if (deletion === "deleted" || deletion === "being_deleted") report.deploymentDeleted(title);
  return deletion;
}

/** Undefined if nothing was deleted, because the platform knows no such deployment. */
async function deleteConfirmed(
  job: PlatformJob,
  { id, deleteTracingProject }: DeploymentToDelete,
): Promise<DeletionResult | undefined> {
  const write = {
    what: text`the deletion of ${code(id)}`,
    remains: text`Deployment ${code(id)} may still exist.`,
  };
  const attempts: Failure[] = [];
  const shouldRetry: ShouldRetry = (error) => {
    attempts.push(error);
    return retryIdempotent(error);
  };
  const send = () => job.controlPlane.deleteDeployment(id, deleteTracingProject, shouldRetry);
  const sent = await toResult(() => sendWrite(job, { ...write, send }), job.cancelled);
  if ("error" in sent) {
    const { error } = sent;
    if (!isNotFound(error)) return await confirmRefused(job, id, error);
    // The 404 itself deleted nothing, but it may be the effect of an earlier attempt.
    const cause = attempts.find(mayHaveTakenEffect);
    if (cause === undefined) return undefined;
    const read = await toResult(() => readAbsence(job, { id }), job.cancelled);
    if ("value" in read) return read.value === "gone" ? "deleted" : read.value;
    throw new UnconfirmedWriteError({ ...write, cause }, read.error.ending.message);
  }
  const { unconfirmed } = sent.value;
  if (unconfirmed === undefined) return "deleted";
  const polling = { ...job, controlPlane: job.controlPlane.withoutRetry() };
  const findDeletion = async (): Promise<DeletionResult | undefined> => {
    const deletion = await readDeletion(polling, id);
    if (deletion === "gone") return "deleted";
    return deletion === "listed" ? undefined : deletion;
  };
  const confirmed = await pollForEffect(job, findDeletion, unconfirmed);
  if (confirmed === undefined) throw new UnconfirmedWriteError(unconfirmed);
  return confirmed;
}

/** A platform may refuse to delete what it is already deleting. @throws the refusal, if it means something else */
async function confirmRefused(job: PlatformJob, id: string, refusal: unknown): Promise<DeletionResult> {
  if (!(refusal instanceof ResponseError) || ![409, 423].includes(refusal.status)) throw refusal;
  const read = await toResult(() => readDeletion(job, id), job.cancelled);
  if ("error" in read || read.value === undefined || isUnproven(read.value)) throw refusal;
  return read.value;
}

/** What shows that a deployment is gone or being deleted; undefined if it is still there. */
async function readDeletion(job: PlatformJob, id: string): Promise<ListEvidence | undefined> {
  const deployment = await undefinedIf404(job.controlPlane.getDeployment(id));
  if (deployment === undefined) return await readAbsence(job, { id });
  return isBeingDeleted(deployment) ? "being_deleted" : undefined;
}

/** What a deployment is searched by in the list. */
interface SearchedDeployment {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}

/** Like `readAbsence`, for a deployment that this run did not delete. @throws Failure that says so if the list can't be read */
export async function confirmAbsence(
  job: PlatformJob,
  searched: SearchedDeployment,
  title: string,
): Promise<ListEvidence> {
  const read = await toResult(() => readAbsence(job, searched), job.cancelled);
  if ("error" in read) throw unreadableListError(title, read.error);
  return read.value;
}

/** Searches the complete list for a deployment of this id or exactly this name. @throws the errors of `ControlPlane` */
export async function readAbsence(
  { controlPlane }: PlatformJob,
  { id, name }: SearchedDeployment,
): Promise<ListEvidence> {
  try {
    const isSearched = (deployment: Deployment) =>
      (id !== undefined && isSameId(deployment.id, id)) || (name !== undefined && deployment.name === name);
    const matches: Deployment[] = [];
    for await (const page of controlPlane.deploymentPages()) matches.push(...page.filter(isSearched));
    if (matches.length === 0) return "gone";
    return matches.every(isBeingDeleted) ? "being_deleted" : "listed";
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    return "no_list";
  }
}
