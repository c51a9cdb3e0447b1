import type { Context } from "../context.ts";
import { killedStepObserver } from "../report/killed-step.ts";
import { logObserver } from "../report/log-observer.ts";
import { outputsObserver } from "../report/outputs.ts";
import type { Observer } from "../report/run-report.ts";
import { summaryObserver } from "../report/summary.ts";

/**
 * The observers of every deployment. The record and the comment on GitHub join later, once GitHub can be reached.
 * `outputs`: the names of the action's outputs, by default deploy's.
 */
export function deploymentObservers(context: Context, outputs?: readonly string[]): Observer[] {
  return [
    outputsObserver(context, outputs),
    logObserver(context),
    summaryObserver(context),
    killedStepObserver(context),
  ];
}
