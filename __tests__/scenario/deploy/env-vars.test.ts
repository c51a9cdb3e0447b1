// Variables of the agent that are no secrets.

import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, startScenario, writes } from "../../support/scenario.ts";

const secret = "synthetic-model-key-1";
const inputs: Inputs = {
  name: "desk-prod",
  secrets: `MODEL_API_KEY=${secret}`,
  env_vars: "APP_ENV=prod\nLOG_LEVEL=info\n# a comment\nMOTD<<END\ntwo\nlines\nEND",
};
const sent = [
  { name: "MODEL_API_KEY", value: secret },
  { name: "APP_ENV", value: "prod" },
  { name: "LOG_LEVEL", value: "info" },
  { name: "MOTD", value: "two\nlines" },
];

describe.each(["standard", "langsmith"] as const)("on platform %s", (platform) => {
  const start = () => startScenario({ platform, statusSeconds: 0 });

  test("variables are sent with the secrets, and only these are masked", async () => {
    const { deploy } = await start();

    const run = await deploy(inputs);

    expect(writes(run.requests)).toMatchObject([{ body: { secrets: sent } }]);
    expect(run.masks).toContain(secret);
    for (const plain of ["prod", "info", "two", "lines"]) expect(run.masks).not.toContain(plain);
    expect(run.outputs.name).toBe("desk-prod");
    expect(run.summary).toContain("`desk-prod`");
  });

  test("variables are not redacted where a response repeats them", async () => {
    const { deploy, emulator } = await start();
    emulator.addFault(answer("POST", 400, { body: { detail: `production is full for ${secret}` } }));

    const run = await deploy({ ...inputs, env_vars: "APP_ENV=production" });

    expectError(run, "production is full for ***");
  });

  test("an update sends both, also as an object", async () => {
    const { deploy, existing } = await start();
    await existing();

    const run = await deploy({ env_vars: '{"APP_ENV": "prod", "MOTD": "two\\nlines"}' });

    expect(writes(run.requests)).toMatchObject([{ body: { secrets: [sent[1], sent[3]] } }]);
  });

  test("a name in both is an input error without its values", async () => {
    const { deploy } = await start();

    const run = await deploy({ secrets: `MODEL_API_KEY=${secret}\nREGION=north`, env_vars: "REGION=south" });

    expectError(run, "env_vars", "REGION", "secrets");
    expect(run.log).not.toContain(secret);
    expect(run.requests).toEqual([]);
  });

  test("a dry run shows the values of variables alone", async () => {
    const run = await (await start()).deploy({ ...inputs, dry_run: "true" });

    expect(run.log).toMatch(/"name": "APP_ENV",\s+"value": "prod"/);
    expect(run.log).toMatch(/"name": "MODEL_API_KEY",\s+"value": "\(not shown\)"/);
  });
});

describe("variables without secrets", () => {
  const secrets = [
    { name: "MODEL_API_KEY", value: secret },
    { name: "APP_ENV", value: "staging" },
  ];

  test.each(["true", "false"])("don't remove the secrets of a deployment (dry run: %s)", async (dry_run) => {
    const { deploy, existing } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
    await existing("agent", { secrets });

    const run = await deploy({ env_vars: "APP_ENV=prod", dry_run });

    expectError(
      run,
      "env_vars",
      "would remove MODEL_API_KEY from the deployment",
      "list MODEL_API_KEY too, in secrets",
    );
    expect(writes(run.requests)).toEqual([]);
  });

  test("update a deployment that has no others", async () => {
    const { deploy, existing } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
    await existing("agent", { secrets: secrets.slice(1) });

    expect((await deploy({ env_vars: "APP_ENV=prod" })).outputs.outcome).toBe("deployed");
  });

  test("have no reserved names", async () => {
    const { deploy } = await startScenario({ platform: "langsmith", statusSeconds: 0 });

    const run = await deploy({ env_vars: "LANGSMITH_TENANT_ID=x" });

    expectError(run, "Input env_vars contains LANGSMITH_TENANT_ID");
    expect(run.requests).toEqual([]);
  });
});
