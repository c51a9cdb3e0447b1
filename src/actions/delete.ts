import { readControlPlane } from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget } from "../inputs/target.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import { summaryReporter } from "../report/summary.ts";
import { findToDelete } from "../write/remove.ts";
import { noteTarget } from "./note-target.ts";
import { planeToRemove, removeAndTell } from "./removal.ts";

/** The delete action: one deployment, by id or by exact name (contract, 6). */
export async function deleteDeployment(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports);
  const outputs = outputsReporter(ports, ["deployment_id", "outcome"]);
  progress.tell(outputs, logReporter(ports), summaryReporter(run, ports));
  const reader = new InputReader(ports.env);
  const controlPlane = readControlPlane(reader);
  const target = readTarget(reader);
  reader.finish(ports.log);
  noteTarget(target, progress);
  const plane = planeToRemove(controlPlane, ports);
  const id = await findToDelete(target, plane);
  return await removeAndTell(id, plane, progress, ports);
}
