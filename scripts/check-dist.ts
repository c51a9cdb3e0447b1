// Part of `npm test`: fails unless dist/ is what `npm run build` makes of src/, without missing and left-over files. What src/
// builds stays in build/dist/.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { mustRun, root, run } from "./support/run.ts";

const fresh = join(root, "build", "dist");
rmSync(fresh, { recursive: true, force: true });
await mustRun("node", [join(root, "scripts", "build.ts"), fresh]);
process.exitCode = await run("git", ["diff", "--no-index", "--stat", join(root, "dist"), fresh]);
if (process.exitCode !== 0)
  console.error("dist/ is not what src/ builds: run npm run build and commit dist/.");
