import { describe, expect, test } from "@jest/globals";
import { findDuplicates } from "../../scripts/bundle/duplicates.ts";
import { bundledModules } from "../../scripts/bundle/modules.ts";

const lines = (count: number, ending: string) =>
  Array.from(
    { length: count },
    (_, index) => `  return theSameLongExpression(${index}) + another${ending};`,
  ).join("\n");

/** Modules in one chunk, with a text of their own each unless one is given. */
function duplicates(files: Record<string, string>): string[] {
  const modules = Object.keys(files).map((path) => ({ path, chunks: ["main"] }));
  return findDuplicates(modules, (path) => files[path] ?? "");
}

describe("no dependency's code stands in dist/ twice", () => {
  test("a clean bundle has nothing to tell", () => {
    expect(
      duplicates({
        "build/main.js": lines(50, "ours"),
        "node_modules/a/index.js": lines(50, "a"),
        "node_modules/a/lib/other.js": lines(50, "other"),
        "node_modules/@scope/a/index.js": lines(50, "scoped"),
      }),
    ).toEqual([]);
  });

  test("two versions of a package are found", () => {
    expect(
      duplicates({ "node_modules/a/index.js": "", "node_modules/@s/b/node_modules/a/index.js": "" }),
    ).toEqual(["package a is bundled from node_modules/a and node_modules/@s/b/node_modules/a"]);
  });

  test("a file in two chunks is found", () => {
    const modules = [{ path: "node_modules/a/index.js", chunks: ["main", "413"] }];
    expect(findDuplicates(modules, () => "")).toEqual(["file node_modules/a/index.js is bundled 2 times"]);
  });

  test("the ESM and the CommonJS build of one package are found", () => {
    const files = {
      "node_modules/a/index.mjs": `import x from "x";\n${lines(40, "")}`,
      "node_modules/a/index.cjs": `const x = require("x");\n${lines(40, "")}`,
    };
    expect(duplicates(files)).toEqual([
      "files node_modules/a/index.mjs and node_modules/a/index.cjs hold the same code",
    ]);
  });

  test("a package that carries a copy of another is found", () => {
    const files = {
      "node_modules/a/index.js": lines(40, ""),
      "node_modules/b/dist/bundle.js": `${lines(400, "own")}\n${lines(40, "")}`,
    };
    expect(duplicates(files)).toHaveLength(1);
  });
});

describe("the files behind a bundle", () => {
  test("are read from the bundler's statistics, those of a concatenated module by their own names", () => {
    const stats = {
      modules: [
        {
          name: "./build/main.js + 1 modules",
          chunks: [792],
          modules: [
            { name: "./build/main.js" },
            { name: "./node_modules/a/index.js" },
            { name: 'external "os"' },
          ],
        },
        { name: "./node_modules/a/index.js", chunks: [] },
        { name: "./node_modules/b/index.js", chunks: ["413", "792"] },
        { name: 'external "fs"', chunks: [792] },
        { name: "webpack/runtime/ensure chunk", chunks: [792] },
      ],
    };
    expect(bundledModules(stats)).toEqual([
      { path: "build/main.js", chunks: ["792"] },
      { path: "node_modules/a/index.js", chunks: ["792"] },
      { path: "node_modules/b/index.js", chunks: ["413", "792"] },
    ]);
  });

  test("statistics of another form are an error", () => {
    expect(() => bundledModules({ modules: [{ id: 1 }] })).toThrow();
  });
});
