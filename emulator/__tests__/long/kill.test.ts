// Emulators that are killed again and again.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { processesIn } from "../run/support/processes.ts";
import { createRepository } from "../run/support/repository.ts";
import { askAgent, createLive, deploy, endOf, runRequest, until } from "../run/support/running.ts";
import { revisionsOf } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { expectNothingLost } from "../support/killed-writes.ts";
import { type EmulatorProcess, spawnEmulatorWith } from "../support/process.ts";

// Many processes on a busy machine.
jest.setTimeout(180_000);

/** Waits at a place until a gate is opened, and shows that it waits. */
class Gates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder);
  }

  close(name: string): void {
    writeFileSync(join(this.#folder, name), "");
  }

  open(name: string): void {
    rmSync(join(this.#folder, name));
  }

  isReached(name: string): boolean {
    return existsSync(join(this.#folder, `${name}.reached`));
  }

  /** A line of a shell script. */
  wait(name: string): string {
    const file = join(this.#folder, name);
    return `while [ -e ${file} ]; do : > ${file}.reached; sleep 0.05; done`;
  }
}

/** A `git` that can be held up. */
function gitWithGate(folder: string, gates: Gates): string {
  const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  mkdirSync(folder);
  writeFileSync(join(folder, "git"), `#!/bin/sh\n${gates.wait("cloning")}\nexec ${git} "$@"\n`);
  chmodSync(join(folder, "git"), 0o755);
  return `${folder}:${process.env.PATH}`;
}

/** What the agent says once it has been started again. */
async function askAgentOnceBack(url: string | null) {
  await until(async () => (await fetch(`${url}/`, { headers: { connection: "close" } })).ok, Boolean);
  return await askAgent(url);
}

test("an emulator that is killed at any stage leaves no process, and continues where it was", () =>
  withTemporaryFolder(async (folder) => {
    const gates = new Gates(join(folder, "gates"));
    const env = { ...process.env, PATH: gitWithGate(join(folder, "bin"), gates) };
    const work = join(folder, "work");
    const start = () =>
      spawnEmulatorWith(
        { env, detached: true },
        ...["--run", "--data", join(folder, "emulator.db"), "--work-dir", work],
        ...[
          "--build-command",
          gates.wait("building"),
          "--start-command",
          `${gates.wait("starting")}; exec node agent.mjs`,
        ],
      );
    const repository = createRepository(join(folder, "repository"));
    let emulator: EmulatorProcess = await start();
    const request = runRequest(repository.path);
    const { id, latest, url, status } = await createLive(emulator, request);

    expect(status).toBe("DEPLOYED");
    let live = latest;

    for (const stage of ["cloning", "building", "starting"]) {
      gates.close(stage);
      const next = await deploy(emulator, id);
      await until(() => gates.isReached(stage), Boolean);

      expect((await askAgent(url)).revision).toBe(live);
      await emulator.endGroup("SIGKILL");

      await until(
        () => processesIn(work),
        (left) => left.length === 0,
      );
      gates.open(stage);
      emulator = await start();
      // Before the new revision takes over, it is the earlier one that is back.
      expect([live, next]).toContain((await askAgentOnceBack(url)).revision);
      expect(await endOf(emulator, id, next)).toBe("DEPLOYED");
      expect((await askAgent(url)).revision).toBe(next);
      live = next;
    }

    // While requests to the one before end, and while nothing happens.
    const slow = fetch(`${url}/slow`).catch(() => "cut");
    const last = await deploy(emulator, id);
    expect(await endOf(emulator, id, last)).toBe("DEPLOYED");
    for (let round = 0; round < 2; round += 1) {
      await emulator.end("SIGKILL");
      await until(
        () => processesIn(work),
        (left) => left.length === 0,
      );
      emulator = await start();
      expect((await askAgentOnceBack(url)).revision).toBe(last);
    }
    expect(await slow).toBe("cut");

    expect((await revisionsOf(emulator, id)).statuses).toEqual(Array(5).fill("DEPLOYED"));
    expect(processesIn(work)).toHaveLength(1);
    const { stdout } = await emulator.end("SIGTERM");
    expect(stdout.split("\n").slice(2)).toEqual([`${request.name} is live at ${url}`, ""]);
    expect(processesIn(work)).toEqual([]);
  }));

test("an emulator that is killed ten times during writes keeps every write that got a response", () =>
  expectNothingLost(10));
