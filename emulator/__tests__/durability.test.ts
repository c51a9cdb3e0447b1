import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, create, createRequest, deploymentIn, revisionsOf, statusOf } from "./support/client.ts";
import { withEmulator, withTemporaryFolder } from "./support/emulator.ts";
import { type EmulatorProcess, spawnEmulator } from "./support/process.ts";

/** Writes until the emulator is gone, and records what was answered. */
async function writeUntilKilled(
  emulator: EmulatorProcess,
  answered: Map<string, string[]>,
  onAnswer: () => void,
): Promise<void> {
  for (;;) {
    const made = await create(emulator, createRequest({ name: `agent-${crypto.randomUUID()}` }));
    answered.set(made.id, [made.latest]);
    const updated = await call(emulator, `PATCH /v2/deployments/${made.id}`, { source_revision_config: {} });
    answered.set(made.id, [deploymentIn(updated).latest, made.latest]);
    onAnswer();
  }
}

test("an emulator that is killed during writes keeps every write that was answered", () =>
  withTemporaryFolder(async (folder) => {
    const data = join(folder, "emulator.db");
    const answered = new Map<string, string[]>();
    for (let round = 1; round <= 3; round += 1) {
      const emulator = await spawnEmulator("--data", data);
      await new Promise<void>((resolve, reject) => {
        const killAtLast = () => {
          if (answered.size >= round * 30) resolve(emulator.end("SIGKILL").then(() => {}));
        };
        for (let writer = 0; writer < 3; writer += 1) {
          writeUntilKilled(emulator, answered, killAtLast).catch(reject);
        }
      });
    }

    await withEmulator({ dataFile: data }, async (emulator) => {
      for (const [id, revisions] of answered) {
        expect((await revisionsOf(emulator, id)).ids).toEqual(expect.arrayContaining(revisions));
      }
      for (const { latest_revision_id, revisions } of emulator.deployments()) {
        expect(revisions[0]?.id).toBe(latest_revision_id);
      }
    });
    expect(answered.size).toBeGreaterThanOrEqual(90);
  }));

test("revisions continue after a restart as planned, even if statusSeconds has changed", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    let time = 0;
    const options = { dataFile, now: () => time };
    const slow = { ...options, statusSeconds: 10, failRefs: { main: "BUILD_FAILED" } };
    const { id, latest } = await withEmulator(slow, (emulator) => create(emulator));

    await withEmulator({ ...options, statusSeconds: 0 }, async (emulator) => {
      time = 35_000;
      expect(await statusOf(emulator, id, latest)).toBe("BUILDING");
      time = 40_000;
      expect(await statusOf(emulator, id, latest)).toBe("BUILD_FAILED");
    });
  }));

test("a provider outlives a restart, and the data file contains no secret", () =>
  withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    const line = "PATCH /v2/auth/providers/local-provider";
    const before = await withEmulator({ dataFile }, async (emulator) => {
      await create(emulator, createRequest({ secrets: [{ name: "VISIBLE_NAME", value: "canary-value" }] }));
      return await call(emulator, line, { name: "Kept name", client_secret: "canary-secret" });
    });

    const after = await withEmulator({ dataFile }, (emulator) => call(emulator, line, {}));
    const bytes = await readFile(dataFile);

    expect(after.body).toMatchObject({ name: "Kept name" });
    expect(before.status).toBe(200);
    expect(bytes.includes("VISIBLE_NAME")).toBe(true);
    expect(bytes.includes("canary")).toBe(false);
  }));
