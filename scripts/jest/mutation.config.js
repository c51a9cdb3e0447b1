import base from "../../jest.config.js";

/** Only the tests of the mutated part: thousands of mutants times all tests take hours. */
export default { ...base, testMatch: ["<rootDir>/__tests__/support/mutated-tests.ts"] };
