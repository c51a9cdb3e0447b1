import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@jest/globals";

const source = join(import.meta.dirname, "../../src");
const emulator = join(import.meta.dirname, "../../emulator");

/** The folders of src/, and the files beside them. What a place imports stands before it here. */
const layers = [
  ["text", "clock.ts", "errors.ts", "runner", "context.ts"],
  ["http", "api", "control-plane", "usage-api"],
  ["inputs", "github", "revisions", "plan"],
  ["progress", "write", "watch", "report"],
  ["deployment-run.ts", "after", "actions"],
  ["createRedactor-context.ts", "run.ts", "start.ts", "main.ts"],
].flat();

function placeOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** The files that a file's relative imports lead to, seen from `src/`. */
function importedFiles(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  return paths.map((path) => relative(source, join(folder, dirname(file), path)));
}

/** The places that they are in, the file's own left out. */
function importsOf(file: string): string[] {
  return importedFiles(source, file)
    .map(placeOf)
    .filter((place) => place !== placeOf(file));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
}

const files = filesIn(source);

test("every place in src/ has its layer", () => {
  expect(readdirSync(source).toSorted()).toEqual(layers.toSorted());
});

test("a run goes one way through src/: nothing imports what comes after it", () => {
  const upward = files.flatMap((file) =>
    importsOf(file)
      .filter((place) => layers.indexOf(place) > layers.indexOf(placeOf(file)))
      .map((place) => `${file} imports from ${place}`),
  );
  expect(upward).toEqual([]);
});

test("src/ imports nothing from outside of it", () => {
  const outward = files.filter((file) => importsOf(file).includes(".."));
  expect(outward).toEqual([]);
});

test("the emulator takes nothing from src/ but the wire's schemas: its rules are its own, so that it can't repeat a wrong one", () => {
  const others = filesIn(emulator).flatMap((file) =>
    importedFiles(emulator, file)
      .filter((path) => placeOf(path) !== ".." && !/(^|[/-])schemas\.ts$/.test(path))
      .map((path) => `${file} imports ${path}`),
  );
  expect(others).toEqual([]);
});
