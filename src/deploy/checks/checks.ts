import type { CheckResult, RunContext } from "../../events.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { formatDuration } from "../../text/format.ts";
import { sanitizeExcerpt, sanitizeSentence } from "../../text/sanitize.ts";
import type { Check, CheckSubject, Finding } from "./check.ts";
import { healthCheck } from "./health-check.ts";
import { servingCheck } from "./serving-check.ts";
import { smokeTests, wakeAgent } from "./smoke-tests.ts";

/**
 * Each returns the checks that the inputs ask for. A later one is done only if all checks of the earlier ones passed: the
 * serving check finds out whom the others ask.
 */
const stages: readonly ((inputs: CheckInputs) => readonly Check[])[] = [
  servingCheck,
  healthCheck,
  smokeTests,
];

/** Whether a check was asked for, which makes sense only for the revision that is live. */
export function needsLiveRevision({ healthPath, serving, smokeTests: tests }: CheckInputs): boolean {
  return healthPath !== undefined || serving === "require" || tests.length > 0;
}

/**
 * Checks the deployed agent (docs/specification.md#checks), and returns what was found out, in order.
 *
 * @throws the reason of a cancellation.
 */
export async function runChecks(
  subject: CheckSubject,
  inputs: CheckInputs,
  context: RunContext,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const stage of stages) {
    const checks = stage(inputs);
    if (checks[0]?.kind === "smoke test") await wakeAgent(subject.agent, context);
    for (const check of checks) {
      const result = await runCheck(check, subject, context);
      if (result !== undefined) results.push(result);
    }
    if (results.some(({ passed }) => !passed)) break;
  }
  await context.emit({ kind: "check_changed", label: undefined });
  return results;
}

const maxMessageLength = 1500;

async function runCheck(
  { kind, name, run }: Check,
  subject: CheckSubject,
  context: RunContext,
): Promise<CheckResult | undefined> {
  const { clock, emit } = context;
  const label = kind === "smoke test" ? `${kind} "${sanitizeExcerpt(name, 100)}"` : kind;
  await emit({ kind: "check_changed", label });
  const startedAt = clock.now();
  const finding = await run(subject, context);
  await emit({ kind: "stage_changed", stage: undefined });
  if (finding === undefined) return undefined;
  const durationMs = clock.now() - startedAt;
  const { what: _, ...others } = finding;
  const message = sanitizeSentence(sentence(label, finding, durationMs), maxMessageLength);
  const result = { kind, name, durationMs, message, ...others };
  if (kind === "smoke test") logSmokeTest(result, context);
  await emit({ kind: "check_ended", result });
  return result;
}

function sentence(label: string, { passed, what }: Finding, durationMs: number): string {
  if (!passed) return `The ${label} failed: ${what}`;
  return `${label.charAt(0).toUpperCase()}${label.slice(1)} passed after ${formatDuration(durationMs)} (${what}).`;
}

/** The other checks are few, and the ending quotes them. */
function logSmokeTest({ passed, message, evidence }: CheckResult, { log }: RunContext): void {
  log.info(`${passed ? "✅" : "❌"} ${message}`);
  if (evidence === undefined) return;
  log.group("What the smoke test sent, expected and received");
  log.info(`Request:  ${evidence.request}`);
  for (const line of evidence.expected) log.info(`Expected: ${line}`);
  for (const line of evidence.received) log.info(`Received: ${line}`);
  log.endGroup();
}
