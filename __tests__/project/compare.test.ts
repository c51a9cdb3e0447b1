import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { differences } from "../../scripts/bundle/compare.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "compare-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, files: Record<string, string>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name, path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

test("folders with the same files do not differ", () => {
  const files = { "index.js": "1", "sub/a.js": "2" };

  expect(differences(write("fresh", files), write("dist", files))).toEqual([]);
});

test("missing, changed and unexpected files are differences, in subfolders too", () => {
  const fresh = write("fresh", { "index.js": "1", "sub/a.js": "2", "gone.js": "3" });
  const dist = write("dist", { "index.js": "1\n", "sub/a.js": "2", "sub/extra.js": "" });

  expect(differences(fresh, dist)).toEqual([
    "gone.js is missing",
    "index.js differs",
    "sub/extra.js should not be there",
  ]);
});
