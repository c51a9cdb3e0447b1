// Versions of an agent in Python as both sides of a comparison: each is deployed on an emulator that runs it.
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { createRepository } from "../../emulator/__tests__/run/support/repository.ts";
import { endOf, readDeployment } from "../../emulator/__tests__/run/support/running.ts";
import { useEmulator } from "../../emulator/__tests__/support/emulator.ts";
import { create, createRequest } from "../../emulator/__tests__/support/langsmith.ts";
import { changesOf } from "../scenario/compare/support.ts";
import { expectError } from "../support/scenario.ts";
import {
  compareVersions,
  type Replacements,
  replaceIn,
  testComparison,
  waitingThread,
} from "./support/compare-versions.ts";
import { uvFolder } from "./support/vendor-client.ts";

/**
 * Two graphs of one shape, and one whose node is a graph. Their schemas have unions of messages and definitions. Before Python
 * 3.12, the server shows no schema for `TypedDict` of `typing`.
 */
const graphs = `
from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt
from pydantic import BaseModel
from typing_extensions import NotRequired, TypedDict


class Options(BaseModel):
    tone: Literal["kind", "short"] = "kind"


class Input(TypedDict):
    question: str
    messages: NotRequired[list[AnyMessage]]
    options: NotRequired[Options]


class State(MessagesState):
    question: str
    options: Options
    draft: str


class Output(TypedDict):
    question: str


@dataclass
class Context:
    model: str = "none"


def write(state: State):
    return {"draft": "A draft"}


def wait(state):
    interrupt("May I?")
    return {}


def build():
    return (
        StateGraph(State, input_schema=Input, output_schema=Output, context_schema=Context)
        .add_node("write", write)
        .add_node("approve", wait)
        .add_edge(START, "write")
        .add_edge("write", "approve")
        .add_edge("approve", END)
        .compile()
    )


waits = build()
idle = build()
signs = StateGraph(MessagesState).add_node("sign", wait).add_edge(START, "sign").add_edge("sign", END).compile()
nested = StateGraph(MessagesState).add_node("desk", signs).add_edge(START, "desk").add_edge("desk", END).compile()
`;
const config = {
  dependencies: ["langgraph"],
  graphs: { waits: "./agent.py:waits", idle: "./agent.py:idle", nested: "./agent.py:nested" },
};

process.env.PATH = [uvFolder, process.env.PATH].join(delimiter);
const folder = mkdtempSync(join(tmpdir(), "vendor-python-compare-"));
const repository = createRepository(join(folder, "repository"));
const emulator = await useEmulator({ platform: "langsmith", now: Date.now, run: { readySeconds: 60 } });
let versions = 0;

afterAll(() => rm(folder, { recursive: true, force: true }));

async function serve(replacements: Replacements): Promise<string> {
  versions += 1;
  const repo_ref = `version-${versions}`;
  const files = { "agent.py": replaceIn(graphs, replacements), "langgraph.json": JSON.stringify(config) };
  repository.commit(files, repo_ref);
  const source = { source_config: { repo_url: repository.path }, source_revision_config: { repo_ref } };
  const { id, latest } = await create(emulator, createRequest(source));
  expect(await endOf(emulator, id, latest)).toBe("DEPLOYED");
  return (await readDeployment(emulator, id)).url ?? "";
}

testComparison({
  serve,
  renamedNode: { '"approve"': '"review"' },
  newNode: {
    '.add_node("approve", wait)': '.add_node("approve", wait).add_node("more", wait)',
    '.add_edge("approve", END)': '.add_edge("approve", "more").add_edge("more", END)',
  },
  requiredInput: { "class Input(TypedDict):": "class Input(TypedDict):\n    size: str" },
  requiredPath: "size",
  renamedKey: { "draft:": "text:", '"draft"': '"text"' },
});

test("a union with fewer kinds of messages and a definition with fewer values break callers", async () => {
  const before = await serve({});

  const after = await serve({
    "messages: NotRequired[list[AnyMessage]]": "messages: NotRequired[list[HumanMessage]]",
    'Literal["kind", "short"]': 'Literal["kind"]',
  });
  const run = await compareVersions(before, after);

  const input = { graph: "waits", kind: "input", breaking: true };
  expect(changesOf(run)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        ...input,
        path: "messages[]",
        message: expect.stringContaining("no longer allows object"),
      }),
      expect.objectContaining({
        ...input,
        path: "options.tone",
        message: expect.stringContaining('no longer allows "short"'),
      }),
    ]),
  );
}, 120_000);

test("a renamed node of a subgraph breaks the thread that waits there", async () => {
  const before = await serve({});
  const threadId = await waitingThread(before, "nested");

  const run = await compareVersions(before, await serve({ '"sign"': '"stamp"' }));

  expectError(run, "Node desk:sign is missing from graph nested. 1 thread is waiting at it", threadId);
  expect(changesOf(run)).toMatchObject([{ graph: "nested", kind: "node", breaking: true, threads: 1 }]);
}, 120_000);
