import base from "./jest.config.js";

/** Mutants of a folder of src/ are looked for by its own tests: thousands of mutants times all tests take hours. */
export default { ...base, testMatch: ["<rootDir>/__tests__/unit/one-folder.ts"] };
