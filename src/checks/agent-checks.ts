import type { Agent } from "../agent/agent-client.ts";
import type { Context } from "../context.ts";
import type { Check } from "./check.ts";
import { type ComparisonOptions, comparisonCheck } from "./comparison-check.ts";
import { healthCheck } from "./health-check.ts";
import type { SmokeTest } from "./smoke-test.ts";
import { smokeTestCheck } from "./smoke-test-check.ts";

interface AgentChecks {
  /** Undefined: no health check. */
  readonly healthPath: string | undefined;
  readonly timeoutMs: number;
  readonly smokeTests: readonly SmokeTest[];
  /** Undefined: nothing is compared. */
  readonly compare: ComparisonOptions | undefined;
}

/** Returns the requested checks that need only an agent, in the order in which they run. */
export function requestedAgentChecks(
  context: Context,
  agent: Agent,
  { healthPath, timeoutMs, smokeTests, compare }: AgentChecks,
): Check[] {
  return [
    ...(healthPath === undefined ? [] : [healthCheck(context, agent, healthPath, timeoutMs)]),
    ...smokeTests.map((test) => smokeTestCheck(agent, test)),
    ...(compare === undefined ? [] : [comparisonCheck(context, agent, compare)]),
  ];
}
