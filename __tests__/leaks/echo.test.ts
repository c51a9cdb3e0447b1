import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { RuleInput } from "../../emulator/misbehave/rules.ts";
import { apiKey, deployCanaries, deploymentSecrets, echoesOf, githubToken } from "./support/canaries.ts";
import { leaksOf, secretInputs, startLeakScenario } from "./support/leak-scenario.ts";

const echoes = echoesOf(deployCanaries);
const post = { method: "POST", path: "^/v2/deployments$" };

test("the platform gets every secret as it was given", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();
  const run = await preview("opened", { inputs: secretInputs });
  expect(run.outputs.outcome).toBe("deployed");
  const created = emulator.requests.find(({ method }) => method === "POST")?.body;
  const sent = Object.entries(deploymentSecrets).map(([name, value]) => ({ name, value }));
  expect(created).toMatchObject({ secrets: sent });
  expect(leaksOf(run)).toEqual([]);
  expect(run.summary).toContain("deployed");
});

/** Ways in which a create is refused with a text. */
const refusals: Readonly<Record<string, (text: string) => RuleInput>> = {
  "a 400 with words": (text) => ({ kind: "answer", match: post, status: 400, body: { detail: text } }),
  "a 400 with JSON of another shape": (text) => ({
    kind: "answer",
    match: post,
    status: 400,
    body: { error: { message: text, [text]: true } },
  }),
  "a page of HTML": (text) => ({
    kind: "answer",
    match: post,
    status: 403,
    headers: { "content-type": "text/html" },
    body: `<html><head><title>No</title></head><body><pre>${text}</pre></body></html>`,
  }),
  "plain text": (text) => ({
    kind: "answer",
    match: post,
    status: 401,
    headers: { "content-type": "text/plain" },
    body: `No: ${text}`,
  }),
};

describe("nothing gets out where a refused create is answered with what it sent, in", () => {
  test.each(Object.entries(refusals))("%s", async (_how, refusal) => {
    const { emulator, run: start } = await startLeakScenario();
    for (const text of echoes.filter((_echo, index) => index % 3 === 0)) {
      emulator.misbehave(refusal(text));
      const run = await start("deploy", { inputs: { name: "agent", ...secretInputs } });
      expect(run.outputs.outcome).toBe("failed");
      expect(run.errors.join("\n")).toContain("***");
      expect(leaksOf(run)).toEqual([]);
    }
  });
});

test("nothing gets out where the items of a 422 hold what was sent", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();
  const item = (text: string) => ({ loc: ["body", text.slice(0, 80), 0], msg: text, type: "value_error" });
  emulator.misbehave({
    kind: "answer",
    match: post,
    status: 422,
    body: { detail: echoes.map(item) },
  });
  const run = await preview("opened", { inputs: secretInputs });
  expect(run.errors.length).toBeGreaterThan(20);
  expect(leaksOf(run)).toEqual([]);
});

test("nothing gets out where statuses hold what was sent", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();
  const sequence = echoes.map((text) => ({ status: text, seconds: 5 }));
  emulator.misbehave({ kind: "statuses", sequence: [...sequence, { status: `FAILED ${echoes[0]}` }] });
  const run = await preview("opened", { inputs: secretInputs });
  expect(run.outputs).toMatchObject({ outcome: "failed", status: expect.stringContaining("FAILED ***") });
  expect(run.infos.length).toBeGreaterThan(echoes.length);
  expect(leaksOf(run)).toEqual([]);
});

test("nothing gets out where the log of a build that failed holds what was sent", async () => {
  const { emulator, open, preview } = await startLeakScenario({ platform: "langsmith" });
  open();
  emulator.misbehave({ kind: "statuses", sequence: [{ status: "BUILD_FAILED" }] });
  const integration_id = "11111111-1111-4111-8111-111111111111";
  // Some are lines, and 50 of a log are told at the most.
  for (let first = 0; first < echoes.length; first += 15) {
    const logs = echoes.slice(first, first + 15).map((text) => ({ level: "ERROR", message: `env: ${text}` }));
    const match = { path: "/logs$" };
    emulator.misbehave({ kind: "answer", match, status: 200, body: { logs } });
    const run = await preview("opened", {
      inputs: { ...secretInputs, platform: "langsmith", integration_id },
    });
    expect(run.outputs.outcome).toBe("failed");
    expect(run.summary).toContain("env: ***");
    expect(run.github.map(({ body }) => JSON.stringify(body)).join("\n")).toContain("env: ***");
    expect(leaksOf(run)).toEqual([]);
  }
});

test("nothing gets out where looks at the revision fail with what was sent", async () => {
  const { emulator, open, preview } = await startLeakScenario({ statusSeconds: 300 });
  open();
  for (const [index, text] of echoes.entries()) {
    emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "/revisions/", from: index + 1 },
      status: 503,
      body: { detail: text },
    });
  }
  const run = await preview("opened", { inputs: secretInputs });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.filter((line) => line.includes("***")).length).toBeGreaterThan(echoes.length - 5);
  expect(leaksOf(run)).toEqual([]);
});

