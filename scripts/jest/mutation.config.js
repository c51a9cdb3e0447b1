import { join } from "node:path";
import base from "../../jest.config.js";

/** Only the tests of the mutated part, until the first one fails: thousands of mutants times all tests take hours. */
export default {
  ...base,
  testMatch: ["<rootDir>/__tests__/support/mutated-tests.ts"],
  // Many mutants wait for what never comes.
  testTimeout: 20_000,
  testEnvironment: join(import.meta.dirname, "until-first-failure.js"),
};
