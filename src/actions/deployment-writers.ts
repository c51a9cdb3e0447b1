import type { Context } from "../context.ts";
import { killedStepWriter } from "../report/killed-step.ts";
import { logWriter } from "../report/log-writer.ts";
import { outputsWriter } from "../report/outputs.ts";
import { summaryWriter } from "../report/summary.ts";

/**
 * Has the outputs, the log and the summary show a deployment. Record and comment on GitHub join later, once GitHub can be
 * reached. `outputs`: the names of the action's outputs, by default deploy's.
 */
export function addDeploymentWriters(context: Context, outputs?: readonly string[]): void {
  const { report, files, clock, workflow } = context;
  report.add(
    outputsWriter(report, files, clock, outputs),
    logWriter(report, clock),
    summaryWriter(report, files, clock, workflow),
    killedStepWriter(report, files),
  );
}
