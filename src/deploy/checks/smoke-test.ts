import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { headerSecrets } from "../../inputs/agent-headers.ts";
import { querySecrets, withoutQuery } from "../../inputs/path-problem.ts";
import type { SmokeTest } from "../../inputs/smoke-test.ts";
import { createRedactor } from "../../text/redact.ts";
import { sanitizeExcerpt } from "../../text/sanitize.ts";
import type { AgentClient } from "./agent-client.ts";
import type { Finding } from "./check.ts";
import { judge, type Mismatch } from "./evaluate-response.ts";

const hint =
  "Read what was sent, expected and received in the job summary, and the server's logs on the platform. If the test is wrong, correct smoke_tests.";

const keyHint =
  "If the agent wants a key, set agent_headers, or headers of the test. If it should refuse this request, set expect.status.";

/** What was wrong with one response, and what to do. Nothing was wrong if there are no mismatches. */
interface FailedAttempt {
  readonly mismatches: readonly Mismatch[];
  readonly hint: string;
}

/** Sends the request of a smoke test as often as it says, each time once. @throws the reason of a cancellation. */
export async function runSmokeTest(
  test: SmokeTest,
  agent: AgentClient,
  context: RunContext,
): Promise<Finding> {
  // These values may be secrets too, and a server may repeat them.
  const own = createRedactor([
    ...Object.values(test.headers).flatMap(headerSecrets),
    ...querySecrets(test.path),
  ]);
  const redact = (text: string) => own(context.redact.text(text));
  const failures: FailedAttempt[] = [];
  for (let attempt = 1; attempt <= test.repeat; attempt += 1) {
    const times = test.repeat === 1 ? "" : `, ${attempt} of ${test.repeat}`;
    await context.emit({ kind: "stage_changed", stage: `still running smoke test "${test.name}"${times}` });
    const failed = await attemptOnce(test, agent, redact, context.cancelled);
    if (failed.mismatches.length > 0) failures.push(failed);
  }
  const passes = test.repeat - failures.length;
  const count = test.repeat === 1 ? "" : `${passes} of ${test.repeat} passed`;
  const sent = requestLine(test);
  const [failure] = failures;
  const [first] = failure?.mismatches ?? [];
  if (passes >= test.pass || failure === undefined || first === undefined) {
    return { passed: true, what: count === "" ? sent : `${sent}, ${count}` };
  }
  const needed = count === "" ? "" : `${count}, but ${test.pass} must. `;
  return {
    passed: false,
    what: `${needed}expected ${first.expected}, received ${first.received}`,
    hint: failure.hint,
    evidence: {
      request: sent,
      expected: failure.mismatches.map(({ expected }) => expected),
      received: failure.mismatches.map(({ received }) => received),
    },
  };
}

async function attemptOnce(
  test: SmokeTest,
  agent: AgentClient,
  redact: (text: string) => string,
  cancelled: AbortSignal,
): Promise<FailedAttempt> {
  const { method, path, headers, body, expected } = test;
  const request = { method, path, headers, body, timeoutMs: expected.maxMs, timeoutInput: "max_seconds" };
  const result = await bestEffort(() => agent.send(request), cancelled);
  if ("value" in result) {
    const mismatches = await judge(test, result.value, redact);
    return { mismatches, hint: [401, 403].includes(result.value.status) ? keyHint : hint };
  }
  const received = redact(result.error.message);
  return { mismatches: [{ expected: "a response", received }], hint: result.error.hint };
}

/** Such as `POST /runs/wait (graph agent)`, without a query. */
function requestLine({ method, path, run }: SmokeTest): string {
  const graph = run === undefined ? "" : ` (graph ${run.graph})`;
  return sanitizeExcerpt(`${method} ${withoutQuery(path)}${graph}`, 300);
}
