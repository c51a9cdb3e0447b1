import type { EmulatorOptions } from "../../../emulator/index.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { type Scenario, type ScenarioRun, startScenario } from "../../support/scenario.ts";
import { apiKey, githubToken, leaksIn, secretsInput } from "./canaries.ts";

export const credentials = { api_key: apiKey, github_token: githubToken };

/** Inputs of deploy and preview in which every secret is a canary. */
export const secretInputs = { ...credentials, secrets: secretsInput };

/** Both servers, which accept the canaries as credentials. */
export function startLeakScenario(emulator: EmulatorOptions = {}): Promise<Scenario> {
  return startScenario({
    statusSeconds: 5,
    apiKey,
    ...emulator,
    github: { tokens: { [githubToken]: { login: actionsLogin } } },
  });
}

/** The canaries that a run printed (annotations too), wrote into the runner's files or sent to GitHub, and where. */
export function leaksOf(run: ScenarioRun): string[] {
  const channels: Record<string, readonly string[]> = {
    log: [run.log],
    outputs: Object.values(run.outputs),
    state: Object.values(run.state),
    summary: [run.summary],
    GitHub: run.github.flatMap(({ path, query, body, headers }) => [
      decodeURIComponent(path),
      ...Object.values(query).flat(),
      ...Object.values(headers),
      ...textsIn(body),
    ]),
  };
  return Object.entries(channels).flatMap(([channel, texts]) => {
    const text = texts.join("\n");
    return leaksIn(text).map((leak) => `${leak} in ${channel}: ${text}`);
  });
}

/** Everything that a run sent to GitHub, as text. */
export function sentToGitHub({ github }: Pick<ScenarioRun, "github">): string {
  return github
    .map(({ path, query, body, headers }) => JSON.stringify([path, query, body, headers]))
    .join("\n");
}

function textsIn(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}
