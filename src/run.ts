import { cleanUp } from "./actions/clean-up.ts";
import { deleteAction } from "./actions/delete.ts";
import { deploy } from "./actions/deploy.ts";
import { preview } from "./actions/preview.ts";
import { rollback } from "./actions/rollback.ts";
import { sweep } from "./actions/sweep.ts";
import type { Context, ProcessContext } from "./context.ts";
import { type Ending, failedEnding, isSuccess } from "./ending.ts";
import { ActionError, CancelledError, toError } from "./errors.ts";
import type { RunContext } from "./events.ts";
import { proxyWarnings } from "./http/proxy.ts";
import { maskSecretInputs } from "./inputs/masks.ts";
import { logInternalError, logStack } from "./internal-error.ts";
import { updateOauthProvider } from "./oauth-provider/action.ts";
import { withRedaction } from "./redacting-context.ts";
import { describeLeftover, hasEnded } from "./report/leftover.ts";
import { logEnding } from "./report/log-observer.ts";
import { type ActionContext, RunReport } from "./report/run-report.ts";
import { usage } from "./usage/action.ts";

/** What an action does. Its observers report how it ends. */
export type Action = (context: ActionContext) => Promise<Ending>;

export type ActionName = "deploy" | "preview" | "sweep" | "delete" | "rollback" | "usage" | "oauth-provider";
/** `post` runs at the end of the job, whatever became of the main step. */
export type Phase = "main" | "post";

const actions: Readonly<Record<ActionName, Action>> = {
  deploy,
  preview,
  sweep,
  delete: deleteAction,
  rollback,
  usage,
  "oauth-provider": updateOauthProvider,
};

/**
 * Runs an action from its inputs to its report. The only place where errors end: each becomes an ending that is reported
 * like any other. Returns whether the step succeeds, which a `post:` step always does; never rejects.
 */
export async function run(name: ActionName, phase: Phase, processContext: ProcessContext): Promise<boolean> {
  try {
    return await runWithReport(name, phase, withRedaction(processContext));
  } catch (thrown) {
    logInternalError(thrown, processContext);
    return false;
  }
}

async function runWithReport(name: ActionName, phase: Phase, redacted: Context): Promise<boolean> {
  const report = new RunReport(redacted);
  const context: ActionContext = {
    ...redacted,
    emit: (event) => report.emit(event),
    observe: (...observers) => report.observe(...observers),
  };
  let ending: Ending;
  try {
    maskSecretInputs(context.env, context.log);
    ending = await runPhase(name, phase, context);
  } catch (thrown) {
    ending = endingOf(toError(thrown), report, context);
    // Until an action has observers, nothing else logs the ending.
    if (!report.hasObservers) logEnding(context, ending);
  }
  try {
    await report.end(ending);
  } catch (thrown) {
    const error = toError(thrown);
    context.log.error(`Could not report the outcome (${ending.outcome}) completely: ${error.message}`);
    logStack(error, context.log);
    return false;
  }
  return phase === "post" || isSuccess(ending.outcome);
}

async function runPhase(name: ActionName, phase: Phase, context: ActionContext): Promise<Ending> {
  if (phase === "post") return await cleanUp(context);
  for (const warning of proxyWarnings()) context.log.warning(warning);
  return await actions[name](context);
}

function endingOf(error: Error, { state }: RunReport, context: RunContext): Ending {
  if (error instanceof CancelledError) {
    const { message: headline, hint } = error;
    return { outcome: "cancelled", headline, details: [describeLeftover(state)], hint };
  }
  if (error instanceof ActionError) {
    const isRunning = state.writtenAt !== undefined && !hasEnded(state);
    // These errors say themselves what the write may have left behind.
    const isTold = ["unconfirmed_write", "revision_not_found"].includes(error.code);
    const leavesMore = (isRunning && !isTold) || state.leftover !== undefined;
    return failedEnding(error, leavesMore ? [describeLeftover(state)] : []);
  }
  logStack(error, context.log);
  return {
    outcome: "failed",
    headline: `Internal error: ${error.message}.`,
    hint: "This is a bug of this action. Please report it with this log.",
  };
}
