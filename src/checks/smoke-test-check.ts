import type { AgentClient } from "../agent/agent-client.ts";
import { withoutQuery } from "../agent/request-parts.ts";
import { failedBy } from "../http/request-error.ts";
import type { CheckFinding } from "../state/check-result.ts";
import { code, commaList, inputName, type Phrase, phrase, text } from "../text/message.ts";
import { type Check, describeReceived, type Mismatch, mismatched } from "./check.ts";
import { evaluateResponse } from "./evaluate-response.ts";
import type { SmokeTest } from "./smoke-test.ts";

/** Makes the check for one of `smoke_tests` (docs/specification.md#smoke-tests). */
export function smokeTestCheck(test: SmokeTest): Check {
  return {
    kind: "smoke test",
    name: test.name,
    verdictWithoutUrl: "failed",
    input: inputName("smoke_tests"),
    perform: (agent) => runSmokeTest(agent, test),
  };
}

/** Sends the request as often as the test says, each time without retries. */
async function runSmokeTest(agent: AgentClient, test: SmokeTest): Promise<CheckFinding> {
  const { repeat, pass: minPasses = repeat } = test;
  const failures: (readonly Mismatch[])[] = [];
  for (let number = 1; number <= repeat; number += 1) {
    const mismatches = await attempt(test, agent);
    if (mismatches.length > 0) failures.push(mismatches);
  }
  const passes = repeat - failures.length;
  const passedLabel = repeat === 1 ? undefined : phrase`${passes} of ${repeat} passed`;
  const [first, ...others] = failures[0] ?? [];
  if (first === undefined || passes >= minPasses) {
    return { verdict: "passed", description: commaList([requestLine(test), passedLabel]) };
  }
  return mismatched(
    requestLine(test),
    [first, ...others],
    passedLabel && phrase`${passedLabel}, but ${minPasses} must: `,
  );
}

/** Sends the request once, and returns the mismatches of the response; empty if it passes. */
async function attempt(test: SmokeTest, agent: AgentClient): Promise<readonly Mismatch[]> {
  const { method, path, headers, body, expect } = test;
  const timeoutMs = Math.ceil(expect.max_seconds * 1000);
  const result = await agent.trySend({ method, path, headers, body, timeoutMs });
  if (result.error === undefined) return evaluateResponse(test, result.value, agent);
  const { error } = result;
  const hint = failedBy(error, "timeout") ? slowHint : error.ending.hint;
  return [{ expected: phrase`a response`, received: describeReceived(result), hint }];
}

const slowHint = text`To give the response more time, raise ${code("max_seconds")}. Otherwise, read the log of the agent server.`;

function requestLine({ method, path, run }: SmokeTest): Phrase {
  const graph = run && phrase`, graph ${code(run.graph, 100)}`;
  return phrase`${code(`${method} ${withoutQuery(path)}`)}${graph}`;
}
