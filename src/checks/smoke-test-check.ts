import type { Agent, AgentClient } from "../agent/agent-client.ts";
import { withoutQuery } from "../agent/request-parts.ts";
import { RequestError } from "../http/request-error.ts";
import { code, inputName, type Message, shortened, text, withoutFullStop } from "../text/message.ts";
import { agentCheck, type Check, evidenceOf, type Finding } from "./check.ts";
import { evaluateResponse, type Mismatch } from "./evaluate-response.ts";
import type { SmokeTest } from "./smoke-test.ts";

/** One of `smoke_tests` (docs/specification.md#smoke-tests). */
export function smokeTestCheck(agent: Agent, test: SmokeTest): Check {
  const { name } = test;
  return agentCheck(agent, { kind: "smoke test", name, input: inputName("smoke_tests") }, (client) =>
    runSmokeTest(client, test),
  );
}

/** Sends the request as often as the test says, each time once. */
async function runSmokeTest(agent: AgentClient, test: SmokeTest): Promise<Finding> {
  const { repeat, pass } = test;
  const failures: (readonly Mismatch[])[] = [];
  for (let number = 1; number <= repeat; number += 1) {
    const mismatches = await attempt(test, agent);
    if (mismatches.length > 0) failures.push(mismatches);
  }
  const passes = repeat - failures.length;
  const passed = passes >= pass;
  const count = repeat === 1 ? undefined : text`${passes} of ${repeat} passed`;
  if (passed) {
    const what = asked(test);
    return { passed, what: count === undefined ? what : text`${what}, ${count}` };
  }
  return describeFailure(test, failures[0] ?? [], count && text`${count}, but ${pass} must: `);
}

/** What is wrong with one response; empty if nothing is. */
async function attempt(test: SmokeTest, agent: AgentClient): Promise<readonly Mismatch[]> {
  const { method, path, headers, body, expected } = test;
  const result = await agent.trySend({ method, path, headers, body, timeoutMs: expected.maxMs });
  if ("value" in result) {
    return evaluateResponse(test, result.value, {
      key: agent.keyHint(headers),
      address: agent.addressHint(),
    });
  }
  const { error } = result;
  const isTimeout = error instanceof RequestError && error.isTimeout;
  const hint = isTimeout
    ? text`To give the response more time, raise ${code("max_seconds")}. Otherwise, read the log of the agent server.`
    : error.ending.hint;
  const received = text`none: ${withoutFullStop(error.ending.message)}`;
  return [{ expected: text`a response`, received, hint }];
}

function describeFailure(
  test: SmokeTest,
  mismatches: readonly Mismatch[],
  needed: Message | undefined,
): Finding {
  const [first] = mismatches;
  return {
    passed: false,
    what: text`${needed}expected ${first?.expected}, received ${first && (first.brief ?? shortened(first.received, 150))}`,
    hint: first?.hint,
    evidence: evidenceOf(requestLine(test), mismatches),
  };
}

function requestLine({ method, path, run }: SmokeTest): Message {
  const line = code(`${method} ${withoutQuery(path)}`);
  return run === undefined ? text`${line}` : text`${line} (graph ${code(run.graph, 100)})`;
}

function asked(test: SmokeTest): Message {
  return test.run === undefined ? requestLine(test) : text`graph ${code(test.run.graph, 100)}`;
}
