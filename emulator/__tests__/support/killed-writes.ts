/** Emulators that are killed while clients write. */
import { join } from "node:path";
import { expect } from "@jest/globals";
import { call, create, createRequest, deploymentIn, revisionsOf } from "./client.ts";
import { withEmulator, withTemporaryFolder } from "./emulator.ts";
import { type EmulatorProcess, spawnEmulator } from "./process.ts";

const WRITERS = 3;
const DEPLOYMENTS_PER_KILL = 30;

/** Kills an emulator so many times while clients write, and expects that every write with a response is still there. */
export async function expectNothingLost(kills: number): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const dataFile = join(folder, "emulator.db");
    /** The revisions of each deployment, as responses showed them. */
    const shown = new Map<string, string[]>();
    for (let round = 1; round <= kills; round += 1) {
      const emulator = await spawnEmulator("--data", dataFile);
      await new Promise<void>((resolve, reject) => {
        const onWritten = () => {
          if (shown.size >= round * DEPLOYMENTS_PER_KILL) resolve(emulator.end("SIGKILL").then(() => {}));
        };
        for (let writer = 0; writer < WRITERS; writer += 1) {
          writeUntilKilled(emulator, shown, onWritten).catch(reject);
        }
      });
    }

    await withEmulator({ dataFile }, async (emulator) => {
      for (const [id, revisions] of shown) {
        expect((await revisionsOf(emulator, id)).ids).toEqual(expect.arrayContaining(revisions));
      }
      for (const { latest_revision_id, revisions } of emulator.deployments()) {
        expect(revisions[0]?.id).toBe(latest_revision_id);
      }
    });
    expect(shown.size).toBeGreaterThanOrEqual(kills * DEPLOYMENTS_PER_KILL);
  });
}

async function writeUntilKilled(
  emulator: EmulatorProcess,
  shown: Map<string, string[]>,
  onWritten: () => void,
): Promise<void> {
  for (;;) {
    const created = await create(emulator, createRequest({ name: `agent-${crypto.randomUUID()}` }));
    shown.set(created.id, [created.latest]);
    const updated = await call(emulator, `PATCH /v2/deployments/${created.id}`, {
      source_revision_config: {},
    });
    shown.set(created.id, [deploymentIn(updated).latest, created.latest]);
    onWritten();
  }
}
