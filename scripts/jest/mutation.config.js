import base from "../../jest.config.js";

/** Only the unit tests of the mutated folder: thousands of mutants times all tests take hours. */
export default { ...base, testMatch: ["<rootDir>/__tests__/unit/one-folder.ts"] };
