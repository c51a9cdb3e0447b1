import { toResult } from "../../errors.ts";
import { isSuccessful } from "../../http/request.ts";
import { describeResponse } from "../../http/response-error.ts";
import { querySecrets, withoutQuery } from "../../inputs/agent-request.ts";
import type { CheckInputs } from "../../inputs/checks.ts";
import { formatDuration } from "../../text/format.ts";
import { code, hiding, input, type Message, rawText, text, withoutFullStop } from "../../text/message.ts";
import type { DeployJob } from "../job.ts";
import { AgentClient } from "./agent-client.ts";
import { type Check, type Finding, pollAgent, unreachableFinding } from "./check.ts";

/**
 * Requests `health_check_path` until the response is 2xx, and once more at the end of the time
 * (docs/specification.md#health-check). No check without that input.
 */
export function healthCheck({ healthPath: path }: CheckInputs): Check[] {
  if (path === undefined) return [];
  return [
    {
      kind: "health check",
      name: withoutQuery(path),
      perform: async ({ agent, job }) =>
        agent instanceof AgentClient
          ? await pollHealth(job, agent, path)
          : unreachableFinding(agent, withoutQuery(path), input("health_check_path")),
    },
  ];
}

async function pollHealth(job: DeployJob, agent: AgentClient, path: string): Promise<Finding> {
  const { report } = job;
  const { timeoutMs } = job.options.checks;
  let last = text``;
  const attempt = async (responseMs: number): Promise<Finding | undefined> => {
    const response = await request(agent, path, responseMs, job.cancelled);
    if (response.isHealthy) return { passed: true, finding: response.what };
    if (rawText(response.what) !== rawText(last)) report.info(text`Not healthy yet: ${response.what}.`);
    last = response.what;
    report.setFacts({ activity: text`still checking the deployment's health: ${last}` });
    return undefined;
  };
  const finding = await pollAgent(job, timeoutMs, attempt);
  if (finding !== undefined) return finding;
  return {
    passed: false,
    finding: text`no 2xx response within ${code(formatDuration(timeoutMs))}. Last response: ${last}`,
    hint: text`Check ${input("health_check_path")}, which is requested with no credentials but ${input("agent_headers")}, and the server's logs on the platform. ${input("health_check_timeout_seconds")} gives the deployment more time.`,
    evidence: {
      request: text`${code(`GET ${withoutQuery(path)}`)}`,
      expected: [text`a 2xx status`],
      received: [last],
    },
  };
}

interface HealthResponse {
  readonly isHealthy: boolean;
  /** What came back, as a part of a sentence. */
  readonly what: Message;
}

async function request(
  agent: AgentClient,
  path: string,
  timeoutMs: number,
  cancelled: AbortSignal,
): Promise<HealthResponse> {
  const get = { method: "GET", path, timeoutMs, ignoresBody: isSuccessful } as const;
  const result = await toResult(() => agent.send(get), cancelled);
  if ("error" in result) return { isHealthy: false, what: withoutFullStop(result.error.text) };
  const { request: sent, status } = result.value;
  const subject = text`${code(`GET ${sent.url.pathname}`)}: ${status}`;
  if (isSuccessful(status)) return { isHealthy: true, what: subject };
  // The server may repeat the query.
  const words = hiding(describeResponse(result.value), querySecrets(path));
  return { isHealthy: false, what: text`${subject}, ${words}` };
}
