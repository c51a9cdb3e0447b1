import type { CheckInputs } from "../inputs/checks.ts";
import type { SmokeTest } from "../inputs/smoke-test.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, unreachableFinding } from "./check.ts";
import { runSmokeTest } from "./smoke-test/run-smoke-test.ts";

/** A check for each of `smoke_tests` (docs/specification.md#smoke-tests). */
export function smokeTests({ smokeTests: tests }: CheckInputs): Check[] {
  return tests.map(checkOf);
}

function checkOf(test: SmokeTest): Check {
  return {
    kind: "smoke test",
    name: test.name,
    async run({ agent }, context) {
      if (!(agent instanceof AgentClient)) return unreachableFinding(agent, test.path, "smoke_tests");
      return await runSmokeTest(test, agent, context);
    },
  };
}
