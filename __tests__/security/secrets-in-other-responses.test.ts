import { expect, test } from "@jest/globals";
import { addRecord } from "../scenario/sweep/support.ts";
import { answer } from "../support/faults.ts";
import { previewOf7 } from "../support/scenario.ts";
import {
  apiKey,
  bearerToken,
  clientSecret,
  echoesOf,
  githubToken,
  plainEchoesOf,
} from "./support/canaries.ts";
import { credentials, leaksOf, startLeakScenario } from "./support/leak-scenario.ts";

test("oauth-provider shows no secret that the platform sends back in the fields of the provider", async () => {
  const held = { apiKey, clientSecret, bearerToken };
  const inputs = {
    api_key: apiKey,
    bearer_token: bearerToken,
    client_secret: clientSecret,
    provider_id: "local-provider",
  };
  const { emulator, run } = await startLeakScenario();
  const fields = ["name", "client_id", "auth_url", "token_url", "code_challenge_method", "updated_at"];

  for (const text of plainEchoesOf(held)) {
    const body = {
      ...{ id: "1", organization_id: "2", provider_id: "local-provider", uses_pkce: true },
      created_at: "2026-01-01T00:00:00Z",
      ...Object.fromEntries(fields.map((field) => [field, `${field} ${text}`])),
      client_secret: text,
      extra: { [text]: [text] },
    };
    emulator.addFault(answer("PATCH", 200, { body }));
    const update = await run("oauth-provider", { inputs });

    expect(update.outputs.provider).toContain("***");
    expect(update.summary).toContain("***");
    expect(leaksOf(update)).toEqual([]);
  }
});

test("usage shows no secret that the platform sends back in its report or a refusal", async () => {
  const { emulator, run } = await startLeakScenario();
  const texts = echoesOf({ apiKey });
  const usage = texts.map((text, index) => ({
    time_bucket: index === 0 ? text : "2026-02-01T00:00:00Z",
    dimensions: { workspace_id: text, workspace_name: `name ${text}` },
    traces: 1,
  }));
  const report = { stride: { days: 1, hours: 0 }, usage };
  emulator.addFault(answer("usage$", 200, { body: report }));
  emulator.addFault(answer("export$", 403, { body: { detail: texts[0] } }));
  const inputs = {
    api_key: apiKey,
    base_url: emulator.url,
    workspace_ids: "11111111-1111-4111-8111-111111111111",
    csv_file: "usage.csv",
  };

  const result = await run("usage", { inputs, env: { GITHUB_WORKSPACE: "/nonexistent" } });

  expect(result.outputs.total_traces).toBe(String(texts.length));
  expect(result.summary).toContain("***");
  expect(result.errors.join("\n")).toContain("***");
  expect(leaksOf(result)).toEqual([]);
});

test("sweep and delete show no secret that the platform sends back in a refusal", async () => {
  const { emulator, open, preview, shut, run } = await startLeakScenario();
  open();
  await preview("opened", { inputs: credentials });
  shut();

  for (const detail of plainEchoesOf({ apiKey, githubToken })) {
    const heal = emulator.addFault(answer("DELETE", 400, { body: { detail }, times: "always" }));
    const swept = await run("sweep", { inputs: credentials });
    const deleted = await run("delete", { inputs: { ...credentials, name: previewOf7 } });
    heal();

    for (const each of [swept, deleted]) {
      expect(each.errors.join("\n")).toContain("***");
      expect(leaksOf(each)).toEqual([]);
    }
  }
});

test("rollback shows no secret that the platform sends back in a refusal, or in a revision and its log", async () => {
  const { emulator, run } = await startLeakScenario({ platform: "langsmith", statusSeconds: 0 });
  const inputs = { ...credentials, platform: "langsmith", name: "agent", environment: "staging" };
  const deploy = () => run("deploy", { inputs: { ...inputs, integration_id: "" } });
  await deploy();
  await deploy();

  for (const text of plainEchoesOf({ apiKey, githubToken })) {
    emulator.addFault(answer("/redeploy$", 400, { body: { detail: text } }));
    const refused = await run("rollback", { inputs });
    const sequence = [{ status: `DEPLOY_FAILED ${text}`, message: text }];
    const heal = [
      emulator.addFault({ kind: "statuses", redeployed: true, sequence }),
      emulator.addFault({ kind: "logs", type: "deploy", lines: [text] }),
    ];
    const failed = await run("rollback", { inputs });
    for (const remove of heal) remove();

    for (const each of [refused, failed]) {
      expect(each.errors.join("\n")).toContain("***");
      expect(leaksOf(each)).toEqual([]);
    }
  }
});

test("sweep shows no secret that a record contains", async () => {
  const scenario = await startLeakScenario();
  addRecord(scenario, { deploymentId: "gone", name: `x-${apiKey}`, pullRequest: 7 });

  const swept = await scenario.run("sweep", { inputs: { ...credentials, max_age_days: "1" } });

  expect(swept.log).toContain("x-***");
  expect(leaksOf(swept)).toEqual([]);
});
