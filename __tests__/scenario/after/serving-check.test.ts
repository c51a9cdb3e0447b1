import { describe, expect, test } from "@jest/globals";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  shownBy,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { type Agent, startAgent, startWithAgent } from "./support.ts";

/** The revision that `/info` tells, a body without one, a status without a body, or no response. */
type Info = { readonly id: string } | { readonly body: unknown } | number | "closes";

interface InfoScenario extends Omit<Scenario, "deploy"> {
  readonly agent: Agent;
  readonly deploy: (inputs?: Inputs) => Promise<ScenarioRun>;
}

/** An agent whose `/info` has these responses, and the last one from then on. */
async function startInfo(...infos: readonly ((scenario: Scenario) => Info)[]): Promise<InfoScenario> {
  const left = [...infos];
  const scenario = await startScenario({ statusSeconds: 0 });
  const agent = await startAgent((request, response) => {
    const info = (left.length > 1 ? left.shift() : left[0])?.(scenario) ?? 404;
    if (info === "closes") request.socket.destroy();
    else if (typeof info === "number") response.writeHead(info).end("words of the agent");
    else if ("id" in info) response.end(JSON.stringify({ host: { host_revision_id: info.id } }));
    else response.end(typeof info.body === "string" ? info.body : JSON.stringify(info.body));
  });
  const deploy = (inputs?: Inputs) => scenario.deploy({ custom_url: agent.url, ...inputs });
  return { ...scenario, agent, deploy };
}

const newest = ({ stored }: Scenario, place = 0) => stored().revisions[place]?.id ?? "";
const ours = (scenario: Scenario): Info => ({ id: newest(scenario) });
const earlier = (scenario: Scenario): Info => ({ id: newest(scenario, 1) });
const broken = (): Info => 502;
const silent = (): Info => ({ body: { version: "1.0.0", host: { revision_id: "r" } } });
const required = { serving_check: "require", health_check_timeout_seconds: "5" };

test("a server that shows this run's revision twice in a row passes, at once", async () => {
  const { agent, deploy } = await startInfo(ours);

  const run = await deploy();

  expect(run.outputs.outcome).toBe("deployed");
  expect(agent.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(["GET /info", "GET /info"]);
  expect(run.infos).toContainEqual(expect.stringMatching(/The serving check passed.*responds/));
  expect(run.took).toBe(0);
});

test("the revision may be shown as metadata, and in capitals", async () => {
  const { deploy } = await startInfo((scenario) => ({
    body: { host: null, metadata: { host_revision_id: newest(scenario).toUpperCase() } },
  }));

  expect((await deploy(required)).outputs.outcome).toBe("deployed");
});

test("the earlier revision, an error and a single sight of this run's are waited out", async () => {
  const { agent, deploy, existing } = await startInfo(earlier, ours, earlier, ours, broken, ours);
  await existing();

  const run = await deploy();

  expect(run.outputs.outcome).toBe("deployed");
  expect(agent.requests).toHaveLength(7);
  expect(run.infos.filter((line) => line.includes("does not respond yet"))).toHaveLength(2);
});

test("a server that shows only the earlier revision fails the step in time, and names it", async () => {
  const { deploy, existing, stored } = await startInfo(earlier);
  const { revisionId } = await existing();

  const run = await deploy({ health_check_timeout_seconds: "20", rollback_on_failure: "true" });

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expectError(run, "serving check", "20 s", revisionId, stored().revisions[0]?.id, "health_check_timeout");
  expect(run.summary).toMatch(/\| ❌ \| serving check `\/info` \| 20\.0 \|/);
  expect(run.summary).toContain("Expected: host.host_revision_id: ");
  expect(run.summary.split(run.outputs.revision_id ?? "")).toHaveLength(2);
  expect(run.took).toBe(20);
});

test.each<[string, Info, string]>([
  ["is silent about it", silent(), "/info"],
  ["responds with 401", 401, "/info"],
  ["responds with 500", 500, "/info"],
  ["closes the connection", "closes", "the connection failed"],
])("auto fails if the server shows the earlier revision and then only %s", async (_what, info, fact) => {
  const { deploy, existing, stored } = await startInfo(earlier, () => info);
  const { revisionId } = await existing();

  const run = await deploy({ health_check_timeout_seconds: "5" });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, "serving check", `before that, a response of revision ${revisionId}`, fact);
  expect(run.took).toBe(5);
  expect(run.summary).toContain(`, twice in a row`);
  expect(stored().revisions).toHaveLength(2);
});

test.each<[string, (scenario: Scenario) => Info, string]>([
  ["this run's revision passes", ours, "deployed"],
  ["the earlier revision fails", earlier, "failed"],
])("auto waits while the server is switched by 502, and then %s", async (_what, info, outcome) => {
  const { deploy, existing } = await startInfo(broken, broken, info);
  await existing();

  const run = await deploy({ health_check_timeout_seconds: "20" });

  expect(run.outputs.outcome).toBe(outcome);
  expect(run.summary).toContain("serving check");
});

test("an unknown revision fails the step too, and its id never becomes an address", async () => {
  const { deploy } = await startInfo(() => ({ id: "../../x" }));

  const run = await deploy({ health_check_timeout_seconds: "3" });

  expectError(run, "serving check", "../../x");
  expect(run.requests.filter(({ path }) => path.includes("x"))).toEqual([]);
});

