import { type Result, toResult } from "../../errors.ts";
import { type HttpResponse, isSuccessful } from "../../http/request.ts";
import { querySecrets, withoutQuery } from "../../inputs/agent-request.ts";
import { describeHealthResponse } from "../../report/sentences/findings.ts";
import { rawText, text } from "../../text/message.ts";
import type { CheckedJob } from "../job.ts";
import type { AgentClient } from "./agent-client.ts";
import { type Check, type CheckOutcome, type CheckSubject, checkAgent, pollAgent } from "./check.ts";

/**
 * Requests `health_check_path` until the response is 2xx, and once more at the end of the time
 * (docs/specification.md#health-check). No check without that input.
 */
export function healthCheck({ agent, job }: CheckSubject): Check[] {
  const { healthPath: path } = job.options.checks;
  if (path === undefined) return [];
  const name = withoutQuery(path);
  const perform = () => checkAgent(agent, name, (client) => pollHealth(job, client, path));
  return [{ kind: "health check", name, perform }];
}

async function pollHealth(job: CheckedJob, agent: AgentClient, path: string): Promise<CheckOutcome> {
  const { report, cancelled } = job;
  const { timeoutMs } = job.options.checks;
  const secrets = querySecrets(path);
  let logged = "";
  const attempt = async (responseMs: number): Promise<Result<HttpResponse>> => {
    const get = { method: "GET", path, timeoutMs: responseMs, ignoresBody: isSuccessful } as const;
    const response = await toResult(() => agent.send(get), cancelled);
    if (isHealthy(response)) return response;
    const what = describeHealthResponse({ response, secrets });
    if (rawText(what) !== logged) report.info(text`Not healthy yet: ${what}.`);
    logged = rawText(what);
    report.setFacts({ activity: text`still checking the deployment's health: ${what}` });
    return response;
  };
  const response = await pollAgent(job, timeoutMs, attempt, isHealthy);
  return { passed: isHealthy(response), finding: { kind: "health", response, timeoutMs, secrets } };
}

function isHealthy(response: Result<HttpResponse>): boolean {
  return "value" in response && isSuccessful(response.value.status);
}
