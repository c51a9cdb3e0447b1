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
  const env = { ...process.env, PATH: path, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: "OWNER/REPO" };
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

test("the command to move the major tag by hand is shown if GitHub refuses the push, and works", () => {
  release("v1.9.0", "v1");
  const newest = release("v1.10.0");
  const hook = join(origin, "hooks/update");
  writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 });

  const output = failureOf(() => runStep(moveMajorTag, "v1.10.0"));

  rmSync(hook);
  const command = /::error::Move v1 by hand: (.*)/.exec(output)?.[1] ?? "";
  execFileSync("sh", ["-c", command], { cwd: clone, stdio: "pipe" });
  expect(tagOnServer("v1")).toBe(newest);
});

test("the notes of a release are the changelog's section for its version", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\nNext.\n\n## [1.2.3] - 2026-01-01\n\nNew.\n\n## [1.2.2] - 2025-01-01\n\nOld.\n\n[1.2.3]: https://example.com\n";
  writeFileSync(join(clone, "CHANGELOG.md"), changelog);
  const notesOf = (tag: string) => {
    runStep("Take the notes from the changelog", tag);
    return readFileSync(join(clone, "notes.md"), "utf8").trim();
  };

  expect([notesOf("v1.2.3"), notesOf("v1.2.2")]).toEqual(["New.", "Old."]);
  expect(failureOf(() => notesOf("v1.2.4"))).toContain("CHANGELOG.md has no section for 1.2.4.");
});

/** The commit of a version with a reusable workflow of these steps. */
function commitWorkflow(version: string, steps: string): string {
  mkdirSync(join(clone, ".github/workflows"), { recursive: true });
  writeFileSync(join(clone, ".github/workflows/deploy-agent.yml"), steps);
  writeFileSync(join(clone, "package.json"), JSON.stringify({ version }));
  git("add", ".");
  git("commit", "--quiet", "--allow-empty", "--message", version);
  return git("rev-parse", "HEAD");
}

const pin = () =>
  execFileSync(process.execPath, [join(root, "scripts/pin-actions.ts")], { cwd: clone, stdio: "pipe" });
const workflowUses = () =>
  readFileSync(join(clone, ".github/workflows/deploy-agent.yml"), "utf8").trim().split("\n");
const checkPins = "Check that the reusable workflow uses the actions by the commit before";
const checkout = "uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const unpinned = `${checkout}\nuses: OWNER/REPO@v1\nuses: OWNER/REPO/preview@v1\n`;

test("the reusable workflow of a release uses the actions by the commit before it, release after release", () => {
  const first = commitWorkflow("1.2.3", unpinned);
  pin();
  const pinned = workflowUses();
  git("commit", "--quiet", "--all", "--message", "Release v1.2.3");
  runStep(checkPins, "v1.2.3");
  const second = commitWorkflow("1.3.0", `${workflowUses().join("\n")}\n`);
  pin();
  git("commit", "--quiet", "--all", "--message", "Release v1.3.0");
  runStep(checkPins, "v1.3.0");

  const uses = (commit: string, version: string) =>
    ["OWNER/REPO", "OWNER/REPO/preview"].map((action) => `uses: ${action}@${commit} # ${version}`);
  expect(pinned).toEqual([checkout, ...uses(first, "v1.2.3")]);
  expect(workflowUses()).toEqual([checkout, ...uses(second, "v1.3.0")]);
});

test.each<[string, (before: string) => void, RegExp]>([
  ["does not pin", () => git("commit", "--quiet", "--allow-empty", "--message", "x"), /OWNER\/REPO@v1/],
  [
    "pins in part",
    (before) => commitWorkflow("1.2.3", unpinned.replace("OWNER/REPO@v1", `OWNER/REPO@${before} # v1.2.3`)),
    /Not used by the commit before .*OWNER\/REPO\/preview@v1/,
  ],
  [
    "pins by an older commit",
    () => {
      pin();
      git("commit", "--quiet", "--all", "--message", "Pin");
      git("commit", "--quiet", "--allow-empty", "--message", "Later");
    },
    /Not used by the commit before/,
  ],
  [
    "changes something else",
    () => {
      pin();
      writeFileSync(join(clone, "action.yml"), "x");
      git("add", ".");
      git("commit", "--quiet", "--message", "Pin and change");
    },
    /changes more than/,
  ],
])("a tag whose commit %s is not released", (_what, tagged, message) => {
  tagged(commitWorkflow("1.2.3", unpinned));

  expect(failureOf(() => runStep(checkPins, "v1.2.3"))).toMatch(message);
});

/** What a script that failed printed. @throws if it succeeded */
function failureOf(script: () => string): string {
  try {
    script();
  } catch (error) {
    return String(Object(error).stdout);
  }
  throw new Error("The script succeeded");
}

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
  [
    "a draft of its own",
    "exit 1",
    ["view v1.2.3", "create v1.2.3 --draft --verify-tag --notes-file notes.md"],
  ],
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
