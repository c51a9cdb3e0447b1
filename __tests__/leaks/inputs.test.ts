import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ActionName } from "../../src/run.ts";
import { apiKey, githubToken } from "./support/canaries.ts";
import { leaksOf, startLeakScenario } from "./support/leak-scenario.ts";

/** In every content of this file, whatever becomes of it; the action isn't told that it is a secret. */
const canary = "canary";
const credentials = { api_key: apiKey, github_token: githubToken };

async function said(action: ActionName, inputs: Record<string, string>): Promise<string> {
  const { run } = await startLeakScenario();
  const { succeeded, log, summary, outputs, github, requests } = await run(action, {
    inputs: { ...credentials, name: "agent", ...inputs },
  });
  expect(succeeded).toBe(false);
  expect(requests).toEqual([]);
  expect(github.filter(({ method }) => method !== "GET")).toEqual([]);
  return [log, summary, JSON.stringify(outputs)].join("\n");
}

describe("malformed secrets are told without their content", () => {
  test.each([
    ["a value alone", "canary-0001"],
    ["a value that ends like an empty one", "canaryAbCd0001="],
    ["two of them, the same", "canaryAbCd0001=x\ncanaryAbCd0001=x"],
    [
      "a value of several lines without a delimiter",
      "KEY=-----BEGIN canary-----\ncanaryAbCd+/0001\n-----END",
    ],
    ["a value that is never closed", "KEY<<EOF\ncanary-0001\n"],
    ["a value closed by something else", "KEY<<EOF\ncanary-0001\n EOF"],
    ["a delimiter that is a value", "KEY<<canary-0001\nx"],
    ["a name that is a value", "canary-0001!=x"],
    ["YAML", "KEY: canary-0001\nOTHER: 'canary=0002'"],
    ["JSON that is cut", '{"KEY": "canary-0001'],
    ["JSON with a comma too much", '{"KEY": "canary-0001",}'],
    ["JSON in JSON", '{"KEY": {"INNER": "canary-0001"}}'],
    ["JSON with a list", '{"KEY": ["canary-0001"]}'],
    ["JSON whose name is a value", '{"canary-0001": "x"}'],
    ["two JSON objects", '{"KEY": "canary-0001"}{"KEY": "canary-0002"}'],
    ["toJSON(secrets)", '{"KEY": "canary-0001", "github_token": "canary-0002"}'],
  ])("%s", async (_what, secrets) => {
    expect(await said("deploy", { secrets })).not.toContain(canary);
  });

  test("whatever they look like", async () => {
    const piece = fc.constantFrom(
      ...[
        "canary0001",
        "KEY=",
        "KEY<<E",
        "\n",
        "\r\n",
        "\r",
        "E",
        "{",
        "}",
        '"',
        ":",
        ",",
        "=",
        " ",
        "#",
        "\\",
        "[",
        "<<",
        "'",
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        // The last line makes every input a wrong one.
        const secrets = pieces.join("");
        const wrong = secrets.trimStart().startsWith("{") ? `${secrets}"` : `${secrets}\nno equals sign`;
        expect(await said("deploy", { secrets: wrong })).not.toContain(canary);
      }),
      { numRuns: 150 },
    );
  });
});

describe("an input that may hold a secret by mistake isn't quoted", () => {
  test.each([
    ["deploy", { control_plane_url: "https://user:canary-0001@agents.example.com" }],
    ["deploy", { control_plane_url: "https://agents.example.com/?key=canary-0001" }],
    ["deploy", { control_plane_url: "https://agents.example.com/#canary-0001" }],
    ["deploy", { control_plane_url: "canary-0001" }],
    ["deploy", { control_plane_url: "http://canary-0001.example.com/" }],
    ["usage", { base_url: "https://canary-0001@agents.example.com", workspace_ids: "x" }],
    ["deploy", { api_key: "canary 0001" }],
    ["deploy", { api_key: "canary\n0001" }],
    ["deploy", { workspace_id: "canary 0001" }],
    ["deploy", { resource_spec: '{"env": {"KEY": "canary-0001"}' }],
    ["deploy", { resource_spec: "canary-0001" }],
    ["oauth-provider", { provider_id: "x", auth_url: "canary-0001", client_secret: "canary-0002" }],
    ["oauth-provider", { provider_id: "x", bearer_token: "canary 0001" }],
  ] as const)("%s %o", async (action, inputs) => {
    expect(await said(action, inputs)).not.toContain(canary);
  });
});

describe("a known secret in the wrong input isn't quoted", () => {
  test.each([
    "allow_http",
    "wait",
    "dry_run",
    "build_on_push",
    "timeout_seconds",
    "poll_interval_seconds",
    "request_timeout_seconds",
    "platform",
    "region",
    "repo_url",
  ])("deploy: %s", async (input) => {
    for (const secret of [apiKey, githubToken]) {
      const { run } = await startLeakScenario();
      const result = await run("deploy", { inputs: { ...credentials, name: "agent", [input]: secret } });
      expect(result.succeeded).toBe(false);
      expect(leaksOf(result)).toEqual([]);
    }
  });

  test.each([
    ["preview", "name_max_length"],
    ["preview", "comment"],
    ["sweep", "max_age_days"],
    ["sweep", "dry_run"],
    ["usage", "workspace_ids"],
    ["usage", "start_time"],
    ["usage", "end_time"],
    ["usage", "group_by"],
    ["usage", "max_traces"],
    ["oauth-provider", "clear"],
    ["oauth-provider", "uses_pkce"],
  ] as const)("%s: %s", async (action, input) => {
    const { run, open, preview, emulator } = await startLeakScenario();
    open();
    const inputs = { ...credentials, base_url: emulator.url, provider_id: "x", [input]: apiKey };
    const result = action === "preview" ? await preview("opened", { inputs }) : await run(action, { inputs });
    expect(result.succeeded).toBe(false);
    expect(leaksOf(result)).toEqual([]);
  });
});

test("a password in repo_url isn't shown where the deployment turns out to be another repository's", async () => {
  const { emulator, open, preview, run } = await startLeakScenario();
  open();
  const elsewhere = {
    name: "octo-repo-pr-7",
    repo_url: "https://github.com/octo-org/other",
    repo_ref: "main",
  };
  await run("deploy", { inputs: { ...credentials, ...elsewhere } });
  const repo_url = "https://x-access-token:canary-0001@github.com/octo-org/octo-repo";
  const result = await preview("opened", { inputs: { ...credentials, repo_url, repo_ref: "main" } });
  expect(result.errors.join("\n")).toContain("https://***@github.com/octo-org/octo-repo");
  expect(emulator.deployments()).toHaveLength(1);
  expect([result.log, result.summary, JSON.stringify(result.github)].join("\n")).not.toContain(canary);
});

test("a dry run shows no password that stands in an address", async () => {
  const { run } = await startLeakScenario();
  const inputs = {
    repo_url: "https://x-access-token:canary-0001@github.com/octo-org/octo-repo",
    custom_url: "https://user:canary-0002@agents.example.com/",
    repo_ref: "main",
    secrets: "KEY=canary-0003",
    dry_run: "true",
  };
  const result = await run("deploy", { inputs: { ...credentials, name: "agent", ...inputs } });
  expect(result.outputs.outcome).toBe("planned");
  expect(result.log).toContain("github.com/octo-org/octo-repo");
  expect([result.log, result.summary].join("\n")).not.toContain(canary);
});
