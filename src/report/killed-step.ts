import { code, text } from "../text/message.ts";
import { logResult } from "./log-writer.ts";
import type { Writer, WriterContext } from "./report.ts";
import type { RunResult } from "./result.ts";
import { unfinishedWorkKey } from "./saved-state.ts";
import { heading, joinSections, resultMarkdown } from "./summary.ts";
import { describeUnfinishedWork } from "./unfinished-work.ts";

/** Keeps what the run would leave behind if it were killed now, for the `post:` step to report. */
export function killedStepWriter({ report, files }: WriterContext): Writer {
  let kept = "";
  const keep = (work: string) => {
    if (work !== kept) files.saveState(unfinishedWorkKey, work);
    kept = work;
  };
  return {
    onEvent(_event, facts) {
      const work = describeUnfinishedWork(facts);
      keep(work === undefined ? "" : report.render.plain(work));
    },
    onEnd: () => keep(""),
  };
}

/** Reports in the log and the summary that the main step was killed. `unfinishedWork`: what it kept. */
export function reportKilledStep(unfinishedWork: string, { report, files }: WriterContext): void {
  const result: RunResult = {
    outcome: "failed",
    failure: text`killed`,
    message: text`The step was killed before it could report how it ended.`,
    details: [text`${code(unfinishedWork, 2000)}`],
    hint: text`Check the platform, or run the job again. A runner kills a step that does not end within seconds of a cancellation, and a machine kills one that takes too much memory.`,
  };
  logResult(result, report);
  const title = heading("Deployment", result.outcome, "the step was killed");
  files.appendSummary(joinSections([title, resultMarkdown(result, report.render)]));
}
