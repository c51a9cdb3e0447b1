import { settle } from "./actions/clean-up.ts";
import { deleteDeployment } from "./actions/delete.ts";
import { deploy } from "./actions/deploy.ts";
import { preview } from "./actions/preview.ts";
import { sweep } from "./actions/sweep.ts";
import type { Context, ProcessContext } from "./context.ts";
import { ActionError, CancelledError, toError } from "./errors.ts";
import { proxyWarnings } from "./http/proxy.ts";
import { maskSecretInputs } from "./inputs/masks.ts";
import { updateOauthProvider } from "./oauth-provider/action.ts";
import { type Ending, failedWith, succeeded } from "./progress/ending.ts";
import { Progress } from "./progress/progress.ts";
import { withRedaction } from "./redacting-context.ts";
import { hasEnded, leftRunning } from "./report/left-running.ts";
import { logEnding } from "./report/log.ts";
import { usage } from "./usage/action.ts";

/** What an action does; how it ended is reported by the reporters that it gave to the progress. */
export type Action = (progress: Progress, context: Context) => Promise<Ending>;

export type ActionName = "deploy" | "preview" | "sweep" | "delete" | "usage" | "oauth-provider";
/** `post` runs after the job, whatever became of the main step (runner: `post:` of action.yml). */
export type Phase = "main" | "post";

const actions: Readonly<Record<ActionName, { readonly main: Action; readonly post?: Action }>> = {
  deploy: { main: deploy, post: settle },
  preview: { main: preview, post: settle },
  sweep: { main: sweep },
  delete: { main: deleteDeployment },
  usage: { main: usage },
  "oauth-provider": { main: updateOauthProvider },
};

/**
 * Runs an action from its inputs to its report. The only place where errors end: each becomes an ending that is
 * told like any other. Resolves with whether the step succeeds, which a `post:` step always does; never rejects.
 */
export async function run(name: ActionName, phase: Phase, outer: ProcessContext): Promise<boolean> {
  const context = withRedaction(outer);
  const progress = new Progress(context);
  let ending: Ending;
  try {
    maskSecretInputs(context.env, context.log);
    if (phase === "main") for (const warning of proxyWarnings()) context.log.warning(warning);
    ending = await actionOf(name, phase)(progress, context);
  } catch (thrown) {
    ending = await endingOf(toError(thrown), progress, context);
    if (!progress.isTold) logEnding(context, ending);
  }
  try {
    await progress.end(ending);
  } catch (thrown) {
    const error = toError(thrown);
    context.log.error(`How the run ended (${ending.outcome}) couldn't be reported in full: ${error.message}`);
    tellDefect(error, context);
    return false;
  }
  return phase === "post" || succeeded(ending.outcome);
}

function actionOf(name: ActionName, phase: Phase): Action {
  const action = actions[name][phase];
  if (action === undefined) throw new Error(`${name} has no ${phase} phase`);
  return action;
}

async function endingOf(error: Error, progress: Progress, context: Context): Promise<Ending> {
  if (error instanceof CancelledError) {
    const left = (await progress.lastAct?.()) ?? leftRunning(progress.facts);
    return { outcome: "cancelled", message: `${error.message} ${left}`, hint: error.hint };
  }
  if (error instanceof ActionError) return failedInTheMiddle(error, progress);
  tellDefect(error, context);
  return {
    outcome: "failed",
    message: `This action has a defect: ${error.message}`,
    hint: "Please report it with the log of this step.",
  };
}

/** A revision that is under way goes on, whatever the run failed at. */
function failedInTheMiddle(error: ActionError, { facts }: Progress): Ending {
  const ending = failedWith(error);
  if (facts.revisionId === undefined || hasEnded(facts)) return ending;
  return { ...ending, message: `${ending.message} ${leftRunning(facts)}` };
}

function tellDefect(error: Error, context: Context): void {
  context.log.group("Where the defect is");
  for (const line of (error.stack ?? error.message).split("\n")) context.log.info(line);
  context.log.endGroup();
}
