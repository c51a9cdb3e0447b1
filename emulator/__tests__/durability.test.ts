import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { call, create, createRequest, statusOf } from "./support/client.ts";
import { withEmulator, withTemporaryFolder } from "./support/emulator.ts";
import { expectNothingLost } from "./support/killed-writes.ts";

test("an emulator that is killed during writes keeps every write that got a response", () =>
  expectNothingLost(1));

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
