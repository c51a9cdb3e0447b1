import type { IncomingMessage, RequestListener } from "node:http";
import { serve } from "../../support/serve.ts";

/** A deployed agent's own server. */
export interface Agent {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

/** Starts one, which is stopped after the test. */
export async function startAgent(respond: RequestListener): Promise<Agent> {
  const requests: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  return { url, requests };
}

/** Starts one that responds with these statuses, and with the last one from then on. */
export function startAgentWith(...statuses: readonly number[]): Promise<Agent> {
  return startAgent(inTurn(statuses));
}

/** The same, for an agent that is awake. */
export function startAwakeAgentWith(...statuses: readonly number[]): Promise<Agent> {
  return startAwakeAgent(inTurn(statuses));
}

function inTurn(statuses: readonly number[]): RequestListener {
  const left = [...statuses];
  return (_request, response) => {
    response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 200).end("words of the agent");
  };
}

/** An agent that responds to `GET /ok`, which wakes it, apart from these requests. */
export async function startAwakeAgent(respond: RequestListener): Promise<Agent> {
  const requests: IncomingMessage[] = [];
  const { url } = await startAgent((request, response) => {
    if (request.url === "/ok") {
      response.end();
      return;
    }
    requests.push(request);
    respond(request, response);
  });
  return { url, requests };
}
