import groups from "./groups.config.js";

/** The tests of the source, with the floor of their coverage: a little below what they have. */
export default {
  ...groups,
  collectCoverage: true,
  coverageProvider: "v8",
  collectCoverageFrom: ["<rootDir>/src/**/*.ts"],
  coverageReporters: ["text-summary"],
  coverageThreshold: { global: { lines: 98, branches: 97 } },
};
