import type { Ending } from "../errors.ts";
import { formatOutcome, isSuccess, type Outcome } from "../outcomes.ts";
import type { RunState } from "../state/run-state.ts";
import { code, distinct, joined, type Message, phrase, text } from "../text/message.ts";
import type { MessageLog } from "./message-log.ts";

/** Whether the run succeeds with the warning of a check. That of a deleted revision does not matter any more. */
export function hasWarning(outcome: Outcome, { revision }: RunState): boolean {
  return (
    outcome !== "deleted" && isSuccess(outcome) && revision.checks.some(({ verdict }) => verdict === "warned")
  );
}

/** Returns the details that say more than the message, each once. */
export function detailsOf({ message, details = [] }: Ending): readonly Message[] {
  return distinct([message, ...details]).slice(1);
}

export function endingMessage(ending: Ending): Message {
  return joined([ending.message, ...detailsOf(ending)]);
}

function nextStep(hint: Message | undefined): Message | undefined {
  return hint && text`What to do next: ${hint}`;
}

/** Logs the ending. A failure is one error annotation, or one for each of its problems after a line with the common hint. */
export function logEnding(ending: Ending, state: RunState, log: MessageLog): void {
  const { action, shownName } = state;
  const { outcome, headline = code(formatOutcome(outcome)), hint, problems = [], place } = ending;
  const name = shownName === "" ? undefined : phrase` ${code(shownName, 100)}`;
  const title = ending.title ?? phrase`${code(action.title)}${name}: ${headline}`;
  // The details of a success are the warnings of its checks, if there are any. The log has them already.
  const what = hasWarning(outcome, state) ? ending.message : endingMessage(ending);
  const message = joined([what, nextStep(hint)]);
  // A notice, because the user may have expected another result.
  if (outcome === "skipped" || (isSuccess(outcome) && hint !== undefined)) log.notice(message);
  else if (isSuccess(outcome) || problems.length > 0) log.info(message);
  else log.error(message, { title, place });
  for (const problem of problems) {
    const about = { title: problem.title ?? title, place: problem.place };
    log.error(joined([problem.message, nextStep(problem.hint)]), about);
  }
}
