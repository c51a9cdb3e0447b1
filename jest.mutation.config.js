import base from "./jest.config.js";

/** Mutants of plan, watch and inputs are looked for by the tests that run in this process, not by those of the bundle. */
export default {
  ...base,
  testMatch: [
    "<rootDir>/__tests__/unit/**/*.test.ts",
    "<rootDir>/__tests__/scenario/{deploy,platform,preview}/**/*.test.ts",
  ],
};
