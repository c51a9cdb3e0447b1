import { describe, expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";
import { elements, outsideCode } from "../../unit/support/rendered.ts";

const html = { "content-type": "text/html" };
const item = (field: string, msg: string) => ({
  loc: ["body", "source_config", field],
  msg,
  type: "value_error",
});

describe("a create that the platform refuses is told in its own words, with a hint", () => {
  test.each([
    [
      "400 with text",
      400,
      { body: { detail: "Reserved secret name: PORT" } },
      "Reserved secret name: PORT.",
      "inputs",
    ],
    ["401 with text", 401, { body: { detail: "Invalid API key" } }, "Invalid API key.", "api_key"],
    [
      "403 with text",
      403,
      { body: { detail: "requires workspace specification" } },
      "requires workspace specification.",
      "workspace_id",
    ],
    [
      "404 with text",
      404,
      { body: { detail: "No such integration" } },
      "No such integration.",
      "deployment_id",
    ],
    ["413 with text", 413, { body: { detail: "Too big" } }, "Too big.", "secrets"],
    [
      "422 with text",
      422,
      { body: { detail: "The name is too long" } },
      "The name is too long.",
      "inputs of the names that it gives",
    ],
    [
      "422 with one item",
      422,
      { body: { detail: [item("repo_url", "not a URL")] } },
      "body.source_config.repo_url: not a URL.",
      "inputs of the names that it gives",
    ],
    [
      "422 with an empty list",
      422,
      { body: { detail: [] } },
      '{"detail":[]}.',
      "inputs of the names that it gives",
    ],
    [
      "400 with other JSON",
      400,
      { body: { error: "nope", code: 7 } },
      '{"error":"nope","code":7}.',
      "inputs",
    ],
    [
      "404 with HTML",
      404,
      { headers: html, body: "<html><style>p{}</style><h1>Not</h1><p>Found</p></html>" },
      "Not Found.",
      "control_plane_url",
    ],
    [
      "400 with HTML",
      400,
      { headers: html, body: "<!doctype html><p>Bad\nRequest</p>" },
      "Bad Request.",
      "inputs",
    ],
    ["403 without a body", 403, {}, "(no text).", "workspace_id"],
    ["400 with plain text", 400, { body: "just no!" }, "just no!", "inputs"],
    ["418", 418, { body: { detail: "teapot" } }, "teapot.", "control_plane_url"],
  ])("%s", async (_what, status, answer, words, hint) => {
    const { deploy, emulator } = await startScenario();
    emulator.misbehave({ kind: "answer", match: { method: "POST" }, status, ...answer });
    const run = await deploy();
    expect(run.succeeded).toBe(false);
    expect(run.outputs).toEqual({ outcome: "failed", created: "false", duration_seconds: "0" });
    expect(run.errors).toHaveLength(1);
    expect(run.errors[0]?.startsWith(`POST /v2/deployments was answered with ${status}: ${words}`)).toBe(
      true,
    );
    expect(run.errors[0]?.split(words)[1]).toContain(hint);
    expect(run.summary).toContain("## ❌ Deployment `agent`: failed");
    expect(run.summary).toContain("**What to do next:**");
  });
});

test("each item of a 422 is an annotation that tells of the request and what to look at", async () => {
  const { deploy, emulator } = await startScenario();
  const fields = ["repo_url", "integration_id", "resource_spec"];
  emulator.misbehave({
    kind: "answer",
    match: { method: "POST" },
    status: 422,
    body: { detail: fields.map((field) => item(field, `${field} is bad`)) },
  });
  const run = await deploy();
  const hint =
    "The platform refused what was sent: check the inputs of the names that it gives, and the input platform.";
  expect(run.errors).toEqual(
    fields.map(
      (field) =>
        `body.source_config.${field}: ${field} is bad. POST /v2/deployments was answered with 422. ${hint}`,
    ),
  );
  expect(run.summary).toContain(
    [
      "> [!CAUTION]",
      "> POST `/v2/deployments` was answered with 422:",
      ...fields.map((field) => `> - \`body.source_config.${field}\`: \`${field}\` is bad`),
      ">",
      "> **What to do next:** The platform refused what was sent: check the inputs of the names that it gives, and the input platform.",
    ].join("\n"),
  );
});

test("the emulator's own refusal names the fields", async () => {
  const { deploy } = await startScenario();
  const run = await deploy({ api_key: "wrong-key" });
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(/was answered with 40[13].*(api_key|workspace_id)/);
  expect(run.requests).toHaveLength(1);
});

test("hostile words of the platform stay text", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "answer",
    match: { method: "POST" },
    status: 400,
    body: {
      detail: "x\n::set-output name=a::b\r##[error]y @everyone <img src=x> [a](http://evil.example) `b` | c",
    },
  });
  const run = await deploy();
  expect(run.errors[0]).not.toMatch(/[\r\n]/);
  expect(run.errors[0]).not.toContain("##[");
  expect(elements(run.summary)).toEqual(expect.not.arrayContaining(["img"]));
  expect(outsideCode(run.summary)).not.toMatch(/@everyone|evil\.example/);
});

test("an answer of 4xx to the update fails it", async () => {
  const { deploy, emulator, existing } = await startScenario();
  const { id } = await existing();
  emulator.misbehave({
    kind: "answer",
    match: { method: "PATCH" },
    status: 409,
    body: { detail: "It is being deleted" },
  });
  const run = await deploy();
  expect(run.outputs).toEqual({
    outcome: "failed",
    deployment_id: id,
    created: "false",
    duration_seconds: "0",
    deployment_url: expect.any(String),
  });
  expect(run.errors[0]).toContain(`PATCH /v2/deployments/${id} was answered with 409: It is being deleted.`);
  expect(run.summary).not.toContain("by this run");
});

test("an answer that never ends in size is refused", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.misbehave({
    kind: "answer",
    match: { method: "GET", path: "^/v2/deployments$", times: "always" },
    status: 200,
    body: "x".repeat(10_000_001),
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors[0]).toMatch(/larger than.*control_plane_url/);
});
