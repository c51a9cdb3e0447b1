/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  packageManager: "npm",
  // Stryker rewrites the tsconfig through an interface that TypeScript 7 no longer has. Nothing here needs one, so this
  // file does not exist.
  tsconfigFile: "tsconfig.none.json",
  testRunner: "jest",
  testRunnerNodeArgs: ["--experimental-vm-modules"],
  jest: { configFile: "scripts/jest/mutation.config.js", enableFindRelatedTests: false },
  coverageAnalysis: "perTest",
  reporters: ["clear-text", "progress"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  // A mutant of code that runs when a file is loaded would need a run of all tests.
  ignoreStatic: true,
  concurrency: 2,
  // Endless loops are found by how often they run. Less time would take a slow machine for a mutant that was found.
  timeoutMS: 60_000,
  tempDirName: ".stryker-tmp",
  thresholds: { high: 95, low: 85, break: 85 },
  ignorePatterns: ["dist", "demo-output", "build", "coverage", "reports"],
};
