// The folder for checkouts, which is shared with whatever else the machine has.
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startEmulator } from "../../index.ts";
import { removeFolder, WorkFolder, WorkFolderError } from "../../runner/work-folder.ts";
import { DataFileError } from "../../store/database.ts";
import { withTemporaryFolder } from "../support/emulator.ts";

test("a folder with files of somebody else is refused, and they stay", () =>
  withTemporaryFolder(async (folder) => {
    mkdirSync(join(folder, "deployments"));
    writeFileSync(join(folder, "deployments", "production.yaml"), "");

    const open = () => new WorkFolder(folder, "emulator.db");

    expect(open).toThrow(WorkFolderError);
    expect(open).toThrow(/not empty/);
    expect(readdirSync(join(folder, "deployments"))).toEqual(["production.yaml"]);
  }));

test("a folder is for one data file and one emulator at a time, and may be used again", () =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, "work");
    const first = new WorkFolder(path, "emulator.db");
    expect(() => new WorkFolder(path, "emulator.db")).toThrow(/another emulator that is running/);
    await first.close();

    expect(() => new WorkFolder(path, "other.db")).toThrow(/for another data file: .*emulator\.db/);
    await new WorkFolder(path, "emulator.db").close();
  }));

test("a second emulator on the same data file is refused with --run", () =>
  withTemporaryFolder(async (folder) => {
    const options = { dataFile: join(folder, "emulator.db"), run: {} };
    const first = await startEmulator(options);

    const second = startEmulator(options);

    await expect(second).rejects.toThrow(DataFileError);
    await expect(second).rejects.toThrow(/another emulator that is running/);
    await first.close();
    await (await startEmulator(options)).close();
  }));

test("a folder that nobody may write to is removed with everything in it", () =>
  withTemporaryFolder(async (folder) => {
    const path = join(folder, "work");
    mkdirSync(join(path, "cache", "module"), { recursive: true });
    writeFileSync(join(path, "cache", "module", "go.mod"), "");
    chmodSync(join(path, "cache", "module"), 0o555);
    chmodSync(join(path, "cache"), 0o555);

    await removeFolder(path);

    expect(existsSync(path)).toBe(false);
  }));
