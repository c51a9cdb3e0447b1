// The emulator with an agent in Python that venv and pip install: it is killed, started again, and deletes what it made.
import { existsSync, mkdtempSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { processesIn } from "../../emulator/__tests__/run/support/processes.ts";
import { createRepository } from "../../emulator/__tests__/run/support/repository.ts";
import { deploy, endOf, readDeployment, until } from "../../emulator/__tests__/run/support/running.ts";
import { call } from "../../emulator/__tests__/support/client.ts";
import { create, createRequest } from "../../emulator/__tests__/support/langsmith.ts";
import { spawnEmulatorWith } from "../../emulator/__tests__/support/process.ts";
import { ask } from "../../scripts/demo/agent-client.ts";

/** pip installs the vendor's server twice. */
const installMs = 600_000;

const folder = mkdtempSync(join(tmpdir(), "vendor-python-"));
const work = join(folder, "work");

afterAll(() => rm(folder, { recursive: true, force: true }));

const config = {
  pip_installer: "pip",
  dependencies: [".", "./parts"],
  graphs: { agent: "./agent.py:graph" },
};
/** A graph beside a folder that is no package, with a requirement of its own. */
const files = {
  "langgraph.json": JSON.stringify(config),
  "requirements.txt": "tabulate==0.9.0\n",
  "parts/words.py": "GREETING = 'Hello'\n",
  "agent.py": `
from typing import TypedDict

import tabulate
import words
from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    question: str
    answer: str


def answer(state):
    return {"answer": f"{words.GREETING}! {tabulate.__version__}"}


graph = StateGraph(State).add_node("answer", answer).add_edge(START, "answer").add_edge("answer", END).compile()
`,
};

test(
  "an emulator that is killed while pip installs leaves no process and builds again; a mended revision uses the environment of a failed one",
  async () => {
    const repository = createRepository(join(folder, "repository"));
    repository.commit({ ...files, "agent.py": "import missing_module\n" });
    const start = () =>
      spawnEmulatorWith(
        { detached: true },
        ...["--run", "--platform", "langsmith"],
        ...["--data", join(folder, "emulator.db"), "--work-dir", work],
      );
    const environments = () => readdirSync(join(work, "environments"));
    const killed = await start();
    const source_config = { repo_url: repository.path };
    const { id, latest } = await create(killed, createRequest({ source_config }));
    const isInstalling = (name: string) => existsSync(join(work, "environments", name, "venv/bin/pip"));
    await until(environments, (names) => names.some(isInstalling));

    await killed.endGroup("SIGKILL");
    await until(
      () => processesIn(work),
      ({ length }) => length === 0,
    );
    const restarted = await start();
    const broken = await endOf(restarted, id, latest);
    const made = environments();
    repository.commit(files);
    const mended = await endOf(restarted, id, await deploy(restarted, id));
    const { url } = await readDeployment(restarted, id);
    const answer = await ask(url ?? "");
    const used = environments();
    await call(restarted, `DELETE /v2/deployments/${id}`);
    await until(environments, ({ length }) => length === 0);

    expect([broken, mended, answer]).toEqual(["DEPLOY_FAILED", "DEPLOYED", "Hello! 0.9.0"]);
    expect(made).toHaveLength(1);
    expect(used).toEqual(made);
    expect(processesIn(work)).toEqual([]);
    await restarted.end("SIGTERM");
  },
  installMs,
);
