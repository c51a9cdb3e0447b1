import { stripVTControlCharacters } from "node:util";
import { describe, expect, test } from "@jest/globals";
import { shownLog } from "../../scripts/demo/shown-log.ts";
import { targetFrom } from "../../scripts/demo/target.ts";

const env = {
  CONTROL_PLANE_URL: "https://example.com/api-host",
  API_KEY: "key",
  WORKSPACE_ID: "workspace",
  INTEGRATION_ID: "integration",
  REPO_URL: "https://github.com/example/agent",
  REPO_REF: "main",
  APP_CONFIG_PATH: "agent.json",
};

describe("where the demo deploys to", () => {
  test("is the emulator when no variable is set, or all are empty", () => {
    expect(targetFrom({ HOME: "/home/someone" })).toBeNull();
    expect(targetFrom(Object.fromEntries(Object.keys(env).map((name) => [name, ""])))).toBeNull();
  });

  test("is the control plane that the variables name", () => {
    expect(targetFrom(env)).toEqual({
      controlPlaneUrl: "https://example.com/api-host",
      apiKey: "key",
      workspaceId: "workspace",
      integrationId: "integration",
      repoUrl: "https://github.com/example/agent",
      repoRef: "main",
      appConfigPath: "agent.json",
    });
  });

  test("is an error that names what is missing when only some are set, and shows no value", () => {
    const some = () => targetFrom({ ...env, WORKSPACE_ID: undefined, REPO_REF: "" });
    expect(some).toThrow("missing: WORKSPACE_ID, REPO_REF.");
    expect(some).not.toThrow("key,");
  });
});

test("a log is shown as GitHub's page shows it", () => {
  const lines = [
    ...["before", "##[group]Plan", "inside", "##[error]inside too", "##[endgroup]", "after"],
    ...[
      "##[error]It failed",
      "##[warning]Careful",
      "##[notice]By the way",
      "##[debug]Detail",
      "##[other]text",
    ],
  ];
  expect(shownLog(lines).map(stripVTControlCharacters)).toEqual([
    ...["before", "▼ Plan", "  inside", "  Error: inside too", "after"],
    ...["Error: It failed", "Warning: Careful", "Notice: By the way", "Detail", "##[other]text"],
  ]);
});
