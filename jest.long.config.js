import base from "./jest.config.js";

// Real signals in every phase, with every response.
process.env.CANCELLATIONS = "all";

/** What takes minutes: every file in a folder `long`, and all cancellations of the bundle. */
export default {
  ...base,
  testMatch: [
    "<rootDir>/__tests__/**/long/**/*.test.ts",
    "<rootDir>/emulator/__tests__/**/long/**/*.test.ts",
    "<rootDir>/__tests__/bundle/cancellation/*.test.ts",
  ],
  testPathIgnorePatterns: [],
};
