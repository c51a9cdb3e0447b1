import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { actionsLogin } from "../support/github/github-stand-in.ts";
import { previewOf7, taskOf7 } from "../support/preview-scenario.ts";
import {
  apiKey,
  bearerToken,
  type Canaries,
  clientSecret,
  echoesOf,
  githubToken,
} from "./support/canaries.ts";
import { leaksOf, startLeakScenario } from "./support/leak-scenario.ts";

describe("oauth-provider", () => {
  const held: Canaries = { apiKey, clientSecret, bearerToken };
  const inputs = {
    api_key: apiKey,
    bearer_token: bearerToken,
    client_secret: clientSecret,
    provider_id: "local-provider",
    clear: "code_challenge_method",
  };

  test("lets nothing out where the answer holds what was sent", async () => {
    const { emulator, run } = await startLeakScenario();
    const provider = {
      id: "1",
      organization_id: "2",
      provider_id: "local-provider",
      uses_pkce: true,
      created_at: "2026-01-01T00:00:00Z",
    };
    for (const text of echoesOf(held)) {
      const fields = ["name", "client_id", "auth_url", "token_url", "code_challenge_method", "updated_at"];
      const body = {
        ...provider,
        ...Object.fromEntries(fields.map((field) => [field, `${field} ${text}`])),
        client_secret: text,
        extra: { [text]: [text] },
      };
      emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, status: 200, body });
      const update = await run("oauth-provider", { inputs });
      expect(update.succeeded).toBe(true);
      expect(update.outputs.provider).toContain("***");
      expect(update.summary).toContain("***");
      expect(leaksOf(update)).toEqual([]);
    }
  });

  test("lets nothing out where the items of a 422 hold what was sent", async () => {
    const { emulator, run } = await startLeakScenario();
    const detail = echoesOf(held).map((text) => ({ loc: ["body", text.slice(0, 80)], msg: text, type: "x" }));
    emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, status: 422, body: { detail } });
    const update = await run("oauth-provider", { inputs });
    expect(update.errors.join("\n")).toContain("***");
    expect(leaksOf(update)).toEqual([]);
  });
});

describe("usage", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "leaks-"));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const inputs = (url: string) => ({
    api_key: apiKey,
    base_url: url,
    workspace_ids: "11111111-1111-4111-8111-111111111111",
    json_file: "usage.json",
    csv_file: "usage.csv",
  });

  test("lets nothing out where the report holds what was sent", async () => {
    const { emulator, run } = await startLeakScenario();
    const texts = echoesOf({ apiKey });
    const usage = texts.map((text, index) => ({
      time_bucket: index === 0 ? text : "2026-02-01T00:00:00Z",
      dimensions: { workspace_id: text, workspace_name: `name ${text}` },
      traces: 1,
    }));
    const body = { stride: { days: 1, hours: 0 }, usage };
    emulator.misbehave({ kind: "answer", match: { path: "usage$" }, status: 200, body });
    emulator.misbehave({
      kind: "answer",
      match: { path: "export$" },
      status: 403,
      body: { detail: texts[0] },
    });
    const report = await run("usage", { inputs: inputs(emulator.url), env: { GITHUB_WORKSPACE: folder } });
    expect(report.outputs.total_traces).toBe(String(texts.length));
    expect(report.summary).toContain("***");
    expect(report.errors.join("\n")).toContain("***");
    expect(leaksOf(report)).toEqual([]);
  });
});

describe("sweep and delete", () => {
  test("let nothing out where what is deleted fails with what was sent", async () => {
    const { emulator, open, preview, shut, run } = await startLeakScenario();
    const credentials = { api_key: apiKey, github_token: githubToken };
    open();
    await preview("opened", { inputs: credentials });
    shut();
    for (const text of echoesOf({ apiKey, githubToken })) {
      const refusal = { kind: "answer", match: { method: "DELETE", times: "always" }, status: 400 } as const;
      const heal = emulator.misbehave({ ...refusal, body: { detail: text } });
      const swept = await run("sweep", { inputs: credentials });
      const deleted = await run("delete", { inputs: { ...credentials, name: previewOf7 } });
      heal();
      for (const each of [swept, deleted]) {
        expect(each.errors.join("\n")).toContain("***");
        expect(leaksOf(each)).toEqual([]);
      }
    }
  });

  test("lets nothing out that a record holds", async () => {
    const { github, open, preview, run } = await startLeakScenario();
    const credentials = { api_key: apiKey, github_token: githubToken };
    open();
    await preview("opened", { inputs: credentials });
    const name = `x-${apiKey}`;
    const payload = { name, deployment_id: "gone", revision_id: "1", pull_request: 7 };
    github.records.add(
      { ref: "main", task: `preview:${name}`, environment: "Preview", payload },
      actionsLogin,
    );
    expect(github.deployments(taskOf7)).toHaveLength(1);
    const swept = await run("sweep", { inputs: { ...credentials, max_age_days: "1" } });
    expect(swept.outputs.kept).toContain(previewOf7);
    expect(leaksOf(swept)).toEqual([]);
  });
});
