import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import * as v from "valibot";
import { parse } from "yaml";
import { root } from "../../scripts/support/run.ts";

const Workflow = v.object({
  jobs: v.record(
    v.string(),
    v.object({ steps: v.array(v.object({ name: v.optional(v.string()), run: v.optional(v.string()) })) }),
  ),
});

const { jobs } = v.parse(Workflow, parse(readFileSync(join(root, ".github/workflows/release.yml"), "utf8")));

let folder = "";
let clone = "";
let origin = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  origin = join(folder, "origin.git");
  clone = join(folder, "clone");
  execFileSync("git", ["init", "--quiet", "--bare", origin]);
  execFileSync("git", ["clone", "--quiet", origin, clone], { stdio: "ignore" });
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  const identity = ["-c", "user.name=Someone", "-c", "user.email=someone@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: clone, encoding: "utf8" }).trim();
}

/** Makes a commit with these tags on the server. */
function release(...tags: string[]): string {
  git("commit", "--quiet", "--allow-empty", "--message", tags.join());
  for (const tag of tags) git("tag", "--force", tag);
  git("push", "--quiet", "--force", "--tags", "origin", "HEAD");
  return git("rev-parse", "HEAD");
}

/** Runs the script of a step of the release workflow in the clone, as the runner does. */
function runStep(name: string, tag: string, path = process.env.PATH): string {
  const script = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`There is no step ${name}`);
  const env = { ...process.env, PATH: path, GITHUB_REF_NAME: tag };
  return execFileSync("bash", ["-e", "-c", script], { cwd: clone, env, encoding: "utf8", stdio: "pipe" });
}

/** The commit of a tag on the server. */
function tagOnServer(tag: string): string {
  return execFileSync("git", ["rev-parse", `refs/tags/${tag}`], { cwd: origin, encoding: "utf8" }).trim();
}

const moveMajorTag = "Move the major tag, unless a newer release has it";

test("the major tag moves to the newest release, and to no release candidate or other major version", () => {
  release("v1.9.0", "v1");
  release("v2.0.0", "v1.11.0-rc.1");
  const newest = release("v1.10.0");

  runStep(moveMajorTag, "v1.10.0");

  expect(tagOnServer("v1")).toBe(newest);
});

test("the major tag stays if a newer release has it", () => {
  const newest = release("v1.10.0", "v1");
  release("v1.9.1");

  const output = runStep(moveMajorTag, "v1.9.1");

  expect(output).toContain("v1.10.0 is newer than v1.9.1");
  expect(tagOnServer("v1")).toBe(newest);
});

test("a release has an archive without what is ignored, and a checksum that holds for it", () => {
  mkdirSync(join(clone, "dist"));
  writeFileSync(join(clone, "dist/deploy.js"), "x");
  writeFileSync(join(clone, "notes.md"), "x");
  writeFileSync(join(clone, ".gitattributes"), "notes.md export-ignore\n");
  git("add", ".");
  release("v1.2.3");

  runStep("Make the archive and its checksum", "v1.2.3");

  const options = { cwd: join(clone, "release"), encoding: "utf8" } as const;
  const archive = "deploy-agent-server-v1.2.3.tar.gz";
  expect(execFileSync("sha256sum", ["--check", "SHA256SUMS"], options)).toBe(`${archive}: OK\n`);
  const names = execFileSync("tar", ["--list", "--gzip", "--file", archive], options);
  expect(names.split("\n")).toContain("deploy-agent-server-v1.2.3/dist/deploy.js");
  expect(names).not.toContain("notes.md");
});

test.each([
  ["a draft of its own", "exit 1", ["view v1.2.3", "create v1.2.3 --draft"]],
  ["the draft of an earlier attempt", "exit 0", ["view v1.2.3"]],
])("files are attached to %s before it is published", (_what, view, before) => {
  const log = join(folder, "gh.log");
  mkdirSync(join(folder, "bin"));
  writeFileSync(
    join(folder, "bin/gh"),
    `#!/bin/sh\necho "$@" >> '${log}'\ncase "$2" in view) ${view};; esac\n`,
    { mode: 0o755 },
  );
  mkdirSync(join(clone, "release"));
  writeFileSync(join(clone, "release/SHA256SUMS"), "");

  const path = `${join(folder, "bin")}:${process.env.PATH}`;
  runStep("Attach the files to a draft, then publish it", "v1.2.3", path);

  const calls = readFileSync(log, "utf8").trim().split("\n");
  const expected = [...before, "upload v1.2.3 --clobber release/SHA256SUMS", "edit v1.2.3 --draft=false"];
  expect(calls).toEqual(expected.map((call) => expect.stringMatching(new RegExp(`^release ${call}`))));
});
