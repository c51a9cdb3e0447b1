// `npm run build`: builds dist/. If that fails, dist/ stays as it was.
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle/bundle.ts";
import { root } from "./support/run.ts";

const dist = join(root, "dist");
const fresh = join(root, "dist.tmp");
rmSync(fresh, { recursive: true, force: true });
try {
  await bundle(fresh);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
