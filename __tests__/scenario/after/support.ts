import type { IncomingMessage, RequestListener } from "node:http";
import { type Inputs, type Scenario, type ScenarioRun, startScenario } from "../../support/scenario.ts";
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
  return startAgent(inTurn(...statuses));
}

/** Responds with these statuses, and with the last one from then on. */
export function inTurn(...statuses: readonly number[]): RequestListener {
  const left = [...statuses];
  return (_request, response) => {
    response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 200).end("words of the agent");
  };
}

interface DeployedAgent extends Omit<Scenario, "deploy"> {
  readonly agent: Agent;
  deploy(inputs: Inputs): Promise<ScenarioRun>;
}

/**
 * An agent that responds like this, and deploys to its URL, without a serving check by default. `GET /ok`, which wakes it, is
 * answered apart from its requests.
 */
export async function startWithAgent(respond: RequestListener): Promise<DeployedAgent> {
  const requests: IncomingMessage[] = [];
  const { url } = await startAgent((request, response) => {
    if (request.url === "/ok") {
      response.end();
      return;
    }
    requests.push(request);
    respond(request, response);
  });
  const scenario = await startScenario({ statusSeconds: 0 });
  const own = { custom_url: url, serving_check: "off" };
  return {
    ...scenario,
    agent: { url, requests },
    deploy: (inputs) => scenario.deploy({ ...own, ...inputs }),
  };
}

/** Deploys an agent that responds like this, with these checks alone. */
export async function checkAgent(respond: RequestListener, checks: Inputs): Promise<ScenarioRun> {
  return await (await startWithAgent(respond)).deploy(checks);
}
