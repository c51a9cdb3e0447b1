import { describe, expect, test } from "@jest/globals";
import { run } from "../../src/run.ts";
import { recordingContext } from "../support/recording-context.ts";
import { inputVariables } from "../support/runner/step-environment.ts";
import { apiKey, deploymentSecrets, encodings, leaksIn, secretsInput } from "./support/canaries.ts";

const held = { apiKey, ...deploymentSecrets };
const inputs = {
  control_plane_url: "http://127.0.0.1:1",
  api_key: apiKey,
  workspace_id: "workspace",
  name: "agent",
  integration_id: "integration",
  app_config_path: "app.json",
  secrets: secretsInput,
};
const env = {
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_REF: "refs/heads/main",
  ...inputVariables(inputs),
};

/** Each canary in each encoding. */
const text = Object.values(encodings)
  .flatMap((encode) => Object.values(held).map((value) => encode(value)))
  .join(" and ");

describe("an internal error fails the step and shows no secret", () => {
  test.each<[what: string, thrown: unknown]>([
    ["an error", new Error(`could not handle ${text}`)],
    ["an error with a cause", new TypeError("no", { cause: new Error(text) })],
    [
      "an error whose stack differs",
      Object.assign(new Error("no"), { stack: `Error: ${text}\n  at ${text}` }),
    ],
    ["a text", text],
    ["an object", { toString: () => text }],
    ["a symbol", Symbol(text)],
    ["nothing", undefined],
  ])("if %s was thrown", async (_what, thrown) => {
    const context = recordingContext(env);
    // The delay before a retry: nothing listens at the URL.
    context.clock.sleep = () => Promise.reject(thrown);

    const succeeded = await run("deploy", "main", context);

    const { lines, outputs, state, summary } = context.recorded;
    const written = [
      lines.map((line) => line.text),
      Object.values(outputs),
      Object.values(state),
      summary,
    ].flat();
    expect([succeeded, outputs.outcome]).toEqual([false, "failed"]);
    expect(summary).toContain("Internal error");
    expect(leaksIn(written.join("\n"), held)).toEqual([]);
  });
});
