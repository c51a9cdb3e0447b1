// Whatever happens in whatever order: what is live is what runs. RUN_SEQUENCES sets how many sequences are tried.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { type Emulator, startEmulator } from "../../index.ts";
import { processesIn, variableOf } from "../run/support/processes.ts";
import { agentFile, createRepository } from "../run/support/repository.ts";
import {
  askAgent,
  deploy,
  langsmithRunRequest,
  readDeployment,
  SHORT,
  until,
} from "../run/support/running.ts";
import { call, create } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";

// Many processes on a busy machine.
jest.setTimeout(180_000);

const BRANCHES = ["main", "unbuildable", "unstartable"] as const;
const ENDS = ["DEPLOYED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED"];

const operations = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "deploy",
      "deploy",
      "deploy",
      "interrupt",
      "redeploy",
      "crash",
      "restart",
      "settle",
      "delete",
    ),
    which: fc.nat({ max: 1 }),
    branch: fc.constantFrom(...BRANCHES),
  }),
  { minLength: 3, maxLength: 9 },
);
type Operation = typeof operations extends fc.Arbitrary<(infer One)[]> ? One : never;

class Machine {
  readonly work: string;
  readonly #folder: string;
  readonly #repository: string;
  readonly #ids: (string | undefined)[] = [undefined, undefined];
  #emulator: Emulator;

  private constructor(folder: string, repository: string, emulator: Emulator) {
    this.#folder = folder;
    this.work = join(folder, "work");
    this.#repository = repository;
    this.#emulator = emulator;
  }

  static async start(folder: string, repository: string): Promise<Machine> {
    await mkdir(folder);
    return new Machine(folder, repository, await startIn(folder));
  }

  async apply({ kind, which, branch }: Operation): Promise<void> {
    const id = this.#ids[which];
    if (kind === "settle") await this.settle();
    if (kind === "restart") {
      await this.#emulator.close();
      expect(processesIn(this.work)).toEqual([]);
      this.#emulator = await startIn(this.#folder);
    }
    if (kind === "deploy") await this.#deploy(which, branch);
    if (id !== undefined) await this.#disturb(kind, id, which);
  }

  async #deploy(which: number, branch: string): Promise<void> {
    const id = this.#ids[which];
    if (id !== undefined) return void (await deploy(this.#emulator, id, branch));
    const request = langsmithRunRequest(this.#repository, { ref: branch });
    this.#ids[which] = (await create(this.#emulator, request)).id;
  }

  async #disturb(kind: string, id: string, which: number): Promise<void> {
    const { revisions = [], url } = this.#emulator.deployments().find((one) => one.id === id) ?? {};
    const path = `/v2/deployments/${id}`;
    if (kind === "interrupt")
      await call(this.#emulator, `POST ${path}/revisions/${revisions[0]?.id}/interrupt`);
    if (kind === "redeploy")
      await call(this.#emulator, `POST ${path}/revisions/${revisions.at(-1)?.id}/redeploy`);
    if (kind === "crash") await fetch(`${url}/exit`).catch(() => {});
    if (kind === "delete") {
      await call(this.#emulator, `DELETE ${path}?delete_tracing_project=true`);
      this.#ids[which] = undefined;
    }
  }

  /** Waits until every revision has ended; then every live agent responds, and nothing else is running. */
  async settle(): Promise<void> {
    const deployments = await until(
      () => this.#emulator.deployments(),
      (all) => all.every(({ revisions }) => revisions.every(({ status }) => ENDS.includes(status))),
    );
    const live = deployments.flatMap(({ active_revision_id }) => active_revision_id ?? []);
    for (const { id, revisions, active_revision_id } of deployments) {
      for (const { status, source_revision_config } of revisions) {
        const wanted = { main: "DEPLOYED", unbuildable: "BUILD_FAILED", unstartable: "DEPLOY_FAILED" };
        const ref = BRANCHES.find((one) => one === source_revision_config.repo_ref) ?? "main";
        expect([wanted[ref], "INTERRUPTED"]).toContain(status);
      }
      if (active_revision_id === null) continue;
      const { url } = await readDeployment(this.#emulator, id);
      const responds = () => askAgent(url).catch(() => undefined);
      expect((await until(responds, (agent) => agent !== undefined))?.revision).toBe(active_revision_id);
    }
    // An agent that was superseded or has crashed may take a moment to end, and never comes back.
    await until(
      () => processesIn(this.work),
      (pids) => pids.length <= live.length,
    );
    const running = processesIn(this.work).map((pid) => variableOf(pid, "LANGSMITH_HOST_REVISION_ID"));
    expect(running.toSorted()).toEqual(live.toSorted());
  }

  close(): Promise<void> {
    return this.#emulator.close();
  }
}

function startIn(folder: string): Promise<Emulator> {
  return startEmulator({
    platform: "langsmith",
    dataFile: join(folder, "emulator.db"),
    run: { ...SHORT, workDir: join(folder, "work"), buildCommand: "sh build.sh" },
  });
}

test("after any sequence of events exactly one agent runs for each live deployment, the right one", () =>
  withTemporaryFolder(async (folder) => {
    const repository = createRepository(join(folder, "repository"));
    repository.commit({ "build.sh": "exit 1" }, "unbuildable");
    repository.commit({ "build.sh": "", "agent.mjs": "process.exit(1)" }, "unstartable");
    repository.commit({ "agent.mjs": agentFile("1") });
    let run = 0;

    const property = fc.asyncProperty(operations, async (sequence) => {
      run += 1;
      const machine = await Machine.start(join(folder, `run-${run}`), repository.path);
      try {
        for (const operation of sequence) await machine.apply(operation);
        await machine.settle();
      } finally {
        await machine.close();
      }
      expect(processesIn(machine.work)).toEqual([]);
    });

    await fc.assert(property, { numRuns: Number(process.env.RUN_SEQUENCES ?? 25), endOnFailure: true });
  }));
