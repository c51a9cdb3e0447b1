import { describe, expect, test } from "@jest/globals";
import { findDuplicates } from "../../scripts/bundle/duplicates.ts";
import { bundledModules } from "../../scripts/bundle/modules.ts";

const lines = (count: number, ending: string) =>
  Array.from(
    { length: count },
    (_, index) => `  return theSameLongExpression(${index}) + another${ending};`,
  ).join("\n");

/** The duplicates in a bundle of one chunk. */
function duplicates(files: Record<string, string>): string[] {
  const modules = Object.keys(files).map((path) => ({ path, chunks: ["main"] }));
  return findDuplicates(modules, (path) => files[path] ?? "");
}

describe("duplicate code in a bundle:", () => {
  test("there is none in different files of different packages", () => {
    const files = {
      "build/main.js": lines(50, "ours"),
      "node_modules/a/index.js": lines(50, "a"),
      "node_modules/a/lib/other.js": lines(50, "other"),
      "node_modules/@scope/a/index.js": lines(50, "scoped"),
    };

    expect(duplicates(files)).toEqual([]);
  });

  test("two versions of a package are found", () => {
    const files = { "node_modules/a/index.js": "", "node_modules/@s/b/node_modules/a/index.js": "" };

    expect(duplicates(files)).toEqual([
      "package a is bundled from node_modules/a and node_modules/@s/b/node_modules/a",
    ]);
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

  test("a package that contains a copy of another is found", () => {
    const files = {
      "node_modules/a/index.js": lines(40, ""),
      "node_modules/b/dist/bundle.js": `${lines(400, "own")}\n${lines(40, "")}`,
    };

    expect(duplicates(files)).toHaveLength(1);
  });
});

test("the files of a bundle, concatenated ones too, are read from the bundler's statistics", () => {
  const main = "./build/main.js";
  const concatenated = [{ name: main }, { name: "./node_modules/a/index.js" }, { name: 'external "os"' }];
  const modules = [
    { name: `${main} + 1 modules`, chunks: [792], modules: concatenated },
    { name: "./node_modules/a/index.js", chunks: [] },
    { name: "./node_modules/b/index.js", chunks: ["413", "792"] },
    { name: 'external "fs"', chunks: [792] },
    { name: "webpack/runtime/ensure chunk", chunks: [792] },
  ];

  expect(bundledModules({ modules })).toEqual([
    { path: "build/main.js", chunks: ["792"] },
    { path: "node_modules/a/index.js", chunks: ["792"] },
    { path: "node_modules/b/index.js", chunks: ["413", "792"] },
  ]);
});

test("statistics of another shape are an error", () => {
  expect(() => bundledModules({ modules: [{ id: 1 }] })).toThrow();
});
