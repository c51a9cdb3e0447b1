import { describe, expect, test } from "@jest/globals";
import { run } from "../../src/run.ts";
import { type RecordingContext, recordingContext } from "../support/recording-context.ts";
import { apiKey, deploymentSecrets, encodings, leaksIn, secretsInput } from "./support/canaries.ts";

const held = { apiKey, ...deploymentSecrets };

/** An environment in which whatever is asked of the clock throws this. */
function portsThatThrow(thrown: unknown): RecordingContext {
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
  const context = recordingContext(env);
  context.clock.sleep = () => Promise.reject(thrown);
  return context;
}

function everythingOf({ recorded }: RecordingContext): string {
  const { lines, outputs, state, summary } = recorded;
  return [...lines.map(({ text }) => text), ...Object.values(outputs), ...Object.values(state), summary].join(
    "\n",
  );
}

/** Each canary in each encoding. */
const text = Object.values(encodings)
  .flatMap((encode) => Object.values(held).map((value) => encode(value)))
  .join(" and ");

describe("a defect fails the step and says nothing of a secret, be it", () => {
  test.each<[what: string, thrown: unknown]>([
    ["an error", new Error(`could not handle ${text}`)],
    ["an error with a cause", new TypeError("no", { cause: new Error(text) })],
    [
      "an error whose stack says more",
      Object.assign(new Error("no"), { stack: `Error: ${text}\n  at ${text}` }),
    ],
    ["a text", text],
    ["an object", { toString: () => text }],
    ["an object that is no text", Object.assign(Object.create(null), { text })],
    ["a symbol", Symbol(text)],
    ["nothing", undefined],
  ])("%s", async (_what, thrown) => {
    const context = portsThatThrow(thrown);
    expect(await run("deploy", "main", context)).toBe(false);
    expect(context.recorded.outputs.outcome).toBe("failed");
    expect(context.recorded.summary).toContain("defect");
    expect(leaksIn(everythingOf(context), held)).toEqual([]);
  });
});
