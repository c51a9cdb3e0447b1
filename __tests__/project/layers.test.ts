import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "@jest/globals";

const source = join(import.meta.dirname, "../../src");
const emulator = join(import.meta.dirname, "../../emulator");

/** The folders of src/ and the files beside them. Each may import only what stands before it. */
const layers = [
  [
    "clock.ts",
    "text",
    "settle-or-abort.ts",
    "outcomes.ts",
    "errors.ts",
    "input-problem.ts",
    "workflow-run.ts",
  ],
  ["http", "platform", "agent", "compare"],
  ["state", "report", "context.ts", "writes.ts"],
  ["github", "checks", "source", "deployments", "deploy", "inputs"],
  ["usage", "oauth-provider", "previews", "actions"],
  ["run.ts", "main.ts"],
].flat();

/** The folders in these. Each may import only from those before it. */
const stages: Readonly<Record<string, readonly string[]>> = {
  deploy: ["plan", "find", "make", "watch", "check", "rollback"],
  report: ["runner", "sections"],
};

function placeOf(path: string): string {
  return path.split("/")[0] ?? "";
}

/** The folder of a place that a path is in; empty if in none. */
function stageOf(path: string): string {
  const [, folder = "", file] = path.split("/");
  return file !== undefined ? folder : "";
}

/** The files of a folder, without its tests. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/^(__tests__|node_modules)\//.test(file),
  );
}

/** The files that a file imports, as paths below src/. */
function importedFiles(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const paths = [...text.matchAll(/(?:\bfrom|\bimport\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) => path);
  const own = paths.filter((path) => !path.includes("/node_modules/"));
  return own.map((path) => relative(source, join(folder, dirname(file), path)));
}

function placesImportedBy(file: string): string[] {
  return importedFiles(source, file)
    .map(placeOf)
    .filter((place) => place !== placeOf(file));
}

const files = filesIn(source);

test("every folder and file in src/ has a layer", () => {
  expect(readdirSync(source).toSorted()).toEqual(layers.toSorted());
});

test("no file in src/ imports from a later layer", () => {
  const upward = files.flatMap((file) =>
    placesImportedBy(file)
      .filter((place) => layers.indexOf(place) > layers.indexOf(placeOf(file)))
      .map((place) => `${file} imports from ${place}`),
  );

  expect(upward).toEqual([]);
});

test.each(Object.entries(stages))("every folder in src/%s/ has its turn", (place, folders) => {
  const found = readdirSync(join(source, place), { withFileTypes: true }).filter((one) => one.isDirectory());

  expect(found.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
});

test.each(Object.entries(stages))("no folder in src/%s/ imports from a later one", (place, folders) => {
  const inPlace = files.filter((file) => placeOf(file) === place);
  const upward = inPlace.flatMap((file) => {
    const turn = folders.indexOf(stageOf(file));
    return importedFiles(source, file)
      .filter((path) => turn >= 0 && placeOf(path) === place && folders.indexOf(stageOf(path)) > turn)
      .map((path) => `${file} imports ${path}`);
  });

  expect(upward).toEqual([]);
});

test("only the report redacts, sanitizes and escapes text, and only the inputs know what is secret", () => {
  const border = ["text/sanitize.ts", "text/markdown.ts", "text/redact.ts", "text/run-redactor.ts"];
  const outside = files
    .filter((file) => !["text", "report"].includes(placeOf(file)) && file !== "inputs/masks.ts")
    .filter((file) => importedFiles(source, file).some((path) => border.includes(path)));

  expect(outside).toEqual([]);
});

test("no file in src/ imports from outside of it", () => {
  const outward = files.filter((file) => placesImportedBy(file).includes(".."));

  expect(outward).toEqual([]);
});

test("no files import each other in a circle, in src/ or in the emulator", () => {
  const circles = [source, emulator].flatMap((folder) => circlesIn(folder));

  expect(circles).toEqual([]);
});

test("the emulator imports only the schemas of requests and responses from outside, so that it can't repeat a wrong rule", () => {
  const schemas = ["usage", "oauth-provider"].map((folder) => `${folder}/schemas.ts`);
  const others = filesIn(emulator).flatMap((file) =>
    importedFiles(emulator, file)
      .filter((path) => !path.startsWith("../emulator/") && !schemas.includes(path))
      .map((path) => `${file} imports ${path}`),
  );

  expect(others).toEqual([]);
});

/** The files of a folder that are left once every file without imports among the rest has been removed. */
function circlesIn(folder: string): string[] {
  const imports = new Map(
    filesIn(folder).map((file) => [
      file,
      importedFiles(folder, file).map((path) => relative(folder, join(source, path))),
    ]),
  );
  for (let removed = true; removed; ) {
    removed = false;
    for (const [file, imported] of imports) {
      if (imported.some((path) => imports.has(path))) continue;
      imports.delete(file);
      removed = true;
    }
  }
  return [...imports.keys()];
}
