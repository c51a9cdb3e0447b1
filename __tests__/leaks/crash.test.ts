import { describe, expect, test } from "@jest/globals";
import { run } from "../../src/run.ts";
import { type RecordingPorts, recordingPorts } from "../support/recording-ports.ts";
import { apiKey, deploymentSecrets, encodings, leaksIn, secretsInput } from "./support/canaries.ts";

const held = { apiKey, ...deploymentSecrets };

/** An environment in which whatever is asked of the clock throws this. */
function portsThatThrow(thrown: unknown): RecordingPorts {
  const inputs = {
    control_plane_url: "http://127.0.0.1:1",
    api_key: apiKey,
    workspace_id: "workspace",
    name: "agent",
    integration_id: "integration",
    app_config_path: "app.json",
    secrets: secretsInput,
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const env = {
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_REF: "refs/heads/main",
    ...Object.fromEntries(variables),
  };
  const ports = recordingPorts(env);
  ports.clock.sleep = () => Promise.reject(thrown);
  return ports;
}

function everythingOf({ recorded }: RecordingPorts): string {
  const { lines, outputs, state, summary } = recorded;
  return [...lines.map(({ text }) => text), ...Object.values(outputs), ...Object.values(state), summary].join(
    "\n",
  );
}

const texts = Object.values(encodings).flatMap((encode) => Object.values(held).map((value) => encode(value)));

describe("a defect fails the step and says nothing of a secret, be it", () => {
  test.each([
    ["an error", (text: string) => new Error(`could not handle ${text}`)],
    ["an error with a cause", (text: string) => new TypeError("no", { cause: new Error(text) })],
    [
      "an error whose stack says more",
      (text: string) => Object.assign(new Error("no"), { stack: `Error: ${text}\n  at ${text}` }),
    ],
    ["a text", (text: string) => text],
    ["an object", (text: string) => ({ toString: () => text })],
    ["an object that is no text", (text: string) => Object.assign(Object.create(null), { text })],
    ["a symbol", (text: string) => Symbol(text)],
    ["nothing", () => undefined],
  ])("%s", async (_what, thrownFor: (text: string) => unknown) => {
    for (const text of texts) {
      const ports = portsThatThrow(thrownFor(text));
      expect(await run("deploy", "main", ports)).toBe(false);
      expect(ports.recorded.outputs.outcome).toBe("failed");
      expect(ports.recorded.summary).toContain("defect");
      expect(leaksIn(everythingOf(ports), held)).toEqual([]);
    }
  });
});
