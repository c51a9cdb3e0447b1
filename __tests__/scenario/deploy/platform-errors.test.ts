import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { requestLines, startScenario } from "../../support/scenario.ts";

const html = { "content-type": "text/html" };
const item = (field: string, msg: string) => ({
  loc: ["body", "source_config", field],
  msg,
  type: "value_error",
});

describe("a create that is refused is not retried, and the error quotes the platform and names what to check:", () => {
  test.each([
    [400, { body: { detail: "Reserved secret name: PORT" } }, "Reserved secret name: PORT", "inputs"],
    [401, { body: { detail: "Invalid API key" } }, "Invalid API key", "api_key"],
    [403, { body: { detail: "No access" } }, "No access", "workspace_id"],
    [
      404,
      { headers: html, body: "<style>p{}</style><h1>Not</h1><p>Found</p>" },
      "<h1>Not</h1><p>Found</p>",
      "control_plane_url",
    ],
    [413, { body: { detail: "Too big" } }, "Too big", "secrets"],
    [418, { body: "just no" }, "just no", "control_plane_url"],
    [422, { body: { detail: [item("repo_url", "no URL")] } }, 'source_config.repo_url: "no URL"', "inputs"],
  ])("%i", async (status, response, quoted, hint) => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault({ kind: "answer", match: { method: "POST" }, status, ...response });

    const run = await deploy();

    expect(run.succeeded).toBe(false);
    expect(run.outputs).toEqual({
      name: "agent",
      outcome: "failed",
      message: expect.any(String),
      created: "false",
      duration_seconds: "0",
    });
    expect(requestLines(run.requests)).toEqual(["GET /v2/deployments 200", `POST /v2/deployments ${status}`]);
    expect(run.errors).toHaveLength(1);
    for (const fact of ["POST /v2/deployments", String(status), quoted])
      expect(run.errors[0]).toContain(fact);
    expect(run.errors[0]?.split(quoted)[1]).toContain(hint);
    expect(run.summary).toContain("## ❌ Deployment `agent`: failed");
    expect(run.summary).toContain("**What to do next:**");
  });
});

test("each item of a 422 is an annotation and an entry of the summary's list", async () => {
  const { deploy, emulator } = await startScenario();
  const fields = ["repo_url", "integration_id", "resource_spec"];
  const detail = fields.map((field) => item(field, `${field} is bad`));
  emulator.addFault(answer("POST", 422, { body: { detail } }));

  const run = await deploy();

  const sentences = fields.map((field) => `body.source_config.${field}: "${field} is bad".`);
  expect(run.errors).toEqual(sentences);
  expect(run.outputs.message).toMatch(new RegExp(`${RegExp.escape(sentences.join(" "))}$`));
  expect(run.log).toMatch(/422.* inputs/);
  expect(run.summary).toMatch(/> \[!CAUTION\]\n> .*`POST \/v2\/deployments`.*422/);
  for (const field of fields) expect(run.summary).toContain(`> - \`body.source_config.${field}\``);
});

test.each(["deploy", "rollback"] as const)("an invalid ID is one of no deployment (%s)", async (action) => {
  const { emulator, run } = await startScenario();
  const detail = [
    { loc: ["path", "deployment_id"], msg: "Input should be a valid UUID", type: "uuid_parsing" },
  ];
  emulator.addFault(answer("GET /v2/deployments/agent$", 422, { body: { detail } }));

  const { errors } = await run(action, { inputs: { deployment_id: "agent" } });

  expect(errors).toEqual([expect.stringMatching(/no deployment agent\. .*deployment_id, which takes an ID/)]);
});

test("a key that the platform does not know is an error after one request", async () => {
  const { deploy } = await startScenario();

  const run = await deploy({ api_key: "wrong-key" });

  expect(run.errors).toEqual([expect.stringMatching(/40[13].*(api_key|workspace_id)/)]);
  expect(run.requests).toHaveLength(1);
});
