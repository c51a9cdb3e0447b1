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

const toWorkflow = "Set graph in smoke_tests to ";

test.each([
  [
    "names others",
    config,
    `langgraph.json names only agent and other under graphs. ${toWorkflow}`,
    undefined,
  ],
  [
    "names one other",
    JSON.stringify({ graphs: { agent: "x" } }),
    `names only agent under graphs. ${toWorkflow}`,
    undefined,
  ],
  [
    "names none",
    "{}",
    "langgraph.json names no graphs. Use request instead of graph, or name the graph in langgraph.json.",
    "langgraph.json",
  ],
])(
  "a graph that the configuration file does not name fails the run before a request (%s)",
  async (_, file, fact, place) => {
    workspace.write({ "langgraph.json": file });
    const { deploy } = await startScenario(platform);

    const run = await deploy(runs("agnet"), workspace.env);

    expect(run.requests).toEqual([]);
    expect(run.annotations).toEqual([{ title: "Input smoke_tests", ...(place && { file: place }) }]);
    expectError(run, "Input smoke_tests", 'runs the graph "agnet"', fact);
  },
);

test.each([
  ["a graph that it names", config, "agent"],
  ["the id of an assistant", config, "00000000-0000-4000-8000-00000000000a"],
])("%s is not refused", async (_what, file, graph) => {
  workspace.write({ "langgraph.json": file });
  const { deploy } = await startScenario(platform);

  const run = await deploy(runs(graph), workspace.env);

  expect(run.outputs).toHaveProperty("revision_id");
});
