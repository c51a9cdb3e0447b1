import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ActionName } from "../../src/run.ts";
import type { Inputs, Scenario } from "../support/scenario.ts";
import { apiKey } from "./support/canaries.ts";
import { credentials, leaksOf, sentToGitHub, startLeakScenario } from "./support/leak-scenario.ts";

/** In every content of this file. The action does not know that it is a secret. */
const canary = "canary";

/** Runs an action that refuses these inputs without a write, and returns all that it shows. */
async function showRefusal({ run }: Scenario, action: ActionName, inputs: Inputs): Promise<string> {
  const result = await run(action, { inputs: { ...credentials, name: "agent", ...inputs } });
  expect(result.succeeded).toBe(false);
  expect(result.requests).toEqual([]);
  expect(result.github.filter(({ method }) => method !== "GET")).toEqual([]);
  return [result.log, result.summary, JSON.stringify(result.outputs)].join("\n");
}

describe("malformed secrets are refused without a request, and not shown", () => {
  test.each([
    ["a value alone", "canaryAbCd0001="],
    ["lines without a delimiter", "KEY=-----BEGIN canary-----\ncanaryAbCd+/0001\n-----END"],
    ["a delimiter that is a value", "KEY<<canary-0001\nx"],
    ["a name that is a value", "canary-0001!=x"],
    ["YAML", "KEY: canary-0001\nOTHER: 'canary=0002'"],
    ["JSON that is cut", '{"KEY": "canary-0001'],
    ["JSON in JSON", '{"KEY": {"INNER": ["canary-0001"]}}'],
    ["JSON whose name is a value", '{"canary-0001": "x"}'],
    ["two JSON objects", '{"KEY": "canary-0001"}{"KEY": "canary-0002"}'],
    ["toJSON(secrets)", '{"KEY": "canary-0001", "github_token": "canary-0002"}'],
  ])("if they are %s", async (_what, secrets) => {
    const shown = await showRefusal(await startLeakScenario(), "deploy", { secrets });

    expect(shown).toContain("secrets");
    expect(shown).not.toContain(canary);
  });

  test("if they are any mixture of their parts", async () => {
    const parts = ["canary0001", "KEY=", "KEY<<E", "\n", "\r\n", "\r", "E", "<<", ..."{}[]\":,= #\\'"];
    const scenario = await startLeakScenario();

    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), async (pieces) => {
        const secrets = pieces.join("");
        const wrong = secrets.trimStart().startsWith("{") ? `${secrets}"` : `${secrets}\nno equals sign`;
        const shown = await showRefusal(scenario, "deploy", { secrets: wrong });

        expect(shown).not.toContain(canary);
      }),
    );
  });
});

test.each<[ActionName, string, Inputs]>([
  ["deploy", "a password", { control_plane_url: "https://user:canary-0001@agents.example.com" }],
  ["deploy", "a query", { control_plane_url: "https://agents.example.com/?key=canary-0001" }],
  ["deploy", "a fragment", { control_plane_url: "https://agents.example.com/#canary-0001" }],
  ["deploy", "no URL", { control_plane_url: "canary-0001" }],
  ["deploy", "a host over HTTP", { control_plane_url: "http://canary-0001.example.com/" }],
  ["usage", "a user name", { base_url: "https://canary-0001@agents.example.com", workspace_ids: "x" }],
  ["deploy", "a blank", { api_key: "canary 0001" }],
  ["deploy", "a line end", { api_key: "canary\n0001" }],
  ["deploy", "a blank", { workspace_id: "canary 0001" }],
  ["deploy", "broken JSON", { resource_spec: '{"env": {"KEY": "canary-0001"}' }],
  ["deploy", "no JSON", { resource_spec: "canary-0001" }],
  ["oauth-provider", "no URL", { provider_id: "x", auth_url: "canary-0001", client_secret: "canary-0002" }],
  ["oauth-provider", "a blank", { provider_id: "x", bearer_token: "canary 0001" }],
])(
  "%s refuses an input that may hold a secret without showing it: %s in %p",
  async (action, _what, inputs) => {
    const shown = await showRefusal(await startLeakScenario(), action, inputs);

    expect(shown).not.toContain(canary);
  },
);

test.each<[ActionName, string]>([
  ["deploy", "allow_http wait dry_run build_on_push timeout_seconds poll_interval_seconds"],
  ["deploy", "request_timeout_seconds platform region repo_url"],
  ["preview", "name_max_length comment"],
  ["sweep", "max_age_days dry_run"],
  ["usage", "workspace_ids start_time end_time group_by max_traces"],
  ["oauth-provider", "clear uses_pkce"],
])("%s shows no secret that was put into one of the inputs %s by mistake", async (action, inputs) => {
  const { run, open, emulator, github } = await startLeakScenario();
  open();
  const { event } = github.pullRequestRun(7, "opened");
  const others = { ...credentials, name: "agent", base_url: emulator.url, provider_id: "x" };

  for (const input of inputs.split(" ")) {
    const given = { inputs: { ...others, [input]: apiKey }, ...(action === "preview" && { event }) };
    const result = await run(action, given);

    expect(result.errors.join("\n")).toContain(input);
    expect([result.succeeded, ...leaksOf(result)]).toEqual([false]);
  }
});

test("a password in repo_url is not shown if the deployment belongs to another repository", async () => {
  const { emulator, open, preview, run } = await startLeakScenario();
  const other = {
    name: "octo-repo-7739a-pr-7",
    repo_url: "https://github.com/octo-org/other",
    repo_ref: "main",
  };
  const repo_url = "https://x-access-token:canary-0001@github.com/octo-org/octo-repo";
  await run("deploy", { inputs: { ...credentials, ...other } });
  open();

  const result = await preview("opened", { inputs: { ...credentials, repo_url, repo_ref: "main" } });

  expect(result.errors.join("\n")).toContain("https://***@github.com/octo-org/octo-repo");
  expect(emulator.deployments()).toHaveLength(1);
  expect([result.log, result.summary, sentToGitHub(result)].join("\n")).not.toContain(canary);
});

test("a dry run shows neither a password in a URL nor a value of secrets", async () => {
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
