import { expect, test } from "@jest/globals";
import { type DeployRun, startScenario, writes } from "../../support/scenario.ts";

/** All that a run shows anywhere. */
function shown(run: DeployRun): string {
  return [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
}

test("secrets are sent as they stand, and shown nowhere", async () => {
  const { deploy, held } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({
    secrets:
      "# a comment\r\n\r\nPLAIN=plain-value-1\r\nODD= #odd=value \r\nKEY<<END\r\nfirst-line\r\n\r\nlast-line\r\nEND\r\nSHORT=abc\r\n",
  });
  expect(writes(run.requests)[0]?.body).toMatchObject({
    secrets: [
      { name: "PLAIN", value: "plain-value-1" },
      { name: "ODD", value: " #odd=value " },
      { name: "KEY", value: "first-line\n\nlast-line" },
      { name: "SHORT", value: "abc" },
    ],
  });
  expect(held().secrets.map(({ name }) => name)).toEqual(["PLAIN", "ODD", "KEY", "SHORT"]);
  for (const value of ["plain-value-1", "#odd=value", "first-line", "last-line"]) {
    expect(shown(run)).not.toContain(value);
    expect(run.masks).toContain(value);
  }
  expect(run.masks).not.toContain("abc");
  expect(run.masks).not.toContain("");
});

test("masks come before everything else", async () => {
  const { start } = await startScenario({ statusSeconds: 0 });
  const { context, ended } = start({ secrets: "A=value-of-a", github_token: "ghs_token" });
  expect(context.recorded.masks).toEqual(
    expect.arrayContaining(["local-api-key", "ghs_token", "value-of-a"]),
  );
  expect(context.recorded.lines.length).toBeLessThanOrEqual(1);
  await ended;
});

test("wrong secrets are told by their place, never by their content", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy({
    secrets: [
      "-----BEGIN PRIVATE KEY-----",
      "MIIEvAIBADANBgkqhkiG9w0BAQEFAASC",
      "c2VjcmV0bGFzdGxpbmVvZnRoZWtleQ=",
      "1BAD=value-of-bad",
      "EMPTY=",
      "TWICE=value-one",
      "TWICE=value-two",
      "github_token=value-of-token",
      "OPEN<<NEVER",
      "value-of-open",
    ].join("\n"),
  });
  expect(emulator.requests).toEqual([]);
  for (const content of [
    "PRIVATE",
    "MIIEvAIBADANBgkqhkiG9w0BAQEFAASC",
    "c2VjcmV0bGFzdGxpbmVvZnRoZWtleQ",
    "value-of",
    "value-one",
    "value-two",
  ]) {
    expect(shown(run)).not.toContain(content);
  }
  for (const line of [1, 2, 3, 4, 5, 7, 8, 9]) {
    expect(run.errors.filter((text) => text.includes(`line ${line}`))).toHaveLength(1);
  }
});

test("wrong secrets in JSON are told by their name or place", async () => {
  const { deploy, emulator } = await startScenario();
  const run = await deploy({
    secrets:
      '{"A": 7001, "github_token": "value-of-token", "EMPTY": "", "B": {"c": "value-of-c"}, "D": "value-1", "D": "value-2"}',
  });
  expect(emulator.requests).toEqual([]);
  expect(shown(run)).not.toMatch(/7001|value-/);
  expect(run.errors).toHaveLength(5);
  expect(run.errors.join("\n")).toMatch(/github_token[\s\S]*EMPTY|EMPTY[\s\S]*github_token/);
});

test("JSON that is broken is told without its content", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ secrets: '{"A": "value-of-a",}' });
  expect(run.requests).toEqual([]);
  expect(run.errors).toEqual([
    expect.stringContaining("Input secrets starts with { but isn't one JSON object"),
  ]);
  expect(shown(run)).not.toContain("value-of-a");
});

test("a value in quotes is sent with them, with a warning that names it", async () => {
  const { deploy } = await startScenario({ statusSeconds: 0 });
  const run = await deploy({ secrets: "A=\"quoted\"\nB='quoted'\nC=it's\nD=\"" });
  expect(writes(run.requests)[0]?.body).toMatchObject({
    secrets: [
      { name: "A", value: '"quoted"' },
      { name: "B", value: "'quoted'" },
      { name: "C", value: "it's" },
      { name: "D", value: '"' },
    ],
  });
  expect(run.warnings).toHaveLength(2);
  expect(run.warnings[0]).toContain("secret A ");
  expect(run.warnings[1]).toContain("secret B ");
});

test("an address with a password in it is refused without being shown", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({
    control_plane_url: "https://user:value-of-password@agents.example.com/?key=value-of-key",
  });
  expect(run.requests).toEqual([]);
  expect(run.errors[0]).toContain("control_plane_url must not hold a user name or password");
  expect(shown(run)).not.toContain("value-of");
});
