import { describe, expect, test } from "@jest/globals";
import { expectError, type Inputs, type ScenarioRun, startScenario, writes } from "../../support/scenario.ts";

/** Everything that a run shows anywhere. */
function shown(run: ScenarioRun): string {
  return [run.log, run.summary, ...Object.values(run.outputs)].join("\n");
}

test("every invalid input is an annotation, and nothing is requested", async () => {
  const { deploy, emulator } = await startScenario();

  const run = await deploy({
    control_plane_url: "http://agents.example.com",
    api_key: "",
    workspace_id: "a b",
    name: "",
    build_on_push: "yes",
    resource_spec: "[1]",
    wait: "1",
    timeout_seconds: "-1",
    poll_interval_seconds: "soon",
    request_timeout_seconds: "0",
    dry_run: "nope",
    allow_http: "on",
    secrets: "NO-GOOD=1\nA=1\nA=2",
    repo_url: "https://github.com/someone/else",
  });

  expect(run.succeeded).toBe(false);
  expect(emulator.requests).toEqual([]);
  expect(run.outputs).toEqual({
    outcome: "failed",
    message: expect.any(String),
    created: "false",
    duration_seconds: "0",
  });
  expect(run.errors.map((text) => /^Input (\w+) /.exec(text)?.[1]).sort()).toEqual([
    "allow_http",
    "api_key",
    "build_on_push",
    "control_plane_url",
    "dry_run",
    "name",
    "poll_interval_seconds",
    "repo_ref",
    "request_timeout_seconds",
    "resource_spec",
    "secrets",
    "secrets",
    "timeout_seconds",
    "wait",
    "workspace_id",
  ]);
  for (const error of run.errors) expect(run.summary.replaceAll("`", "")).toContain(error.slice(0, 20));
});

test.each<[string, Inputs]>([
  ["api_key", { api_key: "" }],
  ["workspace_id", { workspace_id: "" }],
  ["control_plane_url", { control_plane_url: "" }],
  ["secrets", { secrets: "TOKEN=" }],
  ["agent_headers", { agent_headers: "X-Api-Key: " }],
])(
  "a secret or variable that does not exist is an error that says where to add it (%s)",
  async (name, inputs) => {
    const { deploy, emulator } = await startScenario();

    const { errors } = await deploy(inputs);

    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(name);
    expect(errors[0]).toContain("Settings → Secrets and variables → Actions");
    expect(emulator.requests).toEqual([]);
  },
);

test.each<[string, Inputs, Inputs, RegExp]>([
  ["a value", { wait: "maybe" }, {}, /^Input wait .*"maybe".*with:/],
  ["an id that would lead to another path", { deployment_id: ".." }, {}, /^Input deployment_id /],
  ["a missing ref", {}, { GITHUB_REF: "refs/pull/7/merge" }, /^Input repo_ref /],
])("a single problem is one annotation that names the input: %s", async (_what, inputs, env, message) => {
  const { deploy, emulator } = await startScenario();

  const run = await deploy(inputs, env);

  expect(emulator.requests).toEqual([]);
  expect(run.errors).toEqual([expect.stringMatching(message)]);
});

test("a misspelled platform is one problem, whatever else it would lack", async () => {
  const { deploy, emulator } = await startScenario({ platform: "langsmith" });

  const run = await deploy({ platform: "langsmit", source_path: ".", build_log: "live" });

  expectError(run, 'Input platform must be standard or langsmith, not "langsmit".', "Correct platform");
  expect(run.errors).toHaveLength(1);
  expect(emulator.requests).toEqual([]);
});

describe("secrets", () => {
  test("are sent as they are, masked and shown nowhere", async () => {
    const { deploy, stored } = await startScenario({ statusSeconds: 0 });

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
    expect(stored().secrets.map(({ name }) => name)).toEqual(["PLAIN", "ODD", "KEY", "SHORT"]);
    for (const value of ["plain-value-1", "#odd=value", "first-line", "last-line"]) {
      expect(shown(run)).not.toContain(value);
      expect(run.masks).toContain(value);
    }
    expect(run.masks).not.toContain("abc");
    expect(run.masks).not.toContain("");
  });

  test.each([
    [
      "lines",
      [
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
      ["in line 1.", "in line 2.", ...[3, 4, 5, 7, 8, 9].map((line) => `(line ${line})`)],
    ],
    [
      "JSON",
      '{"A": 7001, "github_token": "value-of-token", "EMPTY": "", "B": {"c": "value-of-c"}, "D": "value-1", "D": "value-2"}',
      ["(A)", "(github_token)", "(EMPTY)", "(B)", "(line 1)"],
    ],
  ])(
    "with problems are reported by their places, never by their content (%s)",
    async (_form, secrets, places) => {
      const { deploy, emulator } = await startScenario();

      const run = await deploy({ secrets });

      expect(emulator.requests).toEqual([]);
      expect(run.errors).toHaveLength(places.length);
      for (const place of places) expect(run.errors.filter((text) => text.includes(place))).toHaveLength(1);
      expect(shown(run)).not.toMatch(/PRIVATE|MIIEvAIB|c2VjcmV0|value-|7001/);
    },
  );

  test("in quotes are sent with them, with a warning that names each", async () => {
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
    expect(run.warnings).toEqual([expect.stringMatching(/\bA\b/), expect.stringMatching(/\bB\b/)]);
  });
});

describe("secrets of several lines without a delimiter", () => {
  test.each([
    [
      "a private key",
      "DEPLOY_KEY=-----BEGIN SYNTHETIC KEY-----\nc3ludGhldGljLW9uZQ\n-----END SYNTHETIC KEY-----",
      2,
    ],
    ["JSON", 'PLAIN=x12345\nACCOUNT={\n  "kind": "synthetic-account"\n}', 3],
  ])("such as %s are an error that says how to write them", async (_what, secrets, line) => {
    const { deploy } = await startScenario();

    const run = await deploy({ secrets });

    expect(run.errors[0]).toContain(`has no = in line ${line}.`);
    expect(run.errors[0]).toContain("NAME<<END");
    expect(run.log).not.toMatch(/c3ludGhldGlj|synthetic-account/);
    expect(run.requests).toEqual([]);
  });
});

test.each(["/v2", "/v2/", "/v1", "/"])("a base address that ends in %s is asked below it", async (end) => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({ control_plane_url: `${emulator.url}/api-host${end}` });

  expect(run.outputs.outcome).toBe("deployed");
  expect(writes(run.requests).map(({ path }) => path)).toEqual(["/api-host/v2/deployments"]);
});

test("an input that is empty says what runs of Dependabot get", async () => {
  const { deploy } = await startScenario();

  const run = await deploy({ workspace_id: "" });

  expectError(run, "workspace_id is missing or empty", "only the secrets under Dependabot");
});
