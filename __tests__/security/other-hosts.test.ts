import { beforeEach, expect, test } from "@jest/globals";
import { answer } from "../support/faults.ts";
import { serve } from "../support/serve.ts";
import {
  bearerToken,
  clientSecret,
  deployCanaries,
  githubToken,
  leaksIn,
  plainEchoesOf,
} from "./support/canaries.ts";
import {
  credentials,
  leaksOf,
  secretInputs,
  sentToGitHub,
  startLeakScenario,
} from "./support/leak-scenario.ts";

/** A host that must get no secret, and the requests that it got, as text. */
let other: { readonly url: string; readonly requests: string[] };

beforeEach(async () => {
  const requests: string[] = [];
  const url = await serve(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push([`${request.method} ${request.url}`, ...request.rawHeaders, body].join("\n"));
    response.end("{}");
  });
  // The platform and GitHub are on 127.0.0.1, so not only the port differs.
  other = { url: url.replace("127.0.0.1", "localhost"), requests };
});

test.each([301, 302, 303, 307, 308])(
  "a redirect with %d takes no secret of the platform or of GitHub to another host",
  async (status) => {
    const { emulator, github, open, preview } = await startLeakScenario();
    const headers = { location: `${other.url}/elsewhere` };
    const redirect = { kind: "answer", status, headers } as const;
    emulator.addFault({ ...redirect, match: { method: "POST", times: "always" } });
    github.fail({ ...redirect, match: { times: "always" } });
    open();

    const run = await preview("opened", { inputs: secretInputs });

    expect([run.succeeded, ...leaksOf(run)]).toEqual([false]);
    expect(other.requests).toEqual([]);
  },
);

test("no action takes a secret to another host, although every request is redirected", async () => {
  const { emulator, run } = await startLeakScenario();
  const inputs = { ...secretInputs, name: "agent", client_secret: clientSecret, bearer_token: bearerToken };
  const others = { base_url: emulator.url, workspace_ids: "11111111-1111-4111-8111-111111111111" };
  const headers = { location: `${other.url}/elsewhere` };
  await run("deploy", { inputs });
  const match = { path: "^/api/|/revisions", times: "always" } as const;
  emulator.addFault(answer(match, 307, { headers }));
  for (const method of ["PATCH", "DELETE"]) {
    emulator.addFault({ kind: "answer", match: { ...match, method, path: "^/" }, status: 307, headers });
  }

  for (const action of ["deploy", "delete", "rollback", "oauth-provider", "usage"] as const) {
    const result = await run(action, { inputs: { ...inputs, ...others, provider_id: "local-provider" } });

    expect([result.succeeded, ...leaksOf(result)]).toEqual([false]);
  }
  expect(other.requests).toEqual([]);
});

test("the checks send no secret but agent_headers to the deployment's URL", async () => {
  const { emulator, run } = await startLeakScenario();
  const { outputs } = await run("deploy", { inputs: { name: "agent", ...secretInputs } });
  emulator.addFault(
    answer("GET ^/v2/deployments/[^/]+$", 200, {
      body: { id: outputs.deployment_id, url: other.url },
      times: "always",
    }),
  );
  emulator.addFault({ kind: "hide", match: { method: "PATCH" }, fields: ["active_revision_id"] });

  const result = await run("deploy", {
    inputs: {
      deployment_id: outputs.deployment_id ?? "",
      health_check_path: "/ok",
      agent_headers: "X-Agent: key of the agent",
      ...secretInputs,
    },
  });

  expect(result.outputs.outcome).toBe("deployed");
  expect(other.requests).toEqual(
    ["GET /ok", "GET /info", "GET /ok"].map((line) => expect.stringContaining(line)),
  );
  for (const request of other.requests) expect(request).toContain("key of the agent");
  expect(leaksIn(other.requests.join("\n"))).toEqual([]);
});

const smoke_tests = `
- { name: says, request: GET /ok, expect: { contains: "nothing like it", json: { /a: 1 } } }
- { name: runs, graph: agent, input: {}, expect: { contains: "nothing like it", matches: ^x } }
`;

test("the check action sends agent_headers to both agents, and no other secret, and no redirect takes them further", async () => {
  const { emulator, run } = await startLeakScenario({ platform: "langsmith" });
  await run("deploy", { inputs: { name: "agent", platform: "langsmith", ...secretInputs } });
  const url = `${emulator.url}/live/agent`;
  const location = `${other.url}/elsewhere`;
  emulator.addFault(answer("^/live/", 307, { headers: { location }, times: "always" }));

  const result = await run("check", {
    inputs: {
      ...secretInputs,
      deployment_url: url,
      compare_with_url: other.url,
      agent_headers: `X-Agent: ${bearerToken}`,
      health_check_path: "/ok",
      health_check_timeout_seconds: "1",
      smoke_tests,
    },
  });
  const compared = await run("check", {
    inputs: { ...secretInputs, deployment_url: url, compare_with_url: other.url, breaking_changes: "warn" },
  });

  expect([result.outputs.outcome, compared.outputs.outcome]).toEqual(["failed", "passed"]);
  expect([...leaksOf(result), ...leaksOf(compared)]).toEqual([]);
  expect(other.requests).toEqual([
    expect.stringContaining("GET /ok"),
    expect.stringContaining("POST /assistants/search"),
  ]);
  expect(leaksIn(other.requests.join("\n"))).toEqual([]);
});

test.each(["health_check_path", "serving_check", "smoke_tests"])(
  "an agent that repeats secrets in its response to %s leaks none",
  async (check) => {
    const { emulator, github, open, preview, run } = await startLeakScenario({ platform: "langsmith" });
    const inputs = {
      name: "agent",
      ...{ ...secretInputs, health_check_timeout_seconds: "1", agent_headers: `X-Agent: ${bearerToken}` },
      ...{ health_check_path: { health_check_path: "/ok" }, serving_check: { serving_check: "require" } }[
        check
      ],
      ...(check === "smoke_tests" && { smoke_tests, serving_check: "off" }),
    };
    open();

    for (const [index, text] of plainEchoesOf({ ...deployCanaries, bearerToken }).entries()) {
      const body =
        index % 2 === 0 ? text : { host: { host_revision_id: text }, __error__: { message: text } };
      const status = check === "health_check_path" ? 500 : 200;
      const heal = emulator.addFault(answer("^/live/", status, { body, times: "always" }));
      const result = await (index === 0
        ? preview("opened", { inputs: { ...inputs, name: "" } })
        : run("deploy", { inputs }));
      heal();

      expect(result.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
      expect(leaksOf(result)).toEqual([]);
    }
    expect(leaksIn(sentToGitHub({ github: github.requests }))).toEqual([]);
  },
);

test("GitHub gets no secret of the platform, and the platform no token of GitHub", async () => {
  const { emulator, github, open, preview, shut, run } = await startLeakScenario();
  open();
  await preview("opened", { inputs: secretInputs });
  await preview("synchronize", { inputs: secretInputs });
  shut();

  const swept = await run("sweep", { inputs: credentials });

  expect(swept.outputs.outcome).toBe("deleted");
  expect(github.requests.length).toBeGreaterThan(20);
  expect(leaksIn(sentToGitHub({ github: github.requests }))).toEqual([]);
  expect(leaksIn(JSON.stringify(emulator.requests), { githubToken })).toEqual([]);
});
