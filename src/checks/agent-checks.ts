import type { AgentClient } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import type { Result } from "../errors.ts";
import type { Check } from "./check.ts";
import { type ComparedAgent, type CompareOptions, comparisonCheck } from "./comparison-check.ts";
import { healthCheck } from "./health-check.ts";
import type { SmokeTest } from "./smoke-test.ts";
import { smokeTestCheck } from "./smoke-test-check.ts";

export interface AgentCheckOptions {
  /** The time for each of the health check and the serving check, in milliseconds. */
  readonly healthTimeoutMs: number;
  /** Starts with `/` and may contain a query. Undefined: no health check. */
  readonly healthPath: string | undefined;
  readonly smokeTests: readonly SmokeTest[];
  readonly compare: CompareOptions | undefined;
}

/** Returns the requested checks that need only an agent, in the order in which they run. */
export function requestedAgentChecks(
  context: Context,
  agent: Result<AgentClient>,
  { healthPath, healthTimeoutMs, smokeTests, compare }: AgentCheckOptions,
  comparedAgent: ComparedAgent | undefined,
): Check[] {
  return [
    ...(healthPath === undefined ? [] : [healthCheck(context, agent, healthPath, healthTimeoutMs)]),
    ...smokeTests.map((test) => smokeTestCheck(agent, test)),
    ...(compare === undefined ? [] : [comparisonCheck(context, agent, compare, comparedAgent)]),
  ];
}
