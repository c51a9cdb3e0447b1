import type { WorkflowRun } from "../inputs/workflow-run.ts";
import type { Ports } from "../ports.ts";
import type { Reporter } from "../progress/progress.ts";
import { killedStepReporter } from "./killed-step.ts";
import { logReporter } from "./log.ts";
import { outputsReporter } from "./outputs.ts";
import { summaryReporter } from "./summary.ts";

/** Who hears of every deployment, wherever it is recorded. What a killed step leaves is forgotten when all else is told. */
export function deploymentReporters(run: WorkflowRun, ports: Ports): Reporter[] {
  return [outputsReporter(ports), logReporter(ports), summaryReporter(run, ports), killedStepReporter(ports)];
}
