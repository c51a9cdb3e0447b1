import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { runnerDisk } from "../../../src/runner/disk.ts";

const folder = mkdtempSync(join(tmpdir(), "disk-"));
mkdirSync(join(folder, "folder"));
writeFileSync(join(folder, "file"), "");
afterAll(() => rmSync(folder, { recursive: true }));

test("the working directory is that of the process", () => {
  expect(runnerDisk.workingDirectory()).toBe(process.cwd());
});

test.each([
  ["a file", "file", true],
  ["a missing file", "missing", true],
  ["a file in a missing folder", "no/such/file", true],
  ["a file below a file, which fails when it is written,", "file/x", true],
  ["a folder", "folder", false],
  ["a device", "/dev/null", false],
])("the name of %s can be written: %#", (_what, name, expected) => {
  expect(runnerDisk.isFileOrMissing(resolve(folder, name))).toBe(expected);
});
