import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { minifySync } from "@swc/core";
import { mustRun, root } from "../support/run.ts";
import { launchers } from "./launchers.ts";
import { licenceTexts } from "./licences.ts";
import { type BundledModule, bundledModules } from "./modules.ts";

/**
 * Builds everything in `dist/` into an empty folder, and returns the files in the bundle. The compiled files are always in
 * `build/`: the bundler derives names from their paths, and the result must be the same, byte for byte, in every folder.
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

/** Minifies every file of the bundle: the bundler leaves those that are loaded later as they are. */
function minifyScripts(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith(".js"))) {
    const path = join(folder, name);
    const source = withMarkedModules(withBuiltinModules(readFileSync(path, "utf8")));
    const { code } = minifySync(source, { module: true, compress: true, mangle: true });
    writeFileSync(path, code.replaceAll(`${eagerMark}(`, "("));
  }
}

/**
 * The bundler makes a `require` for each of Node's modules, which costs some milliseconds at every start. Node hands them
 * out directly (https://nodejs.org/api/process.html#processgetbuiltinmoduleid).
 */
function withBuiltinModules(source: string): string {
  return source
    .replace(/^import \{ createRequire as (\w+) \} from "module";$/m, "")
    .replace(/\b__WEBPACK_EXTERNAL_createRequire\(import\.meta\.url\)/g, "process.getBuiltinModule");
}

const eagerMark = "__eager";

/**
 * The bundler puts the function of each module in parentheses: then V8 compiles it at once instead of parsing it twice
 * (https://v8.dev/blog/preparser#pife). The minifier would remove them, so they become calls until it is done.
 */
function withMarkedModules(source: string): string {
  return source.replaceAll(/^\/\*{3}\/ (?=\((?:\(|function))/gm, `$&${eagerMark}`);
}
