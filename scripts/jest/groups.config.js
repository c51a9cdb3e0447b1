import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import base from "../../jest.config.js";

const groups = readdirSync(join(base.rootDir, "__tests__", "groups"));
const folders = new Set(groups.map((file) => file.replace(/(-\d+)?\.ts$/, "")));

/**
 * The tests as `npm test` runs them. The files of a folder that has files in `__tests__/groups` run together: loading the same
 * modules again for each of them would take a third of the time. All other files run alone, and those in a folder `long` not at
 * all.
 */
export default {
  ...base,
  // The tests of the bundle start processes, and mostly wait for them: with one more worker no core waits too.
  maxWorkers: availableParallelism() + 1,
  maxConcurrency: 10,
  testMatch: [...base.testMatch, "<rootDir>/__tests__/groups/*.ts"],
  testPathIgnorePatterns: [
    "<rootDir>/emulator/__tests__/",
    ...["(.*/)?long", ...folders].map((folder) => `/__tests__/${folder}/`),
  ],
};
