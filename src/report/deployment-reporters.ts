import type { Context } from "../context.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Reporter } from "../progress/progress.ts";
import { killedStepReporter } from "./killed-step.ts";
import { logReporter } from "./log.ts";
import { outputsReporter } from "./outputs.ts";
import { summaryReporter } from "./summary.ts";

/** Who hears of every deployment, wherever it is recorded. What a killed step leaves is forgotten when all else is told. */
export function deploymentReporters(run: WorkflowRun, context: Context): Reporter[] {
  return [
    outputsReporter(context),
    logReporter(context),
    summaryReporter(run, context),
    killedStepReporter(context),
  ];
}
