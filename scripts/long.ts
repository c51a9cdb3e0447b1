// `npm run test:long [-- FILE …]`: the tests that take minutes, which scripts/jest/long.config.js names.
import { runJest } from "./support/run.ts";

process.exitCode = await runJest(["--config", "scripts/jest/long.config.js", ...process.argv.slice(2)]);
