import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import { Failure, type Place, type Result } from "../errors.ts";
import { type CheckResult, checkKinds, checkLabel, type FailedCheck } from "../state/check-result.ts";
import {
  joined,
  listFirst,
  type Message,
  type Phrase,
  phrase,
  preciseDuration,
  quote,
  text,
  withoutFullStop,
} from "../text/message.ts";
import type { Check, CheckFinding } from "./check.ts";
import { healthCheck } from "./health-check.ts";
import type { SmokeTest } from "./smoke-test.ts";
import { smokeTestCheck } from "./smoke-test-check.ts";

/**
 * Runs checks in their order, and reports each. After a failed check, only others of its kind are run
 * (docs/specification.md#checks). Returns the results of those that were run.
 */
export async function runChecks(
  context: Context,
  agent: Result<AgentClient>,
  requested: readonly (Check | undefined)[],
): Promise<readonly CheckResult[]> {
  const checks = requested.filter((check) => check !== undefined);
  const { report } = context;
  const results: CheckResult[] = [];
  const needsAgent = checks.some(
    ({ withoutAgent }) => withoutAgent === "failed" || withoutAgent === "warned",
  );
  if (agent.error === undefined && needsAgent) {
    await report.withActivity(phrase`still waiting for the agent to wake up`, () => agent.value.wake());
  }
  for (const check of checks) {
    const failed = results.find(({ verdict }) => verdict === "failed");
    const isRun = failed === undefined || failed.kind === check.kind;
    const result = isRun ? await runCheck(context, agent, check) : notRun(check);
    results.push(result);
    report.addCheck(result);
  }
  return results.filter(({ verdict }) => verdict !== "skipped");
}

function notRun(check: Check): CheckResult {
  const message = text`The ${checkLabel(check)} was not run.`;
  const { kind, name } = check;
  return { kind, name, durationMs: 0, message, verdict: "skipped", summary: phrase`not run` };
}

async function runCheck(context: Context, agent: Result<AgentClient>, check: Check): Promise<CheckResult> {
  const { clock, report } = context;
  const { kind, name } = check;
  const startedAt = clock.now();
  const activity = phrase`still running the ${checkLabel(check)}`;
  const perform = () => performCheck(context, agent, check);
  const { description, ...found } = await report.withActivity(activity, perform);
  const durationMs = clock.now() - startedAt;
  const subject = phrase`The ${checkLabel(check)}`;
  const message = {
    passed: text`${subject} passed after ${preciseDuration(durationMs)} (${description}).`,
    warned: text`${subject} ended with a warning: ${description}.`,
    failed: text`${subject} failed: ${description}.`,
    skipped: text`${subject} was skipped: ${description}.`,
  }[found.verdict];
  const summary = found.verdict === "skipped" ? phrase`skipped (${description})` : found.summary;
  return { kind, name, durationMs, message, ...found, summary };
}

async function performCheck(
  context: Context,
  agent: Result<AgentClient>,
  check: Check,
): Promise<CheckFinding> {
  const { withoutAgent } = check;
  if (withoutAgent === "performed") return check.perform();
  if (agent.error === undefined) return await check.perform(agent.value, context);
  const { message, hint } = agent.error.ending;
  const description = withoutFullStop(withoutAgent === "warned" ? text`${message} ${hint}` : message);
  return { verdict: withoutAgent, description, hint: text`${hint} Otherwise, remove ${check.input}.` };
}

/** An agent did not pass its checks. */
export class CheckError extends Failure {
  override readonly name = "CheckError";
  /** Whether a check failed after which a rollback helps. */
  readonly allowsRollback: boolean;

  /** The subject begins the message, such as "The agent". */
  constructor(subject: Phrase, [first, ...others]: readonly [FailedCheck, ...FailedCheck[]], place?: Place) {
    const also = listFirst(others.map(({ name }) => quote(name, 100)));
    const message = joined([
      text`${subject} did not pass its checks.`,
      first.message,
      others.length === 0 ? undefined : text`Also failed: ${also}.`,
    ]);
    super(message, { headline: phrase`${checkKinds[first.kind].label} failed`, hint: first.hint, place });
    this.allowsRollback = [first, ...others].some(({ kind }) => checkKinds[kind].allowsRollback);
  }
}

/** Returns the messages of checks that passed, or the failure if one did not. */
export function resultOfChecks(
  subject: Phrase,
  results: readonly CheckResult[],
  place?: Place,
): Result<readonly Message[], CheckError> {
  const [first, ...others] = results.filter((result) => result.verdict === "failed");
  if (first === undefined) return { value: describePassedChecks(results) };
  return { error: new CheckError(subject, [first, ...others], place) };
}

/** Returns sentences about passed checks: their warnings or, without any, their number. */
function describePassedChecks(checks: readonly CheckResult[]): Message[] {
  const [first, ...others] = checks;
  if (first === undefined) return [text`No checks were run on it.`];
  const warned = checks.filter(({ verdict }) => verdict === "warned");
  if (warned.length > 0) return warned.map(({ message }) => message);
  if (others.length === 0) return [text`The ${checkLabel(first)} passed.`];
  return [text`All ${checks.length} checks passed.`];
}

export interface AgentCheckOptions {
  /** The time for each of the health check and the serving check. */
  readonly healthTimeoutMs: number;
  /** Starts with `/` and may contain a query. Undefined: no health check. */
  readonly healthPath: string | undefined;
  readonly smokeTests: readonly SmokeTest[];
}

/** Returns the requested checks that need only an agent, in the order in which they run. */
export function requestedAgentChecks({
  healthPath,
  healthTimeoutMs,
  smokeTests,
}: AgentCheckOptions): Check[] {
  const health = healthPath === undefined ? [] : [healthCheck(healthPath, healthTimeoutMs)];
  return [...health, ...smokeTests.map(smokeTestCheck)];
}
