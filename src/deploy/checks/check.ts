import type { Context } from "../../context.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { CheckResult, UnreachableAgent } from "../../results/watch.ts";
import type { RunRevision } from "../apply/revision-history.ts";
import type { CheckedJob } from "../job.ts";
import { AgentClient } from "./agent-client.ts";

/** One check of the deployed agent. */
export interface Check {
  readonly kind: CheckResult["kind"];
  /** As in `CheckResult`. */
  readonly name: string;
  /** What was found out; undefined if there is nothing to report. @throws the reason of a cancellation */
  readonly perform: () => Promise<CheckOutcome | undefined>;
}

export type CheckOutcome = Pick<CheckResult, "passed" | "finding">;

/** The checks of one kind that the inputs ask for. */
export type ChecksBuilder = (subject: CheckSubject) => ReturnType<CheckGroup>;

/** What is checked, and with what. */
export interface CheckSubject {
  readonly job: CheckedJob;
  /** This run's revision, which is live. */
  readonly run: RunRevision;
  /** The same as the platform shows it. */
  readonly revision: Revision;
  readonly agent: AgentClient | UnreachableAgent;
}

/** Checks that are to be performed; what they need first is done before they are returned. */
type CheckGroup = () => readonly Check[] | Promise<readonly Check[]>;

/**
 * Performs checks and reports what came of them. Those of a group follow only if all earlier ones passed.
 *
 * @throws what a check throws
 */
export async function performChecks(
  context: Context,
  groups: readonly CheckGroup[],
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const checksOf of groups) {
    for (const check of await checksOf()) {
      const result = await performCheck(context, check);
      if (result !== undefined) results.push(result);
    }
    if (results.some(({ passed }) => !passed)) break;
  }
  context.report.checksEnded();
  return results;
}

async function performCheck(
  { clock, report }: Context,
  { kind, name, perform }: Check,
): Promise<CheckResult | undefined> {
  report.setFacts({ runningCheck: { kind, name } });
  const startedAt = clock.now();
  const checked = await perform();
  report.setFacts({ activity: undefined });
  if (checked === undefined) return undefined;
  const result = { kind, name, durationMs: clock.now() - startedAt, ...checked };
  report.check(result);
  return result;
}

/** What a check finds out if the agent can be requested. `path`: as in `Finding`. */
export async function checkAgent(
  agent: CheckSubject["agent"],
  path: string,
  perform: (agent: AgentClient) => Promise<CheckOutcome | undefined>,
): Promise<CheckOutcome | undefined> {
  if (agent instanceof AgentClient) return await perform(agent);
  return { passed: false, finding: { kind: "unreachable", path, ...agent } };
}

/** The longest wait for one response, in milliseconds: a service that starts may drop the first requests. */
const maxResponseMs = 10_000;
/** The last request at the end of the time gets at least this, in milliseconds. */
const minResponseMs = 1000;
const delayMs = 2000;

/**
 * Repeats an attempt until what it returns is enough, and once more when `timeoutMs` are over. Each attempt gets the time
 * that one response may take, in milliseconds.
 *
 * @returns the last attempt's result, enough or not
 * @throws what an attempt throws, and the reason of a cancellation.
 */
export async function pollAgent<T>(
  { clock, cancelled }: CheckedJob,
  timeoutMs: number,
  attempt: (responseMs: number) => Promise<T>,
  isEnough: (result: T) => boolean,
): Promise<T> {
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    const leftMs = deadline - clock.now();
    const result = await attempt(Math.min(maxResponseMs, Math.max(minResponseMs, leftMs)));
    if (leftMs <= 0 || isEnough(result)) return result;
    await clock.sleep(Math.min(delayMs, Math.max(0, deadline - clock.now())), cancelled);
  }
}
