// Far from UTC and not by whole hours, so that what mistakes local time for UTC fails here as it would at a user's.
process.env.TZ = "Asia/Kathmandu";

/** @type {import('jest').Config} */
export default {
  rootDir: import.meta.dirname,
  testEnvironment: "node",
  // No test waits for real time; this only bounds one that hangs, on a busy machine too.
  testTimeout: 60_000,
  setupFilesAfterEnv: ["<rootDir>/scripts/jest/has-assertions.js"],
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "^.+\\.ts$": "<rootDir>/scripts/jest/strip-types.js",
    "/@actions/workflow-parser/.+-schema\\.js$": "<rootDir>/scripts/jest/json-imports.js",
  },
  transformIgnorePatterns: ["/node_modules/(?!@actions/workflow-parser/)"],
  testMatch: ["<rootDir>/__tests__/**/*.test.ts", "<rootDir>/emulator/__tests__/**/*.test.ts"],
  // `npm run test:long` runs these.
  testPathIgnorePatterns: ["/__tests__/(.*/)?long/"],
};
