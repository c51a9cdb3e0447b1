import { toResult } from "../../errors.ts";
import { titleOf } from "../../inputs/control-plane.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import type { DeployJob } from "../job.ts";
import { sourceFollowsCreate } from "../plan/plan.ts";
import { completeCreateRequest, createDeployment, firstRevision, withOlderType } from "./create.ts";
import { type FindResult, findForUpdate } from "./find-deployment.ts";
import { NameConflict } from "./name-conflict.ts";
import type { RunRevision } from "./revision-history.ts";
import { sendToCreated, updateDeployment } from "./update.ts";

/**
 * Creates the deployment or updates it, and returns the revision that this run made. If the name is taken by a deployment
 * that is being deleted, waits until the job's deadline. `found`: what `findForUpdate` returned.
 *
 * @throws ActionError if the inputs are not enough to create it or its name stays taken, UnconfirmedWriteError and
 *   RevisionNotFoundError if no revision can be identified as this run's, and the errors of `ControlPlane`.
 */
export async function createOrUpdate(job: DeployJob, found: FindResult): Promise<RunRevision> {
  const attempts: Attempts = {
    conflict: new NameConflict(job, titleOf(job.plan.target)),
    request: undefined,
  };
  for (let existing = found; ; existing = await findForUpdate(job)) {
    const revision = await tryOnce(job, existing, attempts);
    if (revision !== undefined) return revision;
  }
}

interface Attempts {
  readonly conflict: NameConflict;
  request: CreateRequest | undefined;
}

/** Undefined if the name is taken and may become free. */
async function tryOnce(
  job: DeployJob,
  existing: FindResult,
  attempts: Attempts,
): Promise<RunRevision | undefined> {
  switch (existing.kind) {
    case "found":
      return await updateDeployment(job, existing);
    case "being_deleted":
      return await attempts.conflict.waitForDeletion();
    case "missing":
      if (!existing.hasList) attempts.conflict.onMissingList();
      return await create(job, existing.listedIds, attempts);
  }
}

async function create(
  job: DeployJob,
  listedIds: readonly string[],
  attempts: Attempts,
): Promise<RunRevision | undefined> {
  const request = attempts.request ?? (await completeCreateRequest(job));
  attempts.request = request;
  // Only a 409 to the create itself says that the name is taken.
  const created = await toResult(() => createDeployment(job, request, listedIds), job.cancelled);
  if ("error" in created) {
    const older = withOlderType(job, request, created.error);
    if (older === undefined) return await attempts.conflict.waitAfterRefusal(created.error);
    attempts.request = older;
    return undefined;
  }
  const { value } = created;
  // Updated as after a 409.
  if (value.kind !== "created") return await tryOnce(job, value, attempts);
  return sourceFollowsCreate(job.plan.desired, job.settings.platform)
    ? await sendToCreated(job, value.deployment)
    : await firstRevision(job, value);
}
