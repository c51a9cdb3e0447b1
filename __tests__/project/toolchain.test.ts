import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { root } from "../../scripts/support/run.ts";

const Versions = v.record(v.string(), v.string());
const Manifest = v.object({ dependencies: Versions, devDependencies: Versions, scripts: Versions });
const manifest = v.parse(Manifest, JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

test("the tests run on the Node that the runner uses", () => {
  expect(process.version).toMatch(/^v24\./);
});

test("that Node is the pinned one, also for programs that the tests start", () => {
  const version = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();
  expect(version).toBe(`v${manifest.devDependencies.node}`);
  expect(process.version).toBe(version);
});

test("every dependency is pinned to one version", () => {
  const versions = { ...manifest.dependencies, ...manifest.devDependencies };
  for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the lock file names no registry", () => {
  expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved"/);
});

test("CI runs what contributors run", () => {
  expect(readFileSync(join(root, ".ci", "run"), "utf8")).toBe("#!/bin/sh\nnpm ci && npm test\n");
});
