import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { withoutQuery } from "../../inputs/path-problem.ts";
import type { SmokeTest } from "../../inputs/smoke-test.ts";
import { AgentClient, type UnreachableAgent } from "./agent-client.ts";
import { type Check, unreachableFinding } from "./check.ts";
import { runSmokeTest } from "./smoke-test.ts";

/** A check for each of `smoke_tests` (docs/specification.md#smoke-tests). */
export function smokeTests({ smokeTests: tests }: CheckInputs): Check[] {
  return tests.map(checkOf);
}

function checkOf(test: SmokeTest): Check {
  return {
    kind: "smoke test",
    name: test.name,
    async run({ agent }, context) {
      if (!(agent instanceof AgentClient))
        return unreachableFinding(agent, withoutQuery(test.path), "smoke_tests");
      return await runSmokeTest(test, agent, context);
    },
  };
}

const maxWakeMs = 60_000;

/**
 * Wakes a deployment that sleeps, so that its start does not count as time of the first smoke test. The response does not
 * matter. @throws the reason of a cancellation.
 */
export async function wakeAgent(agent: AgentClient | UnreachableAgent, context: RunContext): Promise<void> {
  if (!(agent instanceof AgentClient)) return;
  await context.emit({ kind: "stage_changed", stage: "still waiting for the deployment to wake up" });
  const request = { method: "GET", path: "/ok", timeoutMs: maxWakeMs, timeoutInput: "smoke_tests" } as const;
  await bestEffort(() => agent.send({ ...request, ignoresBody: () => true }), context.cancelled);
  await context.emit({ kind: "stage_changed", stage: undefined });
}
