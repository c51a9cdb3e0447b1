import type { Context } from "../context.ts";
import { killedStepObserver } from "../report/killed-step.ts";
import { logObserver } from "../report/log-observer.ts";
import { outputsObserver } from "../report/outputs.ts";
import type { Observer } from "../report/run-report.ts";
import { summaryObserver } from "../report/summary.ts";

/** The observers of every deployment. The record and the comment on GitHub join later, once GitHub can be reached. */
export function deploymentObservers(context: Context): Observer[] {
  return [
    outputsObserver(context),
    logObserver(context),
    summaryObserver(context),
    killedStepObserver(context),
  ];
}
