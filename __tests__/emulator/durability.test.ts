import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { startEmulator } from "../../emulator/server.ts";
import { call, create, deploymentIn, revisionIds, statusOf } from "./support/client.ts";
import { type EmulatorProcess, spawnEmulator } from "./support/process.ts";
import { withTemporaryFolder } from "./support/temporary-folder.ts";

// Processes are started and killed here: on a busy machine that takes a while.
jest.setTimeout(60_000);

/** Writes until the emulator is gone; everything that was answered is noted, nothing else. */
async function hammer(emulator: EmulatorProcess, writer: string, answered: Map<string, string[]>) {
  for (let number = 0; ; number += 1) {
    const made = await create(emulator, { name: `agent-${writer}-${number}` });
    answered.set(made.id, [made.latest]);
    const updated = await call(emulator, `PATCH /v2/deployments/${made.id}`, {
      source_revision_config: { repo_ref: `ref-${number}` },
    });
    answered.set(made.id, [deploymentIn(updated).latest, made.latest]);
  }
}

test("killed during writes, it still has every write that was answered, and nothing half done", () =>
  withTemporaryFolder(async (folder) => {
    const data = join(folder, "emulator.db");
    const answered = new Map<string, string[]>();
    for (let round = 0; round < 3; round += 1) {
      const emulator = await spawnEmulator("--data", data);
      const before = answered.size;
      const writers = ["a", "b", "c"].map((writer) =>
        expect(hammer(emulator, `${round}-${writer}`, answered)).rejects.toThrow(
          /^(fetch failed|terminated)$/,
        ),
      );
      while (answered.size < before + 30) await new Promise((resolve) => setImmediate(resolve));
      await emulator.end("SIGKILL");
      await Promise.all(writers);
    }

    const emulator = await startEmulator({ dataFile: data });
    try {
      for (const [id, revisions] of answered) {
        expect(await revisionIds(emulator, id)).toEqual(expect.arrayContaining(revisions));
      }
      for (const { latest_revision_id, revisions } of emulator.deployments()) {
        expect(revisions[0]?.id).toBe(latest_revision_id);
      }
      expect(answered.size).toBeGreaterThanOrEqual(90);
    } finally {
      await emulator.close();
    }
  }));

test("a restart carries every revision on where it was, whatever --status-seconds is now", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    let now = 0;
    const first = await startEmulator({
      dataFile,
      now: () => now,
      statusSeconds: 10,
      failRefs: { main: "BUILD_FAILED" },
    });
    const { id, latest } = await create(first);
    await first.close();

    const second = await startEmulator({ dataFile, now: () => now, statusSeconds: 0 });
    now = 35_000;
    expect(await statusOf(second, id, latest)).toBe("BUILDING");
    now = 40_000;
    expect(await statusOf(second, id, latest)).toBe("BUILD_FAILED");
    await second.close();
  }));

test("no value of a secret is in the data file", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    const emulator = await startEmulator({ dataFile });
    await create(emulator, { secrets: [{ name: "VISIBLE_NAME", value: "canary-value" }] });
    await emulator.close();
    const bytes = await readFile(dataFile);
    expect(bytes.includes("VISIBLE_NAME")).toBe(true);
    expect(bytes.includes("canary-value")).toBe(false);
  }));
