import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { actionFolders, readActionFile } from "../../scripts/docs/action-file.ts";
import { root } from "../../scripts/support/run.ts";

/** What each job that uses the action downloads at the most, in bytes. */
const LARGEST_DOWNLOAD = 250_000;

const archive = execFileSync("git", ["archive", "--format=tar", "HEAD"], {
  cwd: root,
  maxBuffer: 64 * 1024 * 1024,
});

describe("the archive that a job downloads", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "archive-"));
    execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a file of the archive like the runner would, but with no input at all. */
  function start(file: string) {
    const commands = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];
    const files = commands.map((name) => [name, join(folder, name)] as const);
    for (const [, path] of files) writeFileSync(path, "");
    const env = { PATH: process.env.PATH, ...Object.fromEntries(files) };
    return spawnSync("node", [join(folder, file)], { cwd: tmpdir(), encoding: "utf8", env });
  }

  test("is small", () => {
    expect(gzipSync(archive).length).toBeLessThan(LARGEST_DOWNLOAD);
  });

  test("holds what a workflow needs, and nothing else", () => {
    const names = execFileSync("tar", ["--list"], { input: archive, encoding: "utf8" }).split("\n");
    const top = new Set(names.filter(Boolean).map((name) => name.split("/")[0]));
    expect([...top].sort()).toEqual(
      [...actionFolders.slice(1), "LICENSE", "README.md", "action.yml", "dist", "package.json"].sort(),
    );
  });

  // An action that starts says what is wrong with its inputs. One that node cannot load has no chance to.
  test.each(actionFolders)("has an action in %s that starts", (action) => {
    const { main } = readActionFile(join(folder, action, "action.yml")).runs;
    const { status, stdout, stderr } = start(posix.join(action, main));
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^::error[^:]*::\S/m);
    expect(status).toBe(1);
  });

  test.each([".", "preview"] as const)("has an action in %s whose post step ends green", (action) => {
    const { post = "none" } = readActionFile(join(folder, action, "action.yml")).runs;
    const { status, stderr } = start(posix.join(action, post));
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });
});
