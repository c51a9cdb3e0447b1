// `npm run coverage`: which lines and branches of src/ the tests of the source run; fails below the floor of its configuration.
import { runJest } from "./support/run.ts";

process.exitCode = await runJest(["--ci", "--maxWorkers=100%", "--config=scripts/jest/coverage.config.js"]);
