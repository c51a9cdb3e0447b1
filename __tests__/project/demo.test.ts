import { expect, test } from "@jest/globals";
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

test("the demo deploys to the emulator if its variables are not set or empty", () => {
  expect(targetFrom({ HOME: "/home/someone" })).toBeNull();
  expect(targetFrom(Object.fromEntries(Object.keys(env).map((name) => [name, ""])))).toBeNull();
});

test("the demo deploys to the control plane in its variables", () => {
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

test("the demo refuses incomplete variables, and names the missing ones without the values of the others", () => {
  const read = () => targetFrom({ ...env, WORKSPACE_ID: undefined, REPO_REF: "" });

  expect(read).toThrow("missing: WORKSPACE_ID, REPO_REF.");
  expect(read).not.toThrow("key,");
});
