import type { Context } from "../context.ts";
import {
  confirmAbsence,
  deleteDeployment,
  deletionJob,
  findToDelete,
  missingListError,
} from "../deploy/delete/delete-deployment.ts";
import type { Ending } from "../errors.ts";
import { readControlPlane, readDeleteTracingProject, readTarget, titleOf } from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { describeDeletion, unprovenError } from "../report/sentences/deletion.ts";
import { logWriter } from "../report/writers/log.ts";
import { outputsWriter } from "../report/writers/outputs.ts";
import { summaryWriter } from "../report/writers/summary.ts";
import { code, text } from "../text/message.ts";

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
  const id = await findToDelete(job, target);
  if (id !== undefined) report.deploymentId(id);
  const deletion =
    id === undefined
      ? await confirmAbsence(job, { name: title }, title)
      : await deleteDeployment(job, { id, title, deleteTracingProject });
  if (deletion === "listed") throw unprovenError(title, deletion);
  if (deletion === "no_list" && id === undefined) throw missingListError(title);
  return describeDeletion(deletion, text`Deployment ${code(title)}`);
}
