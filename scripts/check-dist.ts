// Part of `npm test`: fails unless dist/ is what `npm run build` makes of src/, without missing and left-over files. What src/
// builds stays in build/dist/.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./support/run.ts";

const fresh = join(root, "build", "dist");
rmSync(fresh, { recursive: true, force: true });
const built = await run("node", [join(root, "scripts", "build.ts"), fresh]);
if (built !== 0) {
  console.error("The build failed: see the error above.");
  process.exit(built);
}
process.exitCode = await run("git", ["diff", "--no-index", "--stat", join(root, "dist"), fresh]);
if (process.exitCode !== 0)
  console.error("dist/ is not what src/ builds: run npm run build and commit dist/.");
