import { toResult } from "../../errors.ts";
import { headerSecrets, querySecrets, withoutQuery } from "../../inputs/agent-request.ts";
import type { SmokeTest } from "../../inputs/smoke-test.ts";
import type { Mismatch } from "../../results/watch.ts";
import { quote, text } from "../../text/message.ts";
import type { CheckedJob } from "../job.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, type CheckOutcome, type CheckSubject, checkAgent } from "./check.ts";
import { evaluateResponse } from "./evaluate-response.ts";

/** A check for each of `smoke_tests` (docs/specification.md#smoke-tests). */
export async function smokeTests({ agent, job }: CheckSubject): Promise<Check[]> {
  const { smokeTests: tests } = job.options.checks;
  if (tests.length > 0 && agent instanceof AgentClient) await wake(agent, job);
  return tests.map((test) => ({
    kind: "smoke test",
    name: test.name,
    perform: () => checkAgent(agent, withoutQuery(test.path), (client) => runSmokeTest(job, client, test)),
  }));
}

const maxWakeMs = 60_000;

/**
 * Wakes a deployment that sleeps, so that its start does not count as time of the first smoke test. The response does not
 * matter. @throws the reason of a cancellation.
 */
async function wake(agent: AgentClient, { report, cancelled }: CheckedJob): Promise<void> {
  const request = { method: "GET", path: "/ok", timeoutMs: maxWakeMs, ignoresBody: () => true } as const;
  const send = () => toResult(() => agent.send(request), cancelled);
  await report.during(text`still waiting for the deployment to wake up`, send);
}

/** Sends the request of a smoke test as often as it says, each time once. @throws the reason of a cancellation. */
async function runSmokeTest(job: CheckedJob, agent: AgentClient, test: SmokeTest): Promise<CheckOutcome> {
  const { method, path, headers, run, repeat, pass } = test;
  const hasHeaders = Object.keys({ ...job.options.checks.headers, ...headers }).length > 0;
  const failures: (readonly Mismatch[])[] = [];
  for (let number = 1; number <= repeat; number += 1) {
    const times = repeat === 1 ? undefined : text`, ${number} of ${repeat}`;
    const activity = text`still running smoke test ${quote(test.name, 100)}${times}`;
    const mismatches = await job.report.during(activity, () => attempt(test, agent, job.cancelled));
    if (mismatches.length > 0) failures.push(mismatches);
  }
  const passed = repeat - failures.length;
  return {
    passed: passed >= pass,
    finding: {
      kind: "smoke_test",
      request: { method, path: withoutQuery(path), graph: run?.graph, hasHeaders },
      count: { passed, of: repeat, needed: pass },
      mismatches: failures[0] ?? [],
      secrets: [...Object.values(headers).flatMap(headerSecrets), ...querySecrets(path)],
    },
  };
}

/** What is wrong with one response; empty if nothing is. */
async function attempt(test: SmokeTest, agent: AgentClient, cancelled: AbortSignal): Promise<Mismatch[]> {
  const { method, path, headers, body, expected } = test;
  const request = { method, path, headers, body, timeoutMs: expected.maxMs };
  const result = await toResult(() => agent.send(request), cancelled);
  return "value" in result
    ? evaluateResponse(test, result.value)
    : [{ expected: { kind: "response" }, received: { kind: "no_response", error: result.error } }];
}
