import { expect, test } from "@jest/globals";
import { Failure } from "../../../../src/errors.ts";
import { readWorkflowRun } from "../../../../src/github/workflow-run.ts";
import { comparisonSection } from "../../../../src/report/sections/comparison.ts";
import { describeGaps, summarizeComparison } from "../../../../src/report/sentences/comparison.ts";
import type { ComparisonResult, ContractChange, NotCompared } from "../../../../src/results/comparison.ts";
import { rawText, text } from "../../../../src/text/message.ts";
import { factsWith, plainRenderer as render } from "../support/facts.ts";

const gone: ContractChange = {
  graph: "agent",
  kind: "node_gone",
  node: "approve",
  wasShown: true,
  threads: ["a", "b", "c", "d"],
  breaking: true,
};

const workflow = readWorkflowRun({});

function compared(changes: readonly ContractChange[]): ComparisonResult {
  return { kind: "compared", changes, threads: { read: 4, total: 4 } };
}

test("what threads wait at although the compared agent does not show it is not said to be removed", () => {
  const change = { ...gone, wasShown: false, threads: ["a"] };
  const graph = {
    graph: "former",
    kind: "graph_gone",
    wasShown: false,
    threads: ["b"],
    breaking: true,
  } as const;
  const comparison = { target: "my-agent", isGate: false, url: undefined, result: compared([change, graph]) };

  const section = comparisonSection(factsWith({ action: "Preview", comparison }), workflow, 9, render);

  expect(section).toContain(
    "Node `approve` is missing from graph `agent`. The compared agent does not show it either. 1 thread is",
  );
  expect(section).toContain(
    "Graph `former` is missing. The compared agent does not list it either. 1 thread is",
  );
  expect(section).not.toContain("removed");
  expect(section).not.toContain("Merging would break");
});

test.each([
  ["says what merging would break", "a preview that only warns", "Preview", "my-agent", false],
  ["says what deploying there would break", "a deploy that only warns", "Deploy", "my-agent", false],
  ["says no more", "a preview that fails, whose result does", "Preview", "my-agent", true],
  ["says no more", "a preview compared with its earlier self", "Preview", "previous", false],
  ["says no more", "a deploy compared with its earlier self by name", "Deploy", "staging", false],
] as const)("the comparison %s, in %s", (what, _run, action, target, isGate) => {
  const comparison = { target, isGate, url: undefined, result: compared([gone]) };

  const facts = factsWith({ action, comparison, name: "staging" });
  const section = comparisonSection(facts, workflow, 9, render);

  const sentences = section.split("\n").filter((line) => line.includes("would break"));
  const would = "would break what is marked 💥 in `my-agent`, which is not affected yet.";
  expect(sentences).toEqual(
    {
      "says what merging would break": [`Merging ${would}`],
      "says what deploying there would break": [`Deploying this version there ${would}`],
      "says no more": [],
    }[what],
  );
  expect(section).toContain("was removed");
});

test("threads that wait are linked where the platform's console is known", () => {
  const comparison = {
    target: "my-agent",
    isGate: true,
    url: "https://my-agent.example.com",
    result: compared([gone]),
  };
  const consoleLinks = { url: "https://smith.example.com", workspaceId: "w" };

  const section = comparisonSection(factsWith({ comparison, consoleLinks }), workflow, 10, render);
  const elsewhere = comparisonSection(factsWith({ comparison }), workflow, 10, render);

  expect(section).toContain("4 threads are waiting at it, such as `a`, `b` and `c`.");
  expect(section).toContain(
    "[Studio](<https://smith.example.com/studio/?baseUrl=https%3A%2F%2Fmy-agent.example.com>)",
  );
  expect(elsewhere).not.toContain("Studio");
});

test("threads that wait have a link to the page that says how to resume one, on github.com", () => {
  const comparison = { target: "my-agent", isGate: true, url: undefined, result: compared([gone]) };
  const facts = factsWith({ comparison });
  const action = { ...workflow, actionRepository: "octo-org/agents", actionRef: "v1" };

  expect(comparisonSection(facts, action, 10, render)).toContain(
    "[Comparing](<https://github.com/octo-org/agents/blob/v1/docs/compare.md#a-node-at-which-threads-are-waiting>)",
  );
  expect(comparisonSection(facts, workflow, 10, render)).not.toContain("compare.md");
  const onServer = { ...action, serverUrl: "https://github.example.com" };
  expect(comparisonSection(facts, onServer, 10, render)).not.toContain("compare.md");
});

test("what was not compared is named once each, and the rest is counted", () => {
  const gap = (reason: NotCompared): ContractChange => ({
    graph: "agent",
    kind: "not_compared",
    reason,
    breaking: false,
  });
  const schema = (path: string): NotCompared => ({
    kind: "schema",
    schema: "input",
    path: [path],
    obstacle: { kind: "too_large" },
  });
  const gaps = [
    schema("a"),
    schema("b"),
    { kind: "no_nodes" },
    { kind: "subgraph", node: "x" },
    { kind: "no_schema", schema: "output", missing: "neither" },
  ] as const;

  const described = describeGaps(compared(gaps.map(gap)));

  expect(described && rawText(described)).toBe(
    "not compared: the input schema of graph agent, the nodes of graph agent, the subgraph x of graph agent and 1 more",
  );
  expect(describeGaps(compared([]))).toBeUndefined();
  expect(describeGaps({ kind: "nothing_before" })).toBeUndefined();
});

test("what was not compared is counted beside the breaking changes", () => {
  const gap = {
    graph: "agent",
    kind: "not_compared",
    reason: { kind: "no_nodes" },
    breaking: false,
  } as const;
  const changes = [gone, gap, gap];
  const error = new Failure(text`GET /threads failed.`, { hint: text`Check it.` });
  const results: ComparisonResult[] = [
    compared([gone]),
    compared(changes),
    { kind: "compared", changes, threads: { read: 200, total: 1240 } },
    { kind: "compared", changes: [gone], threads: { read: 1000, total: undefined } },
    { kind: "unreadable", what: "threads", error, changes },
  ];

  expect(results.map((result) => rawText(summarizeComparison(result)))).toEqual([
    "1 breaking change",
    "1 breaking change, and 2 parts not compared",
    "1 breaking change, 2 parts not compared, and 200 of 1,240 waiting threads read",
    "1 breaking change, and only 1,000 waiting threads read",
    "1 breaking change, 2 parts not compared, and the waiting threads could not be read",
  ]);
});

test("rows beyond the limit are counted", () => {
  const comparison = {
    target: "previous",
    isGate: true,
    url: undefined,
    result: compared([gone, gone, gone]),
  };

  expect(comparisonSection(factsWith({ comparison }), workflow, 1, render)).toContain(
    "2 more changes are in the log.",
  );
});
