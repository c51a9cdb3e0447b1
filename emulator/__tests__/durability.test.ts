import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  call,
  create,
  createRequest,
  deploymentIn,
  revisionsOf,
  statusOf,
  type Target,
} from "./support/client.ts";
import { withEmulator, withTemporaryFolder } from "./support/emulator.ts";
import { spawnEmulator } from "./support/process.ts";

/** `npm run test:long` kills it more often. */
const kills = process.env.KILLS === "all" ? 10 : 1;
const DEPLOYMENTS_PER_KILL = 30;

test(
  "an emulator that is killed during writes keeps every write that got a response",
  () =>
    withTemporaryFolder(async (folder) => {
      const dataFile = join(folder, "emulator.db");
      /** The revisions of each deployment, as responses showed them. */
      const shown = new Map<string, string[]>();
      const write = async (target: Target) => {
        const created = await create(target, createRequest({ name: `agent-${crypto.randomUUID()}` }));
        shown.set(created.id, [created.latest]);
        const update = { source_revision_config: {} };
        const updated = await call(target, `PATCH /v2/deployments/${created.id}`, update);
        shown.set(created.id, [deploymentIn(updated).latest, created.latest]);
      };

      for (let round = 1; round <= kills; round += 1) {
        const emulator = await spawnEmulator("--data", dataFile);
        const writeMany = async () => {
          while (shown.size < round * DEPLOYMENTS_PER_KILL) await write(emulator);
        };
        // The first one that is ready does not wait for the writes of the others.
        await Promise.race([writeMany(), writeMany(), writeMany()]);
        await emulator.end("SIGKILL");
      }

      expect(shown.size).toBeGreaterThanOrEqual(kills * DEPLOYMENTS_PER_KILL);
      await withEmulator({ dataFile }, async (emulator) => {
        for (const [id, revisions] of shown) {
          expect((await revisionsOf(emulator, id)).ids).toEqual(expect.arrayContaining(revisions));
        }
        for (const { latest_revision_id, revisions } of emulator.deployments()) {
          expect(revisions[0]?.id).toBe(latest_revision_id);
        }
      });
    }),
  180_000,
);

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
