import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { writeWhenComplete } from "../../../src/usage/write-when-complete.ts";

/** A device that is always full (https://man7.org/linux/man-pages/man4/full.4.html). */
const fullDevice = "/dev/full";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "usage-file-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

(existsSync(fullDevice) ? test : test.skip)("a full disk fails with the name of the input", async () => {
  await using full = await open(fullDevice, "w");
  const writeToFull = full.writeFile.bind(full);
  const handles: FileHandle = Object.getPrototypeOf(full);
  using _ = jest.spyOn(handles, "writeFile").mockImplementation(writeToFull);

  const writing = writeWhenComplete("csv_file", join(directory, "usage.csv"), (file) => file.writeFile("a"));

  await expect(writing).rejects.toMatchObject({
    message: expect.stringMatching(/csv_file.*ENOSPC/),
  });
  expect(readdirSync(directory)).toEqual([]);
});
