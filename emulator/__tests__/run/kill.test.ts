// An emulator that is killed while it runs what is deployed; at every stage of a revision in `npm run test:long`.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { revisionsOf } from "../support/client.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { spawnEmulatorWith } from "../support/process.ts";
import { processesIn } from "./support/processes.ts";
import { createRepository } from "./support/repository.ts";
import { askAgent, createLive, deploy, endOf, runRequest, until } from "./support/running.ts";

const stages = process.env.KILLS === "all" ? ["cloning", "building", "starting"] : ["building"];

/** Returns once no process works in a folder. */
const untilEmpty = (folder: string) =>
  until(
    () => processesIn(folder),
    (left) => left.length === 0,
  );

/** What the agent says once it has been started again. */
async function askAgentOnceBack(url: string | null) {
  await until(async () => (await fetch(`${url}/`, { headers: { connection: "close" } })).ok, Boolean);
  return await askAgent(url);
}

test(
  "an emulator that is killed at any stage leaves no process, and continues where it was",
  () =>
    withTemporaryFolder(async (folder) => {
      const [work, bin] = [join(folder, "work"), join(folder, "bin")];
      /** A line of a shell script that waits as long as a file with this name exists, and shows that it waits. */
      const waitAt = (name: string) =>
        `while [ -e ${folder}/${name} ]; do : > ${folder}/${name}.reached; sleep 0.05; done`;
      const git = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
      mkdirSync(bin);
      writeFileSync(join(bin, "git"), `#!/bin/sh\n${waitAt("cloning")}\nexec ${git} "$@"\n`);
      chmodSync(join(bin, "git"), 0o755);
      const start = () =>
        spawnEmulatorWith(
          { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, detached: true },
          ...["--run", "--data", join(folder, "emulator.db"), "--work-dir", work],
          ...["--build-command", waitAt("building")],
          ...["--start-command", `${waitAt("starting")}; exec node agent.mjs`],
        );
      const request = runRequest(createRepository(join(folder, "repository")).path);
      let emulator = await start();
      const { id, latest, url, status } = await createLive(emulator, request);
      expect(status).toBe("DEPLOYED");

      let live = latest;
      for (const stage of stages) {
        writeFileSync(join(folder, stage), "");
        const next = await deploy(emulator, id);
        await until(() => existsSync(join(folder, `${stage}.reached`)), Boolean);
        expect((await askAgent(url)).revision).toBe(live);
        await emulator.endGroup("SIGKILL");
        await untilEmpty(work);
        rmSync(join(folder, stage));
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
        await untilEmpty(work);
        emulator = await start();
        expect((await askAgentOnceBack(url)).revision).toBe(last);
      }
      expect(await slow).toBe("cut");

      const { statuses } = await revisionsOf(emulator, id);
      expect(statuses).toEqual(Array(stages.length + 2).fill("DEPLOYED"));
      expect(processesIn(work)).toHaveLength(1);
      const { stdout } = await emulator.end("SIGTERM");
      expect(stdout.split("\n").slice(2)).toEqual([`${request.name} is live at ${url}`, ""]);
      expect(processesIn(work)).toEqual([]);
    }),
  180_000,
);
