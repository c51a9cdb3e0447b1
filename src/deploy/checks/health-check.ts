import { bestEffort } from "../../errors.ts";
import type { RunContext } from "../../events.ts";
import { responseText } from "../../http/response-error.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { querySecrets, withoutQuery } from "../../inputs/path-problem.ts";
import { formatDuration } from "../../text/format.ts";
import { createRedactor } from "../../text/redact.ts";
import { sanitizeSentence } from "../../text/sanitize.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, type Finding, unreachableFinding } from "./check.ts";
import { pollAgent } from "./poll-agent.ts";

/**
 * Requests `health_check_path` until the response is 2xx, and once more at the end of the time
 * (docs/specification.md#health-check). No check without that input.
 */
export function healthCheck({ healthPath: path, timeoutMs }: CheckInputs): Check[] {
  if (path === undefined) return [];
  return [
    {
      kind: "health check",
      name: withoutQuery(path),
      run: async ({ agent }, context) =>
        agent instanceof AgentClient
          ? await pollHealth(agent, path, timeoutMs, context)
          : unreachableFinding(agent, withoutQuery(path), "health_check_path"),
    },
  ];
}

async function pollHealth(
  agent: AgentClient,
  path: string,
  timeoutMs: number,
  context: RunContext,
): Promise<Finding> {
  const { emit, log } = context;
  let lastResponse = "";
  const attempt = async (responseMs: number): Promise<Finding | undefined> => {
    const response = await request(agent, path, responseMs, context);
    if (response.isHealthy) return { passed: true, what: response.text };
    if (response.text !== lastResponse) log.info(`Not healthy yet: ${response.text}`);
    lastResponse = response.text;
    await emit({ kind: "stage_changed", stage: `still checking the deployment's health: ${response.text}` });
    return undefined;
  };
  const finding = await pollAgent(timeoutMs, attempt, context);
  if (finding !== undefined) return finding;
  const received = sanitizeSentence(lastResponse, 1000);
  return {
    passed: false,
    what: `no 2xx response within ${formatDuration(timeoutMs)}. Last response: ${received}`,
    hint: "Check health_check_path, which is requested with no credentials but agent_headers, and the server's logs on the platform. health_check_timeout_seconds gives the deployment more time.",
    evidence: { request: `GET ${withoutQuery(path)}`, expected: ["a 2xx status"], received: [received] },
  };
}

interface HealthResponse {
  readonly isHealthy: boolean;
  /** What came back, sanitized. */
  readonly text: string;
}

async function request(
  agent: AgentClient,
  path: string,
  timeoutMs: number,
  { cancelled, redact }: RunContext,
): Promise<HealthResponse> {
  const isHealthy = (status: number) => status >= 200 && status < 300;
  const timeoutInput = "health_check_timeout_seconds";
  const get = { method: "GET", path, timeoutMs, timeoutInput, ignoresBody: isHealthy } as const;
  const result = await bestEffort(() => agent.send(get), cancelled);
  if ("error" in result) return { isHealthy: false, text: result.error.message };
  const { request: sent, status } = result.value;
  const subject = `GET ${sent.url.pathname}: ${status}`;
  const ownRedact = createRedactor(querySecrets(path));
  return isHealthy(status)
    ? { isHealthy: true, text: subject }
    : {
        isHealthy: false,
        text: `${subject}, ${responseText(result.value, (text) => ownRedact(redact.text(text)))}`,
      };
}
