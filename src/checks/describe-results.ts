import type { Ending } from "../errors.ts";
import { type CheckResult, checkLabel, kindOf } from "../report/check-result.ts";
import { joined, listFirst, type Message, quote, text } from "../text/message.ts";

/** Returns the ending of a run whose checks failed. `subject`: the start of its sentence, such as "The agent". */
export function describeFailedChecks(
  subject: Message,
  checks: readonly CheckResult[],
): Pick<Ending, "message" | "result" | "hint"> {
  const [first, ...others] = checks.filter(({ passed }) => !passed);
  const also = listFirst(others.map(({ name }) => quote(name, 100)));
  return {
    message: joined([
      others.length === 0
        ? text`${subject} did not pass its checks.`
        : text`${subject} failed ${others.length + 1} of ${checks.length} checks.`,
      first?.message,
      others.length === 0 ? undefined : text`Also failed: ${also}.`,
    ]),
    result: first && text`${kindOf(first)} failed`,
    hint: first?.hint,
  };
}

/** Returns sentences about passed checks: their warnings or, without any, their number. */
export function describePassedChecks(checks: readonly CheckResult[]): Message[] {
  const [first, ...others] = checks;
  if (first === undefined) return [text`No checks were run on it.`];
  const warned = checks.filter(({ warns }) => warns);
  if (warned.length > 0) return warned.map(({ message }) => message);
  if (others.length === 0) return [text`The ${checkLabel(first)} passed.`];
  const all = others.length === 1 ? text`Both` : text`All ${checks.length}`;
  return [text`${all} checks passed.`];
}
