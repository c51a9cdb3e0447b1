import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync } from "@swc/core";
import { mustRun, root } from "../support/run.ts";
import { launchers } from "./launchers.ts";
import { licenceTexts } from "./licences.ts";
import { type BundledModule, bundledModules } from "./modules.ts";

/**
 * Builds everything that belongs into `dist/` into an empty folder, and tells which files went into the bundle. The
 * compiled files always stand in `build/`: the bundler derives names from their paths, and the result has to be the
 * same, byte for byte, wherever it is written.
 */
export async function bundle(folder: string): Promise<BundledModule[]> {
  const compiled = join(root, "build");
  const statistics = join(compiled, "statistics.json");
  rmSync(compiled, { recursive: true, force: true });
  await mustRun("tsc", ["-p", "tsconfig.build.json"]);
  await mustRun("ncc", [
    "build",
    join(compiled, "main.js"),
    ...["--out", folder, "--no-cache", "--quiet", "--stats-out", statistics],
  ]);
  minifyScripts(folder);
  const modules = bundledModules(JSON.parse(readFileSync(statistics, "utf8")));
  for (const [name, text] of launchers) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "licenses.txt"), licenceTexts(root, modules));
  return modules;
}

/** Minifies every file of the bundle: the bundler itself would leave those that are loaded later as they are. */
function minifyScripts(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const path = join(folder, name);
    const { code } = minifySync(readFileSync(path, "utf8"), { module: true, compress: true, mangle: true });
    writeFileSync(path, code);
  }
}
