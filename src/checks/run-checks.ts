import type { AgentClient } from "../agent/agent-client.ts";
import type { Result } from "../errors.ts";
import { type CheckName, type CheckResult, checkLabel } from "../report/check-result.ts";
import { duration, type Message, text } from "../text/message.ts";
import type { Check, CheckContext, Finding } from "./check.ts";

const maxWakeMs = 60_000;

/**
 * Runs checks in their order, and reports each. After a failed check, only others of its kind are run
 * (docs/specification.md#checks).
 */
export async function runChecks(
  { clock, report, watched }: CheckContext,
  agent: Result<AgentClient>,
  checks: readonly Check[],
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  let isAwake = false;
  for (const check of checks) {
    const { kind, name } = check;
    if (results.some((earlier) => !earlier.passed && earlier.kind !== kind)) {
      watched.addCheckNotRun({ kind, name, reason: text`not run` });
      continue;
    }
    if (check.wakes && !isAwake && "value" in agent) {
      // A check must not include the start of a sleeping deployment. The response does not matter.
      const wake = () => agent.value.trySend({ method: "GET", path: "/ok", timeoutMs: maxWakeMs });
      await report.withActivity(text`still waiting for the agent to wake up`, wake);
      isAwake = true;
    }
    const startedAt = clock.now();
    const outcome = await report.withActivity(text`still running the ${checkLabel(check)}`, check.perform);
    if ("skipReason" in outcome) {
      report.info(text`The ${checkLabel(check)} was skipped: ${outcome.skipReason}.`);
      watched.addCheckNotRun({ kind, name, reason: text`skipped (${outcome.skipReason})` });
      continue;
    }
    const durationMs = clock.now() - startedAt;
    const { description, ...finding } = outcome;
    const result = { kind, name, durationMs, ...finding, message: sentenceOf(check, durationMs, outcome) };
    results.push(result);
    watched.addCheck(result);
  }
  return results;
}

/** Returns the sentence about a check's result, which is the same wherever it is shown. */
function sentenceOf(check: CheckName, durationMs: number, { passed, warns, description }: Finding): Message {
  const subject = text`The ${checkLabel(check)}`;
  if (!passed) return text`${subject} failed: ${description}.`;
  return warns
    ? text`${subject}: ${description}.`
    : text`${subject} passed after ${duration(durationMs)} (${description}).`;
}
