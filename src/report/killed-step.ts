import type { Context } from "../context.ts";
import type { Ending } from "../ending.ts";
import { leftoverKey } from "../runner/state.ts";
import { describeLeftover } from "./leftover.ts";
import { logEnding } from "./log-observer.ts";
import type { Observer } from "./run-report.ts";
import type { RunState } from "./run-state.ts";
import { endingMarkdown } from "./summary.ts";

/** Keeps what the run would leave behind if it were killed now, for the `post:` step to report. */
export function killedStepObserver({ files }: Context): Observer {
  let kept = "";
  const keep = (leftover: string) => {
    if (leftover !== kept) files.saveState(leftoverKey, leftover);
    kept = leftover;
  };
  return {
    onEvent: (_event, state) => keep(leavesNothing(state) ? "" : describeLeftover(state)),
    onEnd: () => keep(""),
  };
}

function leavesNothing({ writtenAt, leftover, deleted }: RunState): boolean {
  return writtenAt === undefined && leftover === undefined && deleted.length === 0;
}

/** Reports in the log and the summary that the main step was killed. `leftover`: what it kept. */
export function reportKilledStep(leftover: string, context: Context): void {
  const ending: Ending = {
    outcome: "failed",
    headline: "The step was killed before it could report how it ended.",
    details: [leftover],
    hint: "Check the platform, or run the job again. A runner kills a step that does not end within seconds of a cancellation, and a machine kills one that takes too much memory.",
  };
  logEnding(context, ending);
  context.files.appendSummary(`## ❌ Deployment: the step was killed\n\n${endingMarkdown(ending)}\n\n`);
}
