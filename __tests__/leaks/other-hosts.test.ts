import { beforeEach, describe, expect, test } from "@jest/globals";
import { GitHub } from "../../src/github/client.ts";
import { withRedaction } from "../../src/redacting-context.ts";
import { previewOf7 } from "../support/preview-scenario.ts";
import { recordingContext } from "../support/recording-context.ts";
import { serve } from "../support/serve.ts";
import { apiKey, bearerToken, clientSecret, githubToken, leaksIn } from "./support/canaries.ts";
import { leaksOf, secretInputs, startLeakScenario } from "./support/leak-scenario.ts";

/** A host that nothing may be sent to but what is asked of it: what it got, as text. */
interface OtherHost {
  readonly url: string;
  readonly got: string[];
}

let other: OtherHost;

beforeEach(async () => {
  const got: string[] = [];
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    got.push([`${request.method} ${request.url}`, ...request.rawHeaders, body].join("\n"));
    response.end("{}");
  });
  // The platform and GitHub are on 127.0.0.1: what differs is the name, and not the port alone.
  other = { url: url.replace("127.0.0.1", "localhost"), got };
});

const redirects = [301, 302, 303, 307, 308];

describe("no redirect takes a secret to another host", () => {
  test.each([
    ["a look for the name", "GET", "^/v2/deployments$"],
    ["a create", "POST", "^/v2/deployments$"],
    ["a look at the revision", "GET", "/revisions/"],
  ])("of %s", async (_what, method, path) => {
    const { emulator, run } = await startLeakScenario();
    for (const status of redirects) {
      const headers = { location: `${other.url}/v2/deployments` };
      const match = { method, path, times: "always" } as const;
      const heal = emulator.misbehave({ kind: "answer", match, status, headers });
      const deploy = await run("deploy", {
        inputs: { name: `agent-${status}`, timeout_seconds: "10", ...secretInputs },
      });
      heal();
      expect(deploy.succeeded).toBe(false);
      expect(leaksOf(deploy)).toEqual([]);
    }
    expect(other.got).toEqual([]);
  });

  test("of an update, a deletion, an OAuth provider or a usage report", async () => {
    const { emulator, run } = await startLeakScenario();
    await run("deploy", { inputs: { name: previewOf7, ...secretInputs } });
    for (const status of redirects) {
      const headers = { location: `${other.url}/elsewhere` };
      const heal = ["PATCH", "DELETE"].map((method) =>
        emulator.misbehave({ kind: "answer", match: { method, times: "always" }, status, headers }),
      );
      heal.push(
        emulator.misbehave({ kind: "answer", match: { path: "^/api/", times: "always" }, status, headers }),
      );
      const credentials = { api_key: apiKey, github_token: githubToken };
      const provider = {
        provider_id: "local-provider",
        client_secret: clientSecret,
        bearer_token: bearerToken,
      };
      const usage = { base_url: emulator.url, workspace_ids: "11111111-1111-4111-8111-111111111111" };
      const runs = [
        await run("deploy", { inputs: { name: previewOf7, ...secretInputs } }),
        await run("delete", { inputs: { ...credentials, name: previewOf7 } }),
        await run("oauth-provider", { inputs: { ...credentials, ...provider } }),
        await run("usage", { inputs: { ...credentials, ...usage } }),
      ];
      for (const undo of heal) undo();
      for (const each of runs) {
        expect(each.succeeded).toBe(false);
        expect(leaksOf(each)).toEqual([]);
      }
    }
    expect(other.got).toEqual([]);
  });

  test("of GitHub: its token stays there", async () => {
    const { github, open, preview } = await startLeakScenario();
    open();
    for (const status of redirects) {
      const headers = { location: `${other.url}/elsewhere` };
      const heal = github.fail({ kind: "answer", match: { times: "always" }, status, headers });
      await preview("opened", { inputs: secretInputs });
      heal();
    }
    expect(leaksIn(other.got.join("\n"))).toEqual([]);
  });
});

test("the deployment's own address is asked for its health without any secret", async () => {
  const { emulator, run } = await startLeakScenario();
  const { outputs } = await run("deploy", { inputs: { name: "agent", ...secretInputs } });
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments/[^/]+$", times: "always" },
    status: 200,
    body: { id: outputs.deployment_id, url: other.url },
  });
  const deploy = await run("deploy", {
    inputs: { name: "agent", health_check_path: "/ok", ...secretInputs },
  });
  expect(deploy.outputs.outcome).toBe("deployed");
  expect(other.got).toHaveLength(1);
  expect(other.got[0]).toContain("GET /ok");
  expect(leaksIn(other.got.join("\n"))).toEqual([]);
});

test("GitHub gets its own token and no other secret", async () => {
  const { github, open, preview, shut, run } = await startLeakScenario();
  open();
  await preview("opened", { inputs: secretInputs });
  await preview("synchronize", { inputs: secretInputs });
  shut();
  const swept = await run("sweep", { inputs: { api_key: apiKey, github_token: githubToken } });
  expect(swept.outputs.outcome).toBe("deleted");
  expect(github.requests.length).toBeGreaterThan(20);
  const sent = github.requests.map(({ path, query, body, headers }) =>
    JSON.stringify([path, query, body, headers]),
  );
  expect(leaksIn(sent.join("\n"))).toEqual([]);
});

test("what is written on GitHub loses a secret even where nobody thought of it", async () => {
  const { github, open } = await startLeakScenario();
  open();
  const env = { INPUT_API_KEY: apiKey, GITHUB_API_URL: github.url };
  const settings = { token: githubToken, repository: "octo-org/octo-repo", requestTimeoutMs: 5000 };
  const client = new GitHub(settings, withRedaction(recordingContext(env)));
  await client.comments.create(7, `The platform says ${apiKey}`);
  expect(github.comments(7).map(({ body }) => body)).toEqual(["The platform says ***"]);
  const payload = { deployment_id: apiKey, revision_id: "1" };
  const record = { task: "deploy:x", environment: "staging", transient: false, production: false, payload };
  const id = await client.records.create({ ref: "main", ...record });
  expect(github.deployments()[0]?.payload).toEqual({ deployment_id: "***", revision_id: "1" });
  const status = { state: "success", description: apiKey, logUrl: "https://github.com/x" } as const;
  await client.records.setState(id ?? 0, {
    ...status,
    environmentUrl: `https://x.example/?k=${encodeURIComponent(apiKey)}`,
  });
  const [shown] = github.statuses(id ?? 0);
  expect(shown).toMatchObject({ description: "***", environmentUrl: "https://x.example/?k=***" });
});
