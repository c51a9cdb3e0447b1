// `npm run docs:errors`: writes the sections of docs/errors.md from what the action says.
import { runJest } from "./support/run.ts";

process.exitCode = await runJest(["__tests__/scenario/errors"], { UPDATE_DOCS: "true" });
