import { afterEach, expect } from "@jest/globals";
import type { ActionName } from "../../../src/run.ts";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";
import { inputVariables } from "../../support/runner/step-environment.ts";
import { type Inputs, pushToMain } from "../../support/scenario.ts";
import { serve } from "../../support/serve.ts";
import { eventFile, runStep, type Step } from "./step.ts";

export interface HostileResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

/** A response by the request's line, such as `GET /v2/deployments`; 404 if there is none. */
type Respond = (line: string) => HostileResponse | undefined;

/** Responds like the first of these whose pattern the request's line matches. A function is called for each request. */
export function byLine(
  ...routes: readonly (readonly [RegExp, HostileResponse | (() => HostileResponse)])[]
): Respond {
  return (line) => {
    const [, found] = routes.find(([pattern]) => pattern.test(line)) ?? [];
    return typeof found === "function" ? found() : found;
  };
}

export const ok = (body: unknown): HostileResponse => ({ status: 200, body });

export interface HostilePlatform {
  readonly url: string;
  respond: Respond;
  /** Runs an action with these inputs and variables, added to the ones that reach the platform or in their place. */
  run(action: ActionName, inputs?: Inputs, env?: Inputs): Promise<Step>;
}

export const apiKey = "key-of-the-run";
export const githubToken = "token-of-the-run";

/** A control plane with these responses, which a test can replace. */
export async function startHostilePlatform(
  respond: Respond = () => ({ status: 400, body: { detail: "no" } }),
): Promise<HostilePlatform> {
  const url = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const notFound: HostileResponse = { status: 404, body: { detail: "Not Found" } };
    const { status, headers, body } = platform.respond(`${request.method} ${pathname}`) ?? notFound;
    const [text, type] =
      typeof body === "string" ? [body, "text/html"] : [JSON.stringify(body), "application/json"];
    const isCreated = request.method === "POST" && pathname.endsWith("/deployments") && status === 200;
    request.resume();
    response.writeHead(isCreated ? 201 : status, { "content-type": type, ...headers }).end(text);
  });
  const platform: HostilePlatform = {
    url,
    respond,
    run: (action, inputs, env) => {
      const given = {
        control_plane_url: url,
        api_key: apiKey,
        workspace_id: "workspace",
        integration_id: "integration-1",
        app_config_path: "app/config.json",
        ...(action !== "preview" && { name: "agent" }),
        ...inputs,
      };
      return runStep(action, { ...pushToMain, GITHUB_RUN_ID: "42", ...env, ...inputVariables(given) });
    },
  };
  return platform;
}

const started: GitHubStandIn[] = [];

afterEach(async () => {
  for (const github of started.splice(0)) {
    await github.close();
    expect(github.violations).toEqual([]);
  }
});

export interface HostilePreviews extends HostilePlatform {
  readonly github: GitHubStandIn;
  /** Runs the preview action for an event of pull request 7, each time as another run. */
  preview(action: string, inputs?: Inputs, instead?: { branch: string; payload: unknown }): Promise<Step>;
}

/** A hostile platform, and a GitHub with pull request 7. */
export async function startHostilePreviews(respond?: Respond): Promise<HostilePreviews> {
  const platform = await startHostilePlatform(respond);
  const github = await startGitHub({
    files: { "app/config.json": "{}" },
    tokens: { [githubToken]: { login: actionsLogin } },
  });
  started.push(github);
  github.pullRequests.open({ number: 7 });
  let runs = 0;
  return Object.assign(platform, {
    github,
    preview(action: string, inputs: Inputs = {}, instead?: { branch: string; payload: unknown }) {
      const { event, env } = github.pullRequestRun(7, action);
      const variables = {
        ...env,
        GITHUB_EVENT_NAME: event.name,
        GITHUB_EVENT_PATH: eventFile(instead?.payload ?? event.payload),
        GITHUB_HEAD_REF: instead?.branch ?? github.pullRequests.find(7)?.branch ?? "",
        GITHUB_RUN_ID: String(++runs),
      };
      return platform.run("preview", { github_token: githubToken, ...inputs }, variables);
    },
  });
}
