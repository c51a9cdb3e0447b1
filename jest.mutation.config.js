import base from "./jest.config.js";

/** The folder of src/ whose mutants are looked for: by its own tests, as thousands of mutants times all take hours. */
const folder = process.env.MUTATED_FOLDER;
if (folder === undefined) throw new Error("MUTATED_FOLDER isn't set: npm run test:mutation sets it.");

export default { ...base, testMatch: [`<rootDir>/__tests__/unit/${folder}/**/*.test.ts`] };
