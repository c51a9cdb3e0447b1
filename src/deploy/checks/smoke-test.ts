import { toResult } from "../../errors.ts";
import { ConnectionError } from "../../http/connection-error.ts";
import { headerSecrets, querySecrets, withoutQuery } from "../../inputs/agent-request.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import type { SmokeTest } from "../../inputs/smoke-test.ts";
import {
  below,
  code,
  hiding,
  input,
  type Message,
  quote,
  text,
  withoutFullStop,
} from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, type CheckTarget, type Finding, unreachableFinding } from "./check.ts";
import { evaluateResponse, type Mismatch } from "./evaluate-response.ts";

/** A check for each of `smoke_tests` (docs/specification.md#smoke-tests). */
export function smokeTests({ smokeTests: tests }: CheckInputs): Check[] {
  return tests.map((test) => ({
    kind: "smoke test",
    name: test.name,
    perform: async ({ agent, job }) =>
      agent instanceof AgentClient
        ? await runSmokeTest(job, agent, test)
        : unreachableFinding(agent, withoutQuery(test.path), input("smoke_tests")),
  }));
}

const maxWakeMs = 60_000;

/**
 * Wakes a deployment that sleeps, so that its start does not count as time of the first smoke test. The response does not
 * matter. @throws the reason of a cancellation.
 */
export async function wakeAgent({ agent, job: { report, cancelled } }: CheckTarget): Promise<void> {
  if (!(agent instanceof AgentClient)) return;
  report.setFacts({ activity: text`still waiting for the deployment to wake up` });
  const request = { method: "GET", path: "/ok", timeoutMs: maxWakeMs, ignoresBody: () => true } as const;
  await toResult(() => agent.send(request), cancelled);
  report.setFacts({ activity: undefined });
}

const hint = text`Read what was sent, expected and received ${below}, and the server's logs on the platform. If the test is wrong, correct ${input("smoke_tests")}.`;
const keyHint = text`If the agent requires a key, set ${input("agent_headers")}, or ${code("headers")} of the test. If it should refuse this request, set ${code("expect.status")}.`;
const timeHint = text`${code("max_seconds")} gives the response more time. Otherwise read the server's logs on the platform.`;

/** What was wrong with one response, and what to do. Nothing was wrong if there are no mismatches. */
interface Attempt {
  readonly mismatches: readonly Mismatch[];
  readonly hint: Message;
}

/** Sends the request of a smoke test as often as it says, each time once. @throws the reason of a cancellation. */
async function runSmokeTest(job: DeployJob, agent: AgentClient, test: SmokeTest): Promise<Finding> {
  const failures: Attempt[] = [];
  for (let number = 1; number <= test.repeat; number += 1) {
    const times = test.repeat === 1 ? undefined : text`, ${number} of ${test.repeat}`;
    job.report.setFacts({ activity: text`still running smoke test ${quote(test.name, 100)}${times}` });
    const attempt = await attemptOnce(test, agent, job.cancelled);
    if (attempt.mismatches.length > 0) failures.push(attempt);
  }
  return findingOf(test, failures);
}

function findingOf(test: SmokeTest, failures: readonly Attempt[]): Finding {
  const passes = test.repeat - failures.length;
  const count = text`${passes} of ${test.repeat} passed`;
  const isRepeated = test.repeat > 1;
  const sent = requestLine(test);
  const [failure] = failures;
  const [first] = failure?.mismatches ?? [];
  if (passes >= test.pass || failure === undefined || first === undefined) {
    return { passed: true, finding: isRepeated ? text`${sent}, ${count}` : sent };
  }
  const needed = isRepeated ? text`${count}, but ${test.pass} must: ` : undefined;
  // A server may repeat these values.
  const own = [...Object.values(test.headers).flatMap(headerSecrets), ...querySecrets(test.path)];
  return {
    passed: false,
    finding: hiding(text`${needed}expected ${first.expected}, received ${first.received}`, own),
    hint: failure.hint,
    evidence: {
      request: sent,
      expected: failure.mismatches.map(({ expected }) => hiding(expected, own)),
      received: failure.mismatches.map(({ received }) => hiding(received, own)),
    },
  };
}

async function attemptOnce(test: SmokeTest, agent: AgentClient, cancelled: AbortSignal): Promise<Attempt> {
  const { method, path, headers, body, expected } = test;
  const request = { method, path, headers, body, timeoutMs: expected.maxMs };
  const result = await toResult(() => agent.send(request), cancelled);
  if ("value" in result) {
    const mismatches = evaluateResponse(test, result.value);
    return { mismatches, hint: hintFor(test, result.value.status) };
  }
  const { error } = result;
  const isTimeout = error instanceof ConnectionError && error.kind === "timeout";
  return {
    mismatches: [{ expected: text`a response`, received: withoutFullStop(error.text) }],
    hint: isTimeout ? timeHint : error.hint,
  };
}

function hintFor({ run }: SmokeTest, status: number): Message {
  if (status === 401 || status === 403) return keyHint;
  return status === 404 && run !== undefined
    ? text`Check that ${code(run.graph, 100)} is one of the ${code("graphs")} in the agent's configuration file. ${hint}`
    : hint;
}

/** Such as `POST /runs/wait (graph agent)`, without a query. */
function requestLine({ method, path, run }: SmokeTest): Message {
  const graph = run === undefined ? undefined : text` (graph ${code(run.graph, 100)})`;
  return text`${code(`${method} ${withoutQuery(path)}`)}${graph}`;
}
