// `npm run build [-- FOLDER]`: builds dist/, or the same into another folder, which must be empty or missing.
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { actionFolders, readActionFile } from "./docs/action-file.ts";
import { mustRun, root, run } from "./support/run.ts";

const dist = join(root, "dist");
const folder = resolve(process.argv[2] ?? dist);
const compiled = join(root, "build");
if (folder === dist) rmSync(dist, { recursive: true, force: true });
// Always in this folder: the bundler derives names from the paths, and the bundle must be the same wherever it is written.
rmSync(compiled, { recursive: true, force: true });
const compiling = await run("tsc", ["-p", "tsconfig.build.json"]);
// It has printed its errors.
if (compiling !== 0) process.exit(compiling);
const bundling = ["--out", folder, "--minify", "--license", "licenses.txt", "--no-cache", "--quiet"];
await mustRun("ncc", ["build", join(compiled, "main.js"), ...bundling]);

// A `post:` step runs in every job and almost always has nothing to do: it decides that before it loads the bundle. This file
// imports nothing.
copyFileSync(join(compiled, "report", "runner", "saved-state.js"), join(folder, "saved-state.js"));

// One line for each file that an action.yml starts: dist/deploy-post.js is the post step of `deploy`.
for (const action of actionFolders) {
  const { main, post } = readActionFile(join(root, action, "action.yml")).runs;
  const name = action === "." ? "deploy" : action;
  writeLauncher(main, `(await import("./index.js")).main("${name}", "main");`);
  if (post === undefined) continue;
  const cleanUp = `(await import("./index.js")).main("${name}", "post");`;
  const check = 'import { needsCleanUp } from "./saved-state.js"; if (needsCleanUp(process.env))';
  writeLauncher(post, `${check} ${cleanUp}`);
}

function writeLauncher(started: string, line: string): void {
  writeFileSync(join(folder, basename(started)), `${line}\n`);
}
