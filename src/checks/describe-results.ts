import type { Ending } from "../errors.ts";
import { type CheckResult, checkLabel, kindOf } from "../report/check-result.ts";
import { joined, listOf, type Message, quote, text } from "../text/message.ts";

const maxNames = 9;

/** The ending of a run whose checks failed. `subject`: the start of the sentence, such as "Revision r went live, but". */
export function describeFailedChecks(
  subject: Message,
  checks: readonly CheckResult[],
): Pick<Ending, "message" | "failedPart" | "hint"> {
  const [first, ...others] = checks.filter(({ passed }) => !passed);
  const names = others.slice(0, maxNames).map(({ name }) => quote(name, 100));
  const more = others.length - names.length;
  const also = listOf(more > 0 ? [...names, text`${more} more`] : names);
  return {
    message: joined([
      others.length === 0
        ? text`${subject} did not pass its checks.`
        : text`${subject} failed ${others.length + 1} of ${checks.length} checks.`,
      first?.message,
      others.length === 0 ? undefined : text`Also failed: ${also}.`,
    ]),
    failedPart: first && text`${kindOf(first)} failed`,
    hint: first?.hint,
  };
}

/** What to report of an agent whose checks passed: their warnings, or that they passed. */
export function describePassedChecks(checks: readonly CheckResult[]): Message[] {
  const [first, ...others] = checks;
  if (first === undefined) return [text`No checks were run on it.`];
  const warned = checks.filter(({ warns }) => warns);
  if (warned.length > 0) return warned.map(({ message }) => message);
  if (others.length === 0) return [text`The ${checkLabel(first)} passed.`];
  return [checks.length === 2 ? text`Both checks passed.` : text`All ${checks.length} checks passed.`];
}
