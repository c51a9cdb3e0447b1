import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { root } from "../../scripts/support/run.ts";

const Versions = v.record(v.string(), v.string());
const Manifest = v.object({ dependencies: Versions, devDependencies: Versions });
const manifest = v.parse(Manifest, JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

test("the tests, the programs that they start and .node-version have the Node that package.json pins", () => {
  const { node } = manifest.devDependencies;
  const started = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();

  expect(process.version).toBe(`v${node}`);
  expect(started).toBe(process.version);
  expect(readFileSync(join(root, ".node-version"), "utf8")).toBe(`${node}\n`);
});

test("every dependency is pinned to one version", () => {
  const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

// npm may leave out those that this machine does not need. npm ci fails on other machines then.
test("the lock file lists the optional packages of every platform, and no registry", () => {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const Package = v.object({ optionalDependencies: v.optional(Versions, {}) });
  const { packages } = v.parse(v.object({ packages: v.record(v.string(), Package) }), JSON.parse(text));

  const wanted = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies));
  const missing = wanted.filter(
    (name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)),
  );

  expect(text).not.toMatch(/"resolved": "http/);
  expect(wanted).not.toEqual([]);
  expect(missing).toEqual([]);
});
