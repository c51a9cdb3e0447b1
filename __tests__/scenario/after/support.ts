import type { IncomingMessage, RequestListener } from "node:http";
import { CancelledError } from "../../../src/errors.ts";
import type { Inputs, StartedDeploy } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";

/** What a team that uses the live platform has to give. */
export const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };

/** A deployment of one's own, to be asked whether it is well. */
export interface App {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

/** Starts one that answers like this. It is stopped after the test. */
export async function startApp(answer: RequestListener): Promise<App> {
  const requests: IncomingMessage[] = [];
  const url = await serve((request, response) => {
    requests.push(request);
    void answer(request, response);
  });
  return { url, requests };
}

/** An app that answers with these statuses, the last one for ever. */
export function startAppAnswering(...statuses: readonly number[]): Promise<App> {
  const left = [...statuses];
  return startApp((_request, response) => {
    response.writeHead((left.length > 1 ? left.shift() : left[0]) ?? 200).end("words of the app");
  });
}

/** Cancels a run as the runner does. */
export function cancel({ context }: StartedDeploy): void {
  context.cancel(new CancelledError("SIGINT"));
}
