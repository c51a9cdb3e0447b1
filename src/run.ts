import { deleteDeployment } from "./actions/delete.ts";
import { deploy } from "./actions/deploy.ts";
import { updateOauthProvider } from "./actions/oauth-provider.ts";
import { preview } from "./actions/preview.ts";
import { settle } from "./actions/settle.ts";
import { sweep } from "./actions/sweep.ts";
import { usage } from "./actions/usage.ts";
import { ActionError, CancelledError, toError } from "./errors.ts";
import { hidingSecrets } from "./hiding-ports.ts";
import { proxyWarnings } from "./http/proxy.ts";
import { maskSecretInputs } from "./inputs/masks.ts";
import type { OuterPorts, Ports } from "./ports.ts";
import { type Ending, failedWith, succeeded } from "./progress/ending.ts";
import { Progress } from "./progress/progress.ts";
import { hasEnded, leftRunning } from "./report/left-running.ts";
import { logEnding } from "./report/log.ts";

/** What an action does; how it ended is reported by the reporters that it gave to the progress. */
export type Action = (progress: Progress, ports: Ports) => Promise<Ending>;

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
export async function run(name: ActionName, phase: Phase, outer: OuterPorts): Promise<boolean> {
  const ports = hidingSecrets(outer);
  const progress = new Progress(ports);
  let ending: Ending;
  try {
    maskSecretInputs(ports.env, ports.log);
    if (phase === "main") for (const warning of proxyWarnings()) ports.log.warning(warning);
    ending = await actionOf(name, phase)(progress, ports);
  } catch (thrown) {
    ending = await endingOf(toError(thrown), progress, ports);
    if (!progress.isTold) logEnding(ports, ending);
  }
  try {
    await progress.end(ending);
  } catch (thrown) {
    const error = toError(thrown);
    ports.log.error(`How the run ended (${ending.outcome}) couldn't be reported in full: ${error.message}`);
    tellDefect(error, ports);
    return false;
  }
  return phase === "post" || succeeded(ending.outcome);
}

function actionOf(name: ActionName, phase: Phase): Action {
  const action = actions[name][phase];
  if (action === undefined) throw new Error(`${name} has no ${phase} phase`);
  return action;
}

async function endingOf(error: Error, progress: Progress, ports: Ports): Promise<Ending> {
  if (error instanceof CancelledError) {
    const left = (await progress.lastAct?.()) ?? leftRunning(progress.facts);
    return { outcome: "cancelled", message: `${error.message} ${left}`, hint: error.hint };
  }
  if (error instanceof ActionError) return failedInTheMiddle(error, progress);
  tellDefect(error, ports);
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

function tellDefect(error: Error, ports: Ports): void {
  ports.log.group("Where the defect is");
  for (const line of (error.stack ?? error.message).split("\n")) ports.log.info(line);
  ports.log.endGroup();
}
