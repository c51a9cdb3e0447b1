import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import { Failure, type FailureParts, type Place, type Result } from "../errors.ts";
import {
  type CheckFinding,
  type CheckResult,
  checkKinds,
  checkLabel,
  describeCheck,
} from "../state/check-result.ts";
import {
  joined,
  listFirst,
  type Message,
  type Phrase,
  phrase,
  quote,
  text,
  withoutFullStop,
} from "../text/message.ts";
import type { Check } from "./check.ts";
import { healthCheck } from "./health-check.ts";
import type { SmokeTest } from "./smoke-test.ts";
import { smokeTestCheck } from "./smoke-test-check.ts";

/**
 * Runs checks in their order, and reports each. One of what the platform reports has its result already. After a failed check,
 * only others of its kind are run (docs/specification.md#checks). Returns the results without the skipped ones.
 */
export async function runChecks(
  context: Context,
  agent: Result<AgentClient>,
  requested: readonly (Check | CheckResult | undefined)[],
): Promise<readonly CheckResult[]> {
  const checks = requested.filter((check) => check !== undefined);
  const { report } = context;
  const results: CheckResult[] = [];
  const needsAgent = checks.some((check) => "perform" in check && check.verdictWithoutUrl !== "skipped");
  if (agent.error === undefined && needsAgent) {
    await report.withActivity(phrase`still waiting for the agent to wake up`, () => agent.value.wake());
  }
  for (const check of checks) {
    const failed = results.find(({ verdict }) => verdict === "failed");
    const isRun = failed === undefined || failed.kind === check.kind;
    const result = isRun ? await resultOf(context, agent, check) : skip(check);
    results.push(result);
    report.addCheck(result);
  }
  return results.filter(({ verdict }) => verdict !== "skipped");
}

function skip({ kind, name }: Check | CheckResult): CheckResult {
  return { kind, name, durationMs: 0, verdict: "skipped", description: phrase`an earlier check failed` };
}

async function resultOf(
  context: Context,
  agent: Result<AgentClient>,
  check: Check | CheckResult,
): Promise<CheckResult> {
  if ("verdict" in check) return check;
  const { clock, report } = context;
  const { kind, name } = check;
  if (agent.error !== undefined) return { kind, name, durationMs: 0, ...findWithoutUrl(check, agent.error) };
  const startedAt = clock.now();
  const activity = phrase`still running the ${checkLabel(check)}`;
  const finding = await report.withActivity(activity, () => check.perform(agent.value, context));
  return { kind, name, durationMs: clock.now() - startedAt, ...finding };
}

function findWithoutUrl({ verdictWithoutUrl: verdict, input }: Check, error: Failure): CheckFinding {
  const { message, hint } = error.ending;
  const description = withoutFullStop(verdict === "warned" ? text`${message} ${hint}` : message);
  return { verdict, description, hint: text`${hint} Otherwise, remove ${input}.` };
}

/** An agent did not pass its checks. `allowsRollback`: whether a rollback helps. */
export class CheckError extends Failure {
  override readonly name = "CheckError";
  readonly allowsRollback: boolean;

  constructor(message: Message, allowsRollback: boolean, parts: FailureParts) {
    super(message, parts);
    this.allowsRollback = allowsRollback;
  }
}

/** Returns the messages of checks that passed, or the failure if one did not. The subject begins it, such as "The agent". */
export function resultOfChecks(
  subject: Phrase,
  results: readonly CheckResult[],
  place?: Place,
): Result<readonly Message[], CheckError> {
  const [first, ...others] = results.filter((result) => result.verdict === "failed");
  if (first === undefined) return { value: describePassedChecks(results) };
  const also = listFirst(others.map(({ name }) => quote(name, 100)));
  const message = joined([
    text`${subject} did not pass its checks.`,
    describeCheck(first),
    others.length === 0 ? undefined : text`Also failed: ${also}.`,
  ]);
  // All of them are of one kind.
  const { label, allowsRollback } = checkKinds[first.kind];
  const headline = phrase`${label} failed`;
  return { error: new CheckError(message, allowsRollback, { headline, hint: first.hint, place }) };
}

/** Returns sentences about passed checks: their warnings or, without any, their number. */
function describePassedChecks(checks: readonly CheckResult[]): Message[] {
  const [first, ...others] = checks;
  if (first === undefined) return [text`No checks were run on it.`];
  const warned = checks.filter(({ verdict }) => verdict === "warned");
  if (warned.length > 0) return warned.map(describeCheck);
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
