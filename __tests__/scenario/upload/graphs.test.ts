import { expect, test } from "@jest/globals";
import { expectError, type Inputs, startScenario } from "../../support/scenario.ts";
import { useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith", statusSeconds: 0 } as const;
const runs = (graph: string): Inputs => ({
  source_path: ".",
  smoke_tests: JSON.stringify([{ name: "asks", graph, input: {} }]),
});
const config = JSON.stringify({ graphs: { agent: "./agent.py:graph", other: "./other.py:graph" } });

test.each([
  ["names others", config, "langgraph.json names only agent and other under graphs."],
  ["names none", "{}", "langgraph.json names no graphs. Correct graph in smoke_tests"],
])(
  "a graph that the configuration file does not name fails the run before a request (%s)",
  async (_, file, fact) => {
    workspace.write({ "langgraph.json": file });
    const { deploy } = await startScenario(platform);

    const run = await deploy(runs("agnet"), workspace.env);

    expect(run.requests).toEqual([]);
    expectError(run, "Input smoke_tests", 'runs the graph "agnet"', fact);
  },
);

const warning = (files: string) =>
  `Not in the archive, although the configuration file names it: ${files}. If the build does not create the file, the agent can't start. Check the paths under graphs, and the ignore rules.`;

test.each([
  ["is missing", { agent: "./agnt.js:run" }, [warning("./agnt.js (graph agent)")]],
  [
    "is missing, as that of another one",
    { agent: { path: "./agnt.js:run" }, other: "./src/other.py:graph" },
    [warning("./agnt.js (graph agent), ./src/other.py (graph other)")],
  ],
  ["is there", { agent: "./agent.js:run" }, []],
  ["is there with an extension that is left out", { agent: "./agent:run" }, []],
  ["is a module of Python", { agent: "package.agent:graph" }, []],
  ["is part of the image", { agent: "/deps/agent.py:graph" }, []],
])("before a deploy, a warning names the file of a graph if it %s", async (_what, graphs, warnings) => {
  workspace.write({ "app/langgraph.json": JSON.stringify({ graphs }), "app/agent.js": "" });
  const { deploy } = await startScenario(platform);

  const inputs = { source_path: ".", app_config_path: "app/langgraph.json" };
  const run = await deploy({ ...inputs, dry_run: "true" }, workspace.env);
  const built = await deploy({ ...inputs, dry_run: "true", build_command: "make" }, workspace.env);

  expect(run.warnings).toEqual(warnings);
  expect(built.warnings).toEqual([]);
});

test.each([
  ["a graph that it names", config, "agent"],
  ["the id of an assistant", config, "00000000-0000-4000-8000-00000000000a"],
])("%s is not refused", async (_what, file, graph) => {
  workspace.write({ "langgraph.json": file });
  const { deploy } = await startScenario(platform);

  const run = await deploy(runs(graph), workspace.env);

  expect(run.outputs).toHaveProperty("revision_id");
});
