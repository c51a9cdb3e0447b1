import type { AgentClient } from "../agent/agent-client.ts";
import { withoutQuery } from "../agent/request-parts.ts";
import type { Result } from "../errors.ts";
import { poll } from "../http/poll.ts";
import { failedBy } from "../http/request-error.ts";
import { type HttpResponse, isSuccessful } from "../http/response.ts";
import { code, duration, inputName, joined, type Message, phrase, text } from "../text/message.ts";
import { agentPollTimes, type Check, describeReceived, maxResponseMs, mismatched } from "./check.ts";

/** Requests a path until the response is 2xx (docs/specification.md#health-check). */
export function healthCheck(path: string, timeoutMs: number): Check {
  const name = withoutQuery(path);
  const request = code(`GET ${name}`);
  const attempt = async (agent: AgentClient) => {
    const response = await agent.trySend({ method: "GET", path, timeoutMs: maxResponseMs });
    const status = response.value?.status ?? 0;
    const received = describeReceived(response);
    const pending = text`${request} is not healthy yet, received ${received}.`;
    return { response, status, received, endsPolling: isSuccessful(status), pending };
  };
  return {
    kind: "health check",
    name,
    verdictWithoutUrl: "failed",
    input: inputName("health_check_path"),
    async perform(agent, context) {
      const times = agentPollTimes(context, timeoutMs);
      const { endsPolling, status, received, response } = await poll(() => attempt(agent), times, context);
      if (endsPolling) return { verdict: "passed", description: phrase`${request}: ${status}` };
      const expected = phrase`a 2xx status of ${request} within ${duration(timeoutMs)}`;
      return mismatched(request, [{ expected, received, hint: healthHint(agent, response) }]);
    },
  };
}

function healthHint(agent: AgentClient, { value, error }: Result<HttpResponse>): Message {
  const statusHint = value && value.status < 500 ? agent.statusHint(value.status) : undefined;
  if (statusHint !== undefined) return statusHint;
  if (failedBy(error, "timeout")) {
    return text`The path must respond within ${duration(maxResponseMs)}: read the log of the agent server.`;
  }
  const path = text`Check ${inputName("health_check_path")}, and read the log of the agent server.`;
  const moreTime = text`To give it more time, raise ${inputName("health_check_timeout_seconds")}.`;
  return joined([error?.ending.hint, path, moreTime]);
}
