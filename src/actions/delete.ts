import type { Context } from "../context.ts";
import { findByName } from "../deploy/apply/find-deployment.ts";
import type { PlatformJob } from "../deploy/job.ts";
import type { Ending } from "../errors.ts";
import {
  readControlPlane,
  readDeleteTracingProject,
  readTarget,
  type Target,
  titleOf,
} from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import {
  deleteDeployment,
  deletionEnding,
  deletionJob,
  missingListError,
} from "../previews/delete-deployment.ts";
import { logWriter } from "../report/writers/log.ts";
import { outputsWriter } from "../report/writers/outputs.ts";
import { summaryWriter } from "../report/writers/summary.ts";
import { input, text } from "../text/message.ts";

/** Those of delete/action.yml. */
export const deleteOutputs = ["deployment_id", "outcome"];

/** The delete action: deletes one deployment, by id or by exact name. */
export async function deleteAction(context: Context): Promise<Ending> {
  const { report } = context;
  report.add(outputsWriter(context, deleteOutputs), logWriter(context), summaryWriter(context));
  const reader = new InputReader(context.env);
  const settings = readControlPlane(reader);
  const deleteTracingProject = readDeleteTracingProject(reader, settings);
  const target = readTarget(reader);
  reader.finish(report);

  const title = titleOf(target);
  report.setFacts({ title, name: target.kind === "name" ? title : undefined });
  const job = deletionJob(context, settings);
  const id = await findId(job, target);
  if (id === undefined) return deletionEnding("gone", title, settings);
  report.deploymentId(id);
  return deletionEnding(await deleteDeployment(job, { id, title, deleteTracingProject }), title, settings);
}

/** Undefined if there is no deployment of the name. */
async function findId(job: PlatformJob, target: Target): Promise<string | undefined> {
  // The deletion itself shows whether the id exists.
  if (target.kind === "id") return target.id;
  const found = await findByName(job, target.name);
  if (found.kind !== "missing") return found.deployment.id;
  if (!found.hasList) {
    const hint = text`Set ${input("deployment_id")}, or delete the deployment on the platform.`;
    throw missingListError(target.name, hint);
  }
  return undefined;
}
