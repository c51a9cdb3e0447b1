import { type CheckResult, checkLabel } from "../report/check-result.ts";
import { type Message, text } from "../text/message.ts";

/** Returns sentences about passed checks: their warnings or, without any, their number. */
export function describePassedChecks(checks: readonly CheckResult[]): Message[] {
  const [first, ...others] = checks;
  if (first === undefined) return [text`No checks were run on it.`];
  const warned = checks.filter(({ result }) => result === "warned");
  if (warned.length > 0) return warned.map(({ message }) => message);
  if (others.length === 0) return [text`The ${checkLabel(first)} passed.`];
  const all = others.length === 1 ? text`Both` : text`All ${checks.length}`;
  return [text`${all} checks passed.`];
}
