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

test("a graph that the configuration file does not name fails the run before a request", async () => {
  workspace.write({ "langgraph.json": config });
  const { deploy } = await startScenario(platform);

  const run = await deploy(runs("agnet"), workspace.env);

  expect(run.requests).toEqual([]);
  const names = "langgraph.json names only agent and other under graphs.";
  expectError(run, "Input smoke_tests", 'runs the graph "agnet"', names);
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
