import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { runStep } from "./support/step.ts";

let workspace = "";
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "annotations-"));
});
afterEach(() => rmSync(workspace, { recursive: true }));

const given = {
  INPUT_API_KEY: "key-of-the-platform",
  INPUT_WORKSPACE_ID: "00000000-0000-4000-8000-000000000000",
  INPUT_CONTROL_PLANE_URL: "http://127.0.0.1:9",
  INPUT_INTEGRATION_ID: "integration-1",
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_REF: "refs/heads/main",
};
/** What would end a property, add another one, or end the command, if it were not escaped. */
const hostile = "a%0A,file=b.py,line=9::x%3A%2C::warning::owned";

test("the name of a file in an annotation adds no property and no command", async () => {
  writeFileSync(join(workspace, `${hostile}.json`), "[]");

  const { log } = await runStep("deploy", {
    ...given,
    INPUT_PLATFORM: "langsmith",
    INPUT_INTEGRATION_ID: "",
    INPUT_NAME: "agent",
    INPUT_SOURCE_PATH: ".",
    INPUT_APP_CONFIG_PATH: `${hostile}.json`,
    GITHUB_WORKSPACE: workspace,
  });

  expect(log.annotations).toMatchObject([
    { level: "error", title: "Input app_config_path", file: `${hostile}.json` },
  ]);
  expect(log.annotations[0]).not.toHaveProperty("line");
});

test("the name of a deployment in a title adds no property and no command, and the title is short", async () => {
  const { log } = await runStep("deploy", {
    ...given,
    INPUT_NAME: `${hostile}\n::error::owned ##[error]${"x".repeat(300)}key-of-the-platform`,
    INPUT_APP_CONFIG_PATH: "agent.json",
  });

  expect(log.annotations).toMatchObject([
    { level: "error", title: expect.stringMatching(/^Deploy a%0A,file=b\.py,line=9::x%3A%2C::warning/) },
  ]);
  expect(log.annotations[0]).not.toHaveProperty("file");
  expect(log.annotations[0]?.title?.length).toBeLessThan(200);
});
