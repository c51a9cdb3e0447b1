import type { EmulatorOptions } from "../../../emulator/server.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import type { RecordedRun } from "../../support/preview-scenario.ts";
import { type PreviewScenario, startPreviewScenario } from "../../support/preview-scenario.ts";
import { apiKey, githubToken, leaksIn, secretsInput } from "./canaries.ts";

/** Inputs of deploy and preview in which every secret is a canary. */
export const secretInputs = { api_key: apiKey, github_token: githubToken, secrets: secretsInput };

/** Both servers, which take the canaries for the credentials that they want. */
export function startLeakScenario(emulator: EmulatorOptions = {}): Promise<PreviewScenario> {
  return startPreviewScenario({
    emulator: { apiKey, ...emulator },
    github: { tokens: { [githubToken]: { login: actionsLogin } } },
  });
}

/** Which canaries a run let out, and where: in what it printed, in what it wrote, and in what it sent to GitHub. */
export function leaksOf(run: RecordedRun): string[] {
  const places: Record<string, readonly string[]> = {
    log: run.log.split("\n"),
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
  return Object.entries(places).flatMap(([place, texts]) => {
    const text = texts.join("\n");
    return leaksIn(text).map((leak) => `${leak} in ${place}: ${text}`);
  });
}

function textsIn(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}
