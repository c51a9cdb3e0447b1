import type { AgentClient } from "../agent/agent-client.ts";
import { withoutQuery } from "../agent/request-parts.ts";
import type { Context } from "../context.ts";
import type { Result } from "../errors.ts";
import { poll } from "../http/poll.ts";
import { RequestError } from "../http/request-error.ts";
import { describeResponse, type HttpResponse, isSuccessful } from "../http/response.ts";
import {
  code,
  duration,
  inputName,
  joined,
  type Message,
  type Phrase,
  phrase,
  text,
  withoutFullStop,
} from "../text/message.ts";
import { agentCheck, agentTimes, type Check, type CheckFinding, maxResponseMs, mismatched } from "./check.ts";

/** Requests a path until the response is 2xx (docs/specification.md#health-check). */
export function healthCheck(
  context: Context,
  agent: Result<AgentClient>,
  path: string,
  timeoutMs: number,
): Check {
  const name = withoutQuery(path);
  return agentCheck(agent, { kind: "health check", name, input: inputName("health_check_path") }, (client) =>
    pollHealth(context, client, path, timeoutMs),
  );
}

async function pollHealth(
  context: Context,
  agent: AgentClient,
  path: string,
  timeoutMs: number,
): Promise<CheckFinding> {
  const request = code(`GET ${withoutQuery(path)}`);
  const ask = async () => {
    const response = await agent.trySend({ method: "GET", path, timeoutMs: maxResponseMs });
    const { description, received } = describeHealth(request, response);
    const hint = healthHint(agent, response);
    const endsPolling = isSuccessful(response.value?.status ?? 0);
    const pending = text`Not healthy yet: ${description}.`;
    return { endsPolling, pending, description, received, hint };
  };
  const last = await poll(ask, agentTimes(context, timeoutMs), context);
  const { description, received, hint } = last;
  if (last.endsPolling) return { verdict: "passed", description };
  const expected = phrase`a 2xx status of ${request} within ${duration(timeoutMs)}`;
  return mismatched(request, [{ expected, received, hint }]);
}

function healthHint(agent: AgentClient, { value, error }: Result<HttpResponse>): Message {
  const statusHint = value && value.status < 500 ? agent.statusHint(value.status) : undefined;
  if (statusHint !== undefined) return statusHint;
  if (error instanceof RequestError && error.isTimeout) {
    return text`The path must respond within ${duration(maxResponseMs)}: read the log of the agent server.`;
  }
  const path = text`Check ${inputName("health_check_path")}, and read the log of the agent server.`;
  const moreTime = text`To give it more time, raise ${inputName("health_check_timeout_seconds")}.`;
  return joined([error?.ending.hint, path, moreTime]);
}

/** Describes the response, or why none came: for the log, and after "received". */
function describeHealth(request: Phrase, response: Result<HttpResponse>) {
  if (response.error !== undefined) {
    const description = withoutFullStop(response.error.ending.message);
    return { description, received: phrase`none: ${description}` };
  }
  const { status } = response.value;
  const received = isSuccessful(status)
    ? phrase`${status}`
    : phrase`${status}, ${describeResponse(response.value)}`;
  return { description: phrase`${request}: ${received}`, received };
}
