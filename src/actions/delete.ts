import type { Context } from "../context.ts";
import { findDeployment } from "../deploy/find-target.ts";
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
import { deleteDeployment, deletionEnding, deletionJob } from "../previews/delete-deployment.ts";

/** The delete action: deletes one deployment, by id or by exact name. */
export async function deleteAction(context: Context): Promise<Ending> {
  const { report } = context;
  const reader = new InputReader(context.env);
  const settings = readControlPlane(reader);
  const deleteTracingProject = readDeleteTracingProject(reader, settings);
  const target = readTarget(reader);
  reader.finish(report);

  const title = titleOf(target);
  report.set({ title, name: target.kind === "name" ? title : undefined });
  const job = deletionJob(context, settings);
  const id = await findId(job, target);
  if (id === undefined) return deletionEnding(context, "gone", title, settings);
  report.set({ deploymentId: id });
  return deletionEnding(
    context,
    await deleteDeployment(job, { id, title, deleteTracingProject }),
    title,
    settings,
  );
}

/** Undefined if there is no deployment of the name. */
async function findId(job: PlatformJob, target: Target): Promise<string | undefined> {
  // The deletion itself shows whether the id exists.
  if (target.kind === "id") return target.id;
  return (await findDeployment(job, target))?.id;
}
