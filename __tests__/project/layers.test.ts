import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@jest/globals";

const source = join(import.meta.dirname, "../../src");

/** The folders of src/, and the files beside them. What a place imports stands before it here. */
const layers = [
  ["text", "clock.ts", "errors.ts", "runner", "ports.ts"],
  ["http", "api", "control-plane", "usage-api"],
  ["inputs", "github", "revisions", "plan"],
  ["progress", "write", "watch", "report"],
  ["deployment-run.ts", "after", "actions"],
  ["hiding-ports.ts", "run.ts", "start.ts", "main.ts"],
].flat();

function placeOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** The places that a file's relative imports lead to, its own left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  const places = paths.map((path) => placeOf(relative(source, join(source, dirname(file), path))));
  return places.filter((place) => place !== placeOf(file));
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

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
