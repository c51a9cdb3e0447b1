import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, startScenario, writes } from "../../support/scenario.ts";

const platform = { platform: "langsmith", statusSeconds: 0 } as const;
const secrets = [
  { name: "OPENAI_API_KEY", value: "value-one" },
  { name: "DATABASE_KEY", value: "value-two" },
];

test.each(["true", "false"])(
  "secrets that an update would remove are named before the write (dry run: %s)",
  async (dry_run) => {
    const { deploy, existing } = await startScenario(platform);
    await existing("agent", { secrets });

    const run = await deploy({ dry_run, secrets: "OPENAI_API_KEY=value-three" });

    expect(run.warnings[0]).toMatch(/^This update removes DATABASE_KEY from deployment /);
    expect(writes(run.requests)).toHaveLength(dry_run === "true" ? 0 : 1);
  },
);

test.each([
  ["langsmith", "without secrets", ""],
  ["langsmith", "with the same names", "OPENAI_API_KEY=a-value\nDATABASE_KEY=b-value\nMORE=c-value"],
  ["standard", "with another name", "OTHER=a-value"],
] as const)("on platform %s an update %s warns of no removed secret", async (name, _what, given) => {
  const { deploy, existing } = await startScenario({ platform: name, statusSeconds: 0 });
  await existing("agent", { secrets });

  const run = await deploy({ secrets: given });

  expect(run.warnings.join()).not.toContain("removes");
});

const shown = [{ name: "KEY", value: 'shown-"value"' }];
const motd = [{ name: "MOTD", value: 'two\n"lines"' }];

test.each([
  ["a body that is quoted", { id: "x", secrets: shown }],
  ["a detail that holds JSON", { detail: JSON.stringify({ secrets: shown }) }],
  ["a body with JSON in it", { message: JSON.stringify(shown) }],
  ["a detail as Python writes it", { detail: "[{'name': 'KEY', 'value': 'shown-\\'value\\'', 'x': 1}]" }],
  ["a detail that is cut", { detail: "{'name': 'KEY', 'value': 'shown-val" }],
])("values of secrets that the platform shows in %s are not quoted", async (_what, body) => {
  const { deploy, emulator, existing } = await startScenario(platform);
  await existing();
  emulator.addFault(answer("POST", 400, { body }));

  const run = await deploy();

  expectError(run, "KEY", "***");
  expect(run.log + run.summary).not.toMatch(/shown|val\b/);
});

test.each([
  ["a body that is quoted", { secrets: motd }],
  ["a detail that holds JSON", { detail: JSON.stringify(motd) }],
  ["a body with JSON in it", { message: JSON.stringify(motd) }],
  ["an item of a 422", { detail: [{ loc: ["body"], msg: "{'value': 'production', 'lines': 1}" }] }],
])("values of env_vars that the platform shows in %s are quoted", async (_what, body) => {
  const { deploy, emulator, existing } = await startScenario(platform);
  await existing();
  emulator.addFault(answer("POST", 422, { body }));

  const run = await deploy({ env_vars: 'MODE=production\nMOTD<<END\ntwo\n"lines"\nEND' });

  expectError(run, "lines");
  expect(run.log).not.toContain("***");
});

test.each(["standard", "langsmith"] as const)(
  "values of secrets that %s showed are redacted in every text from then on, but not env_vars",
  async (name) => {
    const { deploy, emulator, existing } = await startScenario({ ...platform, platform: name });
    const { id } = await existing("agent", { secrets });
    const old = "old-secret-value-1";
    const values = [
      { name: "OLD", value: old },
      { name: "MODE", value: "production-mode" },
      { name: "URL", value: "https://agent.example" },
      { name: "LEVEL", value: "info" },
    ];
    const body = { id, name: "agent", source: "github", url: "https://agent.example/x", secrets: values };
    emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, times: "always" }));
    const detail = `${old} ${btoa(old)} production-mode https://agent.example info`;
    emulator.addFault(answer(name === "standard" ? "PATCH" : "POST", 422, { body: { detail } }));

    const run = await deploy({ env_vars: "MODE=production-mode", secrets: "OLD=a-new-value" });

    expectError(run, "*** *** production-mode https://agent.example info");
    expect(run.log + run.summary).not.toContain(old);
    expect(run.masks).not.toContain(old);
  },
);