test.each(["auto", "require"])(
  "%s: a newer revision supersedes this run's, without a rollback",
  async (mode) => {
    const { deploy, emulator, existing } = await startInfo((scenario) => {
      const { id, revisions } = scenario.stored();
      if (revisions.length === 2) scenario.emulator.addConcurrentRevision(id);
      return ours(scenario);
    });
    await existing();

    const run = await deploy({ serving_check: mode, rollback_on_failure: "true" });

    expect(run.outputs.outcome).toBe("superseded");
    expect(writes(run.requests)).toHaveLength(1);
    expectError(run, emulator.deployments()[0]?.revisions[0]?.id, "newer");
  },
);

describe("a server that does not show its revision", () => {
  test.each<[string, Info]>([
    ["404", 404],
    ["401", 401],
    ["a redirect", 302],
    ["HTML", { body: "<html>Hello</html>" }],
    ["its own revision only", silent()],
    ["an id that is no text", { body: { host: { host_revision_id: 7 } } }],
    ["an empty id", { body: { host: { host_revision_id: "" } } }],
    ["a list", { body: [] }],
  ])("costs auto one request and a line in the log (%s)", async (_what, info) => {
    const { agent, deploy } = await startInfo(() => info);

    const run = await deploy();

    expect(run.outputs.outcome).toBe("deployed");
    expect(agent.requests).toHaveLength(1);
    expect(run.infos.filter((line) => /serving|\/info/i.test(line))).toEqual([
      expect.stringMatching(
        /^⏭ The serving check was skipped: the server did not report its revision: GET \/info returned \d+ without host/,
      ),
    ]);
    expect(run.summary).not.toMatch(/serving|\/info/i);
    expect(run.took).toBe(0);
  });

  test("is skipped in the summary's checks, if there are others", async () => {
    const { deploy } = await startInfo(() => 401);

    const run = await deploy({ smoke_tests: "- { name: one, request: GET /one, expect: { status: 401 } }" });

    expect(run.outputs.outcome).toBe("deployed");
    const why = "the server did not report its revision: `GET /info` returned 401 without";
    expect(run.summary).toContain(`| ⏭️ | serving check \`/info\`: skipped (${why}`);
  });

  test.each([
    ["ten seconds", {}, 10],
    ["health_check_timeout_seconds if that is less", { health_check_timeout_seconds: "3" }, 3],
  ])("costs auto %s if it only responds with 503", async (_what, inputs, took) => {
    const { deploy } = await startInfo(() => 503);

    const run = await deploy(inputs);

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.infos).toContainEqual(expect.stringMatching(/^⏭ The serving check was skipped: .* 503/));
    expect(run.summary).not.toMatch(/serving/i);
    expect(run.took).toBeGreaterThanOrEqual(took);
    expect(run.took).toBeLessThan(took + 5);
  });

  test.each<[string, Info, string | undefined]>([
    ["404", 404, undefined],
    ["503", 503, undefined],
    ["its version only", { body: { version: "0.9.9" } }, "0.9.9"],
  ])("fails require in time, and the error says so (%s)", async (_what, info, version) => {
    const { deploy } = await startInfo(() => info);

    const run = await deploy(required);

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.outputs.server_version).toBe(version);
    expectError(run, "serving check", "host.host_revision_id", "serving_check: auto", "agent_headers");
    expect(run.took).toBe(5);
  });

  test("passes require once it shows it", async () => {
    const { deploy } = await startInfo(silent, broken, ours);

    expect((await deploy(required)).outputs.outcome).toBe("deployed");
  });
});

const noUrl = "The platform does not report the deployment's URL";

test.each([
  ["there is no URL", "", ["url", "custom_url"], noUrl],
  ["the URL is plain http:", "http://agents.invalid", [], "The deployment's URL is a plain http: address"],
])("auto is skipped if %s, and says that", async (_what, custom_url, fields, why) => {
  const { deploy, emulator } = await startInfo(ours);
  emulator.addFault({ kind: "hide", fields });

  const run = await deploy({ custom_url });

  expect(run.outputs.outcome).toBe("deployed");
  const lines = run.infos.filter((line) => /serving/i.test(line));
  expect(lines).toEqual([`⏭ The serving check was skipped: ${why}.`]);
  expect(run.summary).not.toMatch(/serving/i);
});

test("a serving check that asked nothing is shown beside others with its own reason", async () => {
  const { deploy, emulator } = await startInfo(ours);
  emulator.addFault({ kind: "hide", fields: ["url", "custom_url"] });

  const run = await deploy({ custom_url: "", health_check_path: "/ok" });

  expect(run.summary).toContain(`| ⏭️ | serving check \`/info\`: skipped (${noUrl}) | |`);
  expect(run.summary).not.toContain("does not report its revision");
});

test("agent_headers go to the agent, and their values and the tokens in them are masked and shown nowhere", async () => {
  const { agent, deploy } = await startInfo(() => ({ id: "token-of-the-agent" }));

  const headers = "Authorization: Bearer token-of-the-agent\n\n# a comment\nX-Tenant: some tenant";
  const run = await deploy({ agent_headers: headers, health_check_timeout_seconds: "1" });

  expect(agent.requests[0]?.headers).toMatchObject({
    authorization: "Bearer token-of-the-agent",
    "x-tenant": "some tenant",
  });
  const masks = ["Bearer token-of-the-agent", "token-of-the-agent", "some tenant"];
  expect(run.masks).toEqual(expect.arrayContaining(masks));
  expectError(run, "a response of revision ***");
  expect(shownBy(run)).not.toContain("token-of-the-agent");
});

test("an agent that trickles white space is given up after ten seconds", async () => {
  const passTime = holdTimeouts();
  const { deploy } = await startWithAgent((_request, response) => {
    response.writeHead(200).write("  ");
    passTime(10_000);
  });

  const run = await deploy({ serving_check: "auto" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos).toContainEqual(expect.stringContaining("GET /info: no complete response within 10 s"));
});