test("no part of a secret gets out where a long text is cut inside it", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 440, max: 505 }), async (length) => {
      emulator.misbehave(
        refusals["a 400 with words"]?.(`${"x ".repeat(length / 2)}${apiKey}`) ?? { kind: "hang" },
      );
      const run = await preview("opened", { inputs: secretInputs });
      expect([run.log, run.summary, JSON.stringify(run.github)].join("\n")).not.toContain("canary");
    }),
    { numRuns: 10 },
  );
});

describe("nothing gets out in an address that a redirect names", () => {
  test.each(["GET", "POST"])("on %s", async (method) => {
    const { emulator, run: start } = await startLeakScenario();
    for (const text of echoes.filter((_echo, index) => index % 4 === 0)) {
      const location = `https://elsewhere.example/?${encodeURIComponent(text).slice(0, 150)}`;
      const match = { method, path: "^/v2/deployments$" };
      emulator.misbehave({ kind: "answer", match, status: 307, headers: { location: encodeURI(location) } });
      const run = await start("deploy", { inputs: { name: "agent", ...secretInputs } });
      expect(run.errors.join("\n")).toContain("redirect");
      expect(leaksOf(run)).toEqual([]);
    }
  });
});

describe("nothing gets out where an id holds what was sent", () => {
  test.each([
    ["of a new deployment", (id: string) => ({ id, latest_revision_id: "revision-1" })],
    ["of a new revision", (id: string) => ({ id: "deployment-1", latest_revision_id: id })],
  ])("%s", async (_whose, answer) => {
    const { emulator, open, preview } = await startLeakScenario();
    open();
    const long = { apiKey, githubToken, PLAIN: "canary-plain-0005", QUOTED: '"canary-quoted-0007"' };
    for (const text of echoesOf(long)) {
      const body = answer(`id ${text}`);
      const failed = { id: body.latest_revision_id, status: "BUILD_FAILED" };
      const looks = { path: "/revisions/", times: "always" } as const;
      const heal = [
        emulator.misbehave({ kind: "answer", match: post, status: 201, body }),
        emulator.misbehave({ kind: "answer", match: looks, status: 200, body: failed }),
      ];
      const run = await preview("opened", { inputs: secretInputs });
      for (const undo of heal) undo();
      expect(run.outputs.outcome).toBe("failed");
      expect(leaksOf(run)).toEqual([]);
    }
  });
});

test("a deployment whose id holds a secret gets no record on GitHub, which others would act on", async () => {
  const { emulator, github, open, preview } = await startLeakScenario();
  open();
  const body = { id: `id-${apiKey}`, latest_revision_id: "revision-1" };
  emulator.misbehave({ kind: "answer", match: post, status: 201, body });
  emulator.misbehave({
    kind: "answer",
    match: { path: "/revisions/", times: "always" },
    status: 200,
    body: { id: "revision-1", status: "BUILD_FAILED" },
  });
  const run = await preview("opened", { inputs: secretInputs });
  expect(run.outputs.deployment_id).toBe("id-***");
  expect(github.deployments()).toEqual([]);
  expect(run.warnings.join("\n")).toMatch(/record/);
});

test("nothing gets out where the deployment's address holds what was sent", async () => {
  const { emulator, open, preview } = await startLeakScenario();
  open();
  const { outputs } = await preview("opened", { inputs: secretInputs });
  for (const text of [apiKey, deploymentSecrets.PLAIN ?? "", deploymentSecrets.SPACED ?? ""]) {
    const heal = emulator.misbehave({
      kind: "answer",
      match: { method: "GET", path: "^/v2/deployments/[^/]+$", times: "always" },
      status: 200,
      body: {
        id: outputs.deployment_id,
        name: "octo-repo-pr-7",
        url: `https://agent.example.com/?key=${encodeURIComponent(text)}`,
      },
    });
    const run = await preview("synchronize", { inputs: secretInputs });
    heal();
    expect(run.outputs.deployment_url).toBe("https://agent.example.com/?key=***");
    expect(leaksOf(run)).toEqual([]);
  }
});

test("nothing gets out where GitHub's refusals hold what was sent", async () => {
  const { github, open, preview } = await startLeakScenario();
  open();
  for (const text of [githubToken, Buffer.from(githubToken).toString("hex"), apiKey]) {
    const message = `${"x ".repeat(120)}${text}`;
    const heal = github.fail({ kind: "answer", match: { times: "always" }, status: 422, body: { message } });
    const run = await preview("opened", { inputs: secretInputs });
    heal();
    expect(run.warnings.join("\n")).toContain("GitHub");
    expect(leaksOf(run)).toEqual([]);
    expect(run.log).not.toMatch(/canary|63616e617279/);
  }
});
