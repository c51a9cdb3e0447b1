// An emulator that is killed while it builds a revision and runs another one. `long/kill.test.ts` kills it at every stage.
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { create } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { spawnEmulatorWith } from "../support/process.ts";
import { processesIn } from "./support/processes.ts";
import { createRepository } from "./support/repository.ts";
import { askAgent, deploy, endOf, readDeployment, runRequest, until } from "./support/running.ts";

test("an emulator that is killed during a build leaves no process, and continues with both revisions", () =>
  withTemporaryFolder(async (folder) => {
    const work = join(folder, "work");
    const gate = join(folder, "gate");
    const reached = join(folder, "reached");
    const build = `while [ -e ${gate} ]; do : > ${reached}; sleep 0.05; done`;
    const start = () =>
      spawnEmulatorWith(
        { detached: true },
        ...["--run", "--data", join(folder, "emulator.db"), "--work-dir", work],
        ...["--build-command", build, "--start-command", "exec node agent.mjs"],
      );
    const { path } = createRepository(join(folder, "repository"));
    const killed = await start();
    const { id, latest: live } = await create(killed, runRequest(path));
    await endOf(killed, id, live);
    const { url } = await readDeployment(killed, id);
    writeFileSync(gate, "");
    const next = await deploy(killed, id);
    await until(() => existsSync(reached), Boolean);

    await killed.endGroup("SIGKILL");
    await until(
      () => processesIn(work),
      (left) => left.length === 0,
    );
    const restarted = await start();

    const agent = await until(
      () => askAgent(url).catch(() => undefined),
      (found) => found !== undefined,
    );
    expect(agent?.revision).toBe(live);
    rmSync(gate);
    expect(await endOf(restarted, id, next)).toBe("DEPLOYED");
    expect((await askAgent(url)).revision).toBe(next);
    await restarted.end("SIGTERM");
    expect(processesIn(work)).toEqual([]);
  }));
