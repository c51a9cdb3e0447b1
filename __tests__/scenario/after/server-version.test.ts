import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { type Inputs, startScenario } from "../../support/scenario.ts";

const platform = { platform: "langsmith", statusSeconds: 0 } as const;

test("server_version is the version of this run's revision", async () => {
  const { deploy } = await startScenario(platform);

  const run = await deploy();

  expect(run.outputs.server_version).toBe("1.0.0");
  expect(run.notices).toEqual([]);
});

test.each<Inputs>([{ serving_check: "off" }, { wait: "false" }, { dry_run: "true" }])(
  "with %j the server is not asked for its version",
  async (inputs) => {
    const { deploy, existing } = await startScenario(platform);
    await existing();

    const run = await deploy(inputs);

    expect(run.requests.filter(({ path }) => path.endsWith("/info"))).toEqual([]);
    expect(run.outputs).not.toHaveProperty("server_version");
  },
);

test("the version of another revision's server is not this run's", async () => {
  const { deploy, emulator, existing } = await startScenario(platform);
  await existing();
  emulator.addFault({ kind: "old_revision" });

  const run = await deploy({ health_check_timeout_seconds: "5" });

  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("server_version");
});

test("a rollback leaves the version of this run's revision", async () => {
  const { deploy, emulator, existing } = await startScenario(platform);
  await existing();
  const info = { path: "/info$", from: 3, times: "always" } as const;
  emulator.addFault(answer(info, 200, { body: { version: "0.9.0" } }));
  const smoke_tests = "- { name: no, request: GET /ok, expect: { contains: something else } }";

  const run = await deploy({ smoke_tests, rollback_on_failure: "true" });

  expect(run.outputs).toMatchObject({ rolled_back_to: expect.stringMatching(/./), server_version: "1.0.0" });
  expect(run.summary).toContain("| Agent server | `1.0.0` |");
});
