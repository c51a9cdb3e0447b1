import type { Ending } from "../errors.ts";
import { code, joined, text, withoutFullStop } from "../text/message.ts";
import { endingMessage, formatOutcome, isSuccess } from "./ending.ts";
import type { MessageLog } from "./message-log.ts";
import type { RunState } from "./state.ts";

/**
 * Logs how the run ended: an error annotation if it failed, one for each problem if there are any, and a notice if it did
 * nothing. A hint for several problems stands only in the first line.
 */
export function logEnding(ending: Ending, { action, shownName, revision }: RunState, log: MessageLog): void {
  const { outcome, result = code(formatOutcome(outcome)), hint, problems = [], place } = ending;
  const name = shownName === "" ? undefined : text` ${code(shownName, 100)}`;
  const title = ending.title ?? text`${code(action.title)}${name}: ${result}`;
  // What a check warns of was logged by itself.
  const isLogged = isSuccess(outcome) && revision.checks.some(({ warns }) => warns);
  const message = joined([isLogged ? ending.message : endingMessage(ending), hint]);
  // Somebody may have expected something else.
  if (outcome === "skipped" || (isSuccess(outcome) && hint !== undefined)) log.notice(message);
  else if (isSuccess(outcome) || problems.length > 0) log.info(message);
  else log.error(message, { title, place });
  for (const problem of problems) {
    const sentence = text`${withoutFullStop(problem)}.`;
    const problemHint = problems.length === 1 ? hint : problem.hint;
    log.error(joined([sentence, problemHint]), { title: problem.title ?? title, place: problem.place });
  }
}
