// `npm run build [-- FOLDER]`: builds dist/, or the same into another folder, which must be empty or missing.
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { mustRun, root } from "./support/run.ts";

const dist = join(root, "dist");
const folder = resolve(process.argv[2] ?? dist);
const compiled = join(root, "build");
if (folder === dist) rmSync(dist, { recursive: true, force: true });
// Always here: the bundler derives names from the paths, and the bundle must be the same wherever it is written.
rmSync(compiled, { recursive: true, force: true });
await mustRun("tsc", ["-p", "tsconfig.build.json"]);
const bundling = ["--out", folder, "--minify", "--license", "licenses.txt", "--no-cache", "--quiet"];
await mustRun("ncc", ["build", join(compiled, "main.js"), ...bundling]);

// One line for each file that an action.yml starts: dist/deploy-post.js is the post step of `deploy`.
for (const action of actionFolders) {
  const { main, post } = readActionFile(join(root, action, "action.yml")).runs;
  const name = action === "." ? "deploy" : action;
  writeLauncher(main, name, "main");
  if (post !== undefined) writeLauncher(post, name, "post");
}

function writeLauncher(started: string, action: string, phase: "main" | "post"): void {
  const file = started.slice(started.lastIndexOf("/") + 1);
  writeFileSync(join(folder, file), `(await import("./index.js")).main("${action}", "${phase}");\n`);
}
