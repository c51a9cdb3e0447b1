// Part of `npm test`: fails unless dist/ is what `npm run build` makes of src/, without duplicate code.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle/bundle.ts";
import { differences } from "./bundle/compare.ts";
import { findDuplicates } from "./bundle/duplicates.ts";
import { root } from "./support/run.ts";

async function problems(fresh: string): Promise<string[]> {
  const modules = await bundle(fresh);
  const duplicates = findDuplicates(modules, (path) => readFileSync(join(root, path), "utf8"));
  const dist = join(root, "dist");
  if (!existsSync(dist)) return ["dist/ is missing: run npm run build and commit dist/", ...duplicates];
  const drift = differences(fresh, dist).map((text) => `dist/${text}: run npm run build and commit dist/`);
  return [...drift, ...duplicates];
}

const fresh = mkdtempSync(join(tmpdir(), "dist-"));
try {
  const found = await problems(fresh);
  for (const problem of found) console.error(problem);
  if (found.length > 0) process.exitCode = 1;
  else console.log("dist/ is what src/ builds, and has no duplicate code.");
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
