import { readAbsence, unprovenError } from "../deploy/apply/absence.ts";
import {
  controlPlaneForDeletion,
  deleteDeployment,
  deletionEnding,
  findToDelete,
  missingListError,
} from "../deploy/apply/delete-deployment.ts";
import type { Ending } from "../ending.ts";
import { readControlPlane, readDeleteTracingProject } from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget, titleOf } from "../inputs/target.ts";
import { logObserver } from "../report/log-observer.ts";
import { outputsObserver } from "../report/outputs.ts";
import type { ActionContext } from "../report/run-report.ts";
import { summaryObserver } from "../report/summary.ts";

/** The delete action: deletes one deployment, by id or by exact name. */
export async function deleteAction(context: ActionContext): Promise<Ending> {
  const outputs = outputsObserver(context, ["deployment_id", "outcome"]);
  context.observe(outputs, logObserver(context), summaryObserver(context));
  const reader = new InputReader(context.env);
  const settings = readControlPlane(reader);
  const deleteTracingProject = readDeleteTracingProject(reader, settings);
  const target = readTarget(reader);
  reader.finish(context.log);

  const title = titleOf(target);
  await context.emit({ kind: "planned", title, name: target.kind === "name" ? title : undefined });
  const controlPlane = controlPlaneForDeletion(settings, context);
  const id = await findToDelete(target, controlPlane);
  if (id !== undefined) await context.emit({ kind: "deployment_identified", deploymentId: id });
  const deletion =
    id === undefined
      ? await readAbsence({ name: title }, controlPlane)
      : await deleteDeployment({ id, title, deleteTracingProject }, controlPlane, context);
  if (deletion === "listed") throw unprovenError(title, deletion);
  if (deletion === "no_list" && id === undefined) throw missingListError(title);
  return deletionEnding(deletion, `Deployment ${title}`, context);
}
