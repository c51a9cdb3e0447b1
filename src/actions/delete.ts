import type { Context } from "../context.ts";
import { findToDelete } from "../deployment/remove.ts";
import { readControlPlane } from "../inputs/control-plane.ts";
import { InputReader } from "../inputs/reader.ts";
import { readTarget } from "../inputs/target.ts";
import { readWorkflowRun } from "../inputs/workflow-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { outputsReporter } from "../report/outputs.ts";
import { summaryReporter } from "../report/summary.ts";
import { noteTarget } from "./note-target.ts";
import { planeToRemove, removeAndTell } from "./removal.ts";

/** The delete action: one deployment, by id or by exact name (contract, 6). */
export async function deleteDeployment(progress: Progress, context: Context): Promise<Ending> {
  const run = readWorkflowRun(context);
  const outputs = outputsReporter(context, ["deployment_id", "outcome"]);
  progress.tell(outputs, logReporter(context), summaryReporter(run, context));
  const reader = new InputReader(context.env);
  const controlPlane = readControlPlane(reader);
  const target = readTarget(reader);
  reader.finish(context.log);
  noteTarget(target, progress);
  const plane = planeToRemove(controlPlane, context);
  const id = await findToDelete(target, plane);
  return await removeAndTell(id, plane, progress, context);
}
