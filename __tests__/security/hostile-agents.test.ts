import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { waitingAt } from "../scenario/compare/support.ts";
import type { ScenarioRun } from "../support/scenario.ts";
import { bearerToken, deployCanaries, plainEchoesOf } from "./support/canaries.ts";
import { expectHarmless, outputsOf } from "./support/expectations.ts";
import { forAny } from "./support/for-any.ts";
import { byLine, ok, startHostilePlatform } from "./support/hostile-servers.ts";
import { hostileText } from "./support/hostile-text.ts";
import { leaksOf, secretInputs, startLeakScenario } from "./support/leak-scenario.ts";

/** A JSON Schema, or nearly so, that may refer to itself. */
const schema = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom({ $ref: "#" }, { $ref: "#/$defs/a" }, { anyOf: [{ $ref: "#" }] }, true, null),
    fc.record({ type: fc.oneof(hostileText, fc.constantFrom("string", "integer")) }),
    fc.record({ enum: fc.array(hostileText, { maxLength: 3 }) }),
    fc.record({ $ref: hostileText.map((text) => `#/${text}`) }),
    fc.dictionary(hostileText, hostileText, { maxKeys: 2 }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(hostileText, tie("any"), { maxKeys: 3 }),
      required: fc.array(hostileText, { maxLength: 2 }),
    }),
    fc.record({ anyOf: fc.array(tie("any"), { maxLength: 3 }) }),
    fc.record({ items: tie("any") }),
  ),
})).any;

const graph = fc.record({
  nodes: fc.array(fc.record({ id: hostileText }), { maxLength: 3 }),
  schemas: fc.record({ input_schema: schema, output_schema: schema, state_schema: schema }),
});

test("what agents serve does nothing in the log, the outputs and the summary", async () => {
  const platform = await startHostilePlatform();
  const deployment = (name: string) => ({ id: name, name, url: `${platform.url}/live/${name}` });

  await forAny(5, [hostileText, hostileText, graph, graph], async (name, node, before, after) => {
    const served = (isOurs: boolean) => {
      const { nodes, schemas } = isOurs ? after : before;
      return byLine(
        [/schemas$/, ok(schemas)],
        [/graph$/, ok({ nodes: [...nodes, ...(isOurs ? [] : [{ id: node }])] })],
        [/threads.search$/, ok([{ thread_id: "t", metadata: { graph_id: name } }])],
        [/state$/, ok({ next: [node] })],
        [
          /assistants.search$/,
          ok([{ assistant_id: "a", graph_id: name, metadata: { created_by: "system" } }]),
        ],
        [/^GET .v2.deployments$/, ok({ resources: [deployment("my-agent")] })],
        [/revisions$/, ok({ resources: [{ id: "r", status: "DEPLOYED" }] })],
        [/revisions/, ok({ id: "r", status: "DEPLOYED" })],
        [/my-agent/, ok(deployment("my-agent"))],
        [/^/, ok({ ...deployment("agent"), latest_revision_id: "r" })],
      );
    };
    platform.respond = (line) => served(line.includes("/live/agent/"))(line);
    const inputs = { serving_check: "off", compare_with: "my-agent", breaking_changes: "warn" };
    const step = await platform.run("deploy", inputs);

    expect(outputsOf(step)).toMatchObject({ outcome: "deployed" });
    expect(JSON.parse(outputsOf(step).contract_changes || "[]")).toEqual(expect.any(Array));
    expectHarmless(step);
  });
});

test("what an agent responds to the check action does nothing in the log, the outputs and the summary", async () => {
  const platform = await startHostilePlatform();
  const smoke_tests = `
- { name: runs, graph: agent, input: {}, expect: { contains: nothing like it } }
- { name: responds, request: GET /ok, expect: { status: 200, json: { /a: 1 } } }
`;

  await forAny(10, [hostileText, hostileText, hostileText], async (body, version, graph) => {
    platform.respond = byLine(
      [/info$/, ok({ version })],
      [/health$/, ok(body)],
      [/search$/, ok([{ assistant_id: "a", graph_id: graph, metadata: { created_by: "system" } }])],
      [/^/, { status: 500, headers: { location: encodeURI(body.toWellFormed()) }, body }],
    );
    const asked = { deployment_url: platform.url, health_check_path: "/health" };
    const failed = await platform.run("check", { ...asked, smoke_tests });
    const compared = await platform.run("check", {
      ...asked,
      compare_with_url: `${platform.url}/other`,
      breaking_changes: "warn",
    });

    expect(outputsOf(failed)).toMatchObject({ outcome: "failed" });
    expect(outputsOf(compared)).toMatchObject({ outcome: "passed" });
    for (const step of [failed, compared]) expectHarmless(step);
  });
});

test("agents that repeat secrets in the names of what they serve leak none", async () => {
  const { emulator, open, preview, run } = await startLeakScenario({
    platform: "langsmith",
    statusSeconds: 0,
  });
  open();
  const agent_headers = `X-Agent: ${bearerToken}`;
  const inputs = {
    ...secretInputs,
    platform: "langsmith",
    agent_headers,
    integration_id: "",
    app_config_path: "app/config.json",
  };
  await run("deploy", { inputs: { ...inputs, name: "my-agent", repo_ref: "main" } });

  for (const text of plainEchoesOf({ ...deployCanaries, bearerToken })) {
    const node = text.replaceAll(":", "");
    const served = {
      nodes: [node],
      input: { properties: { [text]: { type: text }, choice: { enum: ["a", text] }, other: { $ref: text } } },
    };
    const remove = [
      emulator.addFault({ kind: "graphs", repo_ref: "main", graphs: { agent: served, [text]: {} } }),
      emulator.addFault({
        kind: "graphs",
        graphs: { agent: { input: { properties: { choice: { enum: ["a"] } } } } },
      }),
      emulator.addFault({ kind: "threads", threads: waitingAt(node) }),
    ];
    const compared: ScenarioRun = await preview("opened", {
      inputs: { ...inputs, compare_with: "my-agent" },
    });
    for (const end of remove) end();

    expect(JSON.parse(compared.outputs.contract_changes ?? "")).toContainEqual(
      expect.objectContaining({ kind: "node", breaking: true, threads: 1 }),
    );
    expect(compared.outputs.contract_changes).toContain("***");
    expect(compared.summary).toContain("***");
    expect(leaksOf(compared)).toEqual([]);
  }
});
