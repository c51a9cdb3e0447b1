import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { root } from "../../scripts/support/run.ts";

const Versions = v.record(v.string(), v.string());
const Manifest = v.object({ dependencies: Versions, devDependencies: v.optional(Versions, {}) });
const readManifest = (folder: string) =>
  v.parse(Manifest, JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
const manifest = readManifest(".");

test("the tests run on the pinned Node 24, and so do the programs that they start", () => {
  const started = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();

  expect(process.version).toMatch(/^v24\./);
  expect(process.version).toBe(`v${manifest.devDependencies.node}`);
  expect(started).toBe(process.version);
});

test("every dependency is pinned to one version, the emulator's too", () => {
  const manifests = [manifest, readManifest("emulator")];
  const versions = manifests.flatMap(({ dependencies, devDependencies }) =>
    Object.values({ ...dependencies, ...devDependencies }),
  );

  for (const version of versions) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

describe("the lock file", () => {
  const text = readFileSync(join(root, "package-lock.json"), "utf8");
  const Package = v.object({ optionalDependencies: v.optional(Versions, {}) });
  const { packages } = v.parse(v.object({ packages: v.record(v.string(), Package) }), JSON.parse(text));

  test("names no registry", () => {
    expect(text).not.toMatch(/"resolved": "\w+:/);
  });

  // npm may leave out those that this machine does not need. npm ci fails on other machines then.
  test("lists the packages of every platform", () => {
    const listed = Object.keys(packages);
    const wanted = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies));

    const missing = wanted.filter((name) => !listed.some((path) => path.endsWith(`node_modules/${name}`)));

    expect(wanted).not.toEqual([]);
    expect(missing).toEqual([]);
  });
});

test("CI runs the same check as contributors", () => {
  expect(readFileSync(join(root, ".ci", "run"), "utf8")).toBe("#!/bin/sh\nnpm ci && npm test\n");
});
