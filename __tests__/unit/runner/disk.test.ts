import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { runnerDisk } from "../../../src/runner/disk.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "disk-"));
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "file"), "grün\n");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the folder is the one in which the process runs", () => {
  expect(runnerDisk.workingFolder()).toBe(process.cwd());
});

test("the text of a file, none where there is no file", () => {
  expect(runnerDisk.readText(join(folder, "file"))).toBe("grün\n");
  expect(runnerDisk.readText(join(folder, "missing"))).toBeUndefined();
  expect(runnerDisk.readText("")).toBeUndefined();
});

test.each([
  ["a file, which is written anew", "file", true],
  ["nothing yet", "missing", true],
  ["nothing in a folder that isn't there yet", "no/such/file", true],
  ["something in a folder that is a file, which is told when it is written", "file/x", true],
  ["a folder", "folder", false],
  ["a device", "/dev/null", false],
])("a name that stands for %s is free for a file: %#", (_what, name, isFree) => {
  expect(runnerDisk.isFreeForFile(name.startsWith("/") ? name : join(folder, name))).toBe(isFree);
});
