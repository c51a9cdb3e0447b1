// `npm run test:faults`: the whole fault matrix and many runs with random faults, which take some fifteen minutes. `npm
// test` runs a short form of both.
// Some cells run the bundle, as it is in `dist/`.
import { run } from "./support/run.ts";

process.exitCode = await run(
  "jest",
  ["--maxWorkers=100%", "--testMatch", "**/__tests__/faults/*.test.ts", "**/__tests__/faults/*.whole.ts"],
  {
    FAULT_MATRIX: "whole",
    NODE_OPTIONS: "--experimental-vm-modules --disable-warning=ExperimentalWarning",
  },
);
