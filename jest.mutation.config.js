import base from "./jest.config.js";

/** The folder of src/ whose mutants are looked for: by its own tests, as thousands of mutants times all take hours. */
const folder = process.env.MUTATED_FOLDER;
if (folder === undefined) throw new Error("MUTATED_FOLDER isn't set: npm run test:mutation sets it.");

/** What watches for real is tested by whole runs besides. */
const runs = { watch: ["scenario/deploy/{watching,deadline,live}"] };

export default {
  ...base,
  testMatch: [`unit/${folder}/**`, ...(runs[folder] ?? [])].map(
    (tests) => `<rootDir>/__tests__/${tests}.test.ts`,
  ),
};
