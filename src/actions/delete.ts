import type { ControlPlane } from "../control-plane/client.ts";
import { readControlPlane } from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget, titleOf } from "../inputs/target.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import { summaryReporter } from "../report/summary.ts";
import { findToDelete, type Removal } from "../write/remove.ts";
import { planeToRemove, removeTracked } from "./removal.ts";

/** The delete action: one deployment, by id or by exact name (contract, 6). */
export async function deleteDeployment(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  const outputs = outputsReporter(ports, ["deployment_id", "outcome"]);
  progress.tell(outputs, logReporter(ports), summaryReporter(run, ports));
  const reader = new InputReader(ports.env);
  const controlPlane = readControlPlane(reader);
  const target = readTarget(reader);
  reader.finish(ports.log);
  progress.note({ title: titleOf(target), name: target.kind === "name" ? target.name : undefined });
  const plane = planeToRemove(controlPlane, ports);
  const id = await findToDelete(target, plane);
  return await removeAndTell(id, plane, progress, ports);
}

/** Deletes the deployment of this id; that there is none, or none any more, is a success with a notice. */
export async function removeAndTell(
  id: string | undefined,
  plane: ControlPlane,
  progress: Progress,
  ports: Ports,
): Promise<Ending> {
  const { title } = progress.facts;
  if (id !== undefined) progress.identified(id);
  const removal = id === undefined ? undefined : await removeTracked({ id, title }, plane, progress, ports);
  const message = spellRemoval(removal, title);
  if (removal === undefined) ports.log.notice(message);
  return { outcome: "deleted", message };
}

function spellRemoval(removal: Removal | undefined, title: string): string {
  if (removal === undefined) return `Deployment ${title} is gone: there was nothing left to delete.`;
  return removal === "deleted"
    ? `Deployment ${title} was deleted.`
    : `The platform took the deletion of deployment ${title}, and was still at it when last seen.`;
}
