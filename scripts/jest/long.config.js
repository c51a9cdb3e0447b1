import base from "../../jest.config.js";

// Real signals in every phase, with every response.
process.env.CANCELLATIONS = "all";
// An emulator that is killed at every stage, and many times.
process.env.KILLS = "all";
// Random faults, other ones each time.
process.env.FAULT_RUNS ??= "1000";
process.env.FAULT_SEED ??= String(Date.now() % 1_000_000);

// Random texts, ten times as many.
process.env.PROPERTY_RUNS ??= "10";

/**
 * What takes minutes: every file in a folder `long`, all cancellations of the bundle, emulators that are killed, and many runs
 * with random faults and random texts.
 */
export default {
  ...base,
  testMatch: [
    "<rootDir>/__tests__/**/long/**/*.test.ts",
    "<rootDir>/emulator/__tests__/**/long/**/*.test.ts",
    "<rootDir>/emulator/__tests__/{durability,run/kill}.test.ts",
    "<rootDir>/__tests__/bundle/cancellation/*.test.ts",
    "<rootDir>/__tests__/faults/*.test.ts",
    "<rootDir>/__tests__/security/{hostile-*,inert-text,redact}.test.ts",
    "<rootDir>/__tests__/unit/text/*.test.ts",
  ],
  testPathIgnorePatterns: [],
};
