import { type Result, toResult } from "../../errors.ts";
import { titleOf } from "../../inputs/control-plane.ts";
import type { CreateRequest } from "../../platform/schemas.ts";
import type { DeployJob } from "../job.ts";
import {
  type Created,
  type CreateResult,
  completeCreateRequest,
  createDeployment,
  firstRevision,
} from "./create.ts";
import { type ExistingDeployment, findForUpdate } from "./find-deployment.ts";
import { NameConflict } from "./name-conflict.ts";
import type { RunRevision } from "./revision-history.ts";
import { sendToCreated, updateDeployment } from "./update.ts";

/**
 * Creates the deployment or updates it, and returns the revision that this run made. If the name is taken by a deployment
 * that is being deleted, waits until the job's deadline.
 *
 * @throws Failure if the inputs are not enough to create it or its name stays taken, UnconfirmedWriteError and
 *   RevisionNotFoundError if no revision can be identified as this run's, and the errors of `ControlPlane`.
 */
export async function createOrUpdate(job: DeployJob, found: ExistingDeployment): Promise<RunRevision> {
  const conflict = new NameConflict(job, titleOf(job.plan.target));
  let request: CreateRequest | undefined;
  for (let existing = found; ; existing = await findForUpdate(job)) {
    if (existing.kind === "missing") {
      if (!existing.hasList) conflict.onMissingList();
      request ??= await completeCreateRequest(job);
      const created = await create(job, request);
      if ("error" in created) {
        await conflict.waitAfterRefusal(created.error);
        continue;
      }
      if (created.value.kind === "created") return await revisionOfCreated(job, created.value);
      existing = created.value;
    }
    if (existing.kind === "found") return await updateDeployment(job, existing);
    await conflict.waitForDeletion();
  }
}

/** Only the error of the create itself says that the name is taken. */
async function create(job: DeployJob, request: CreateRequest): Promise<Result<CreateResult>> {
  return await toResult(() => createDeployment(job, request), job.cancelled);
}

async function revisionOfCreated(job: DeployJob, created: Created): Promise<RunRevision> {
  return job.settings.platform.createsWithoutRevision(job.plan.desired.sourceKind)
    ? await sendToCreated(job, created.deployment)
    : await firstRevision(job, created);
}
