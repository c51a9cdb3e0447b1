import type { Context } from "../context.ts";
import type { Ending } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import type { Reporter } from "../progress/progress.ts";
import { leftState } from "../runner/state.ts";
import { leftRunning } from "./left-running.ts";
import { logEnding } from "./log.ts";
import { endingText } from "./summary.ts";

/** Keeps what the run would leave behind if it were killed now, for the `post:` step to tell; one that ends tells it itself. */
export function killedStepReporter({ files }: Context): Reporter {
  let kept = "";
  const keep = (text: string) => {
    if (text !== kept) files.saveState(leftState, text);
    kept = text;
  };
  const keepLeft = (facts: Facts) => keep(leavesNothing(facts) ? "" : leftRunning(facts));
  return {
    onWrite: keepLeft,
    onDeployment: keepLeft,
    onRevision: keepLeft,
    onStatus: keepLeft,
    onEnd: () => keep(""),
  };
}

function leavesNothing({ writtenAt, unsettled, deleted }: Facts): boolean {
  return writtenAt === undefined && unsettled === undefined && deleted.length === 0;
}

/** Tells, in the log and in the summary, that the main step was killed. `left`: what it kept of what it leaves behind. */
export async function tellKilledStep(left: string, context: Context): Promise<void> {
  const ending: Ending = {
    outcome: "failed",
    message: `The step was killed before it could tell how it ended. ${left}`,
    hint: "A runner kills a step that doesn't end within seconds of a cancel, and a machine one that takes too much memory. Look at the platform for what came of it, or run the job again.",
  };
  logEnding(context, ending);
  await context.files.appendSummary(`## ❌ Deployment: the step was killed\n\n${endingText(ending)}\n\n`);
}
