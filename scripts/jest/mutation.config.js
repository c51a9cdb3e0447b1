import { join } from "node:path";
import base from "../../jest.config.js";

/** Only the tests of the mutated part, until the first one fails: thousands of mutants times all tests take hours. */
export default {
  ...base,
  testMatch: ["<rootDir>/__tests__/support/mutated-tests.ts"],
  testEnvironment: join(import.meta.dirname, "until-first-failure.js"),
};
