import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { actionFolders, readActionFile } from "../../scripts/docs/action-file.ts";
import { archiveOfWorkTree } from "../../scripts/support/archive.ts";
import { root } from "../../scripts/support/run.ts";

const maxBytes = 420_000;

const archive = archiveOfWorkTree();

describe("the archive that every job downloads", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "archive-"));
    execFileSync("tar", ["--extract", "--directory", folder], { input: archive });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a file of the archive like the runner, but without any input. */
  async function run(file: string) {
    const commands = ["GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"];
    const files = commands.map((name) => [name, join(folder, name)] as const);
    for (const [, path] of files) writeFileSync(path, "");
    const env = { PATH: process.env.PATH, ...Object.fromEntries(files) };
    const child = spawn("node", [join(folder, file)], {
      cwd: tmpdir(),
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "exit"),
    ]);
    return { exitCode, stdout, stderr };
  }

  test(`has at most ${maxBytes} bytes`, () => {
    expect(gzipSync(archive).length).toBeLessThanOrEqual(maxBytes);
  });

  test("contains what a workflow needs, and nothing else", () => {
    const names = execFileSync("tar", ["--list"], { input: archive, encoding: "utf8" }).split("\n");

    const top = new Set(names.filter(Boolean).map((name) => name.split("/")[0]));

    expect([...top].sort()).toEqual(
      [...actionFolders.slice(1), "LICENSE", "README.md", "action.yml", "dist", "package.json"].sort(),
    );
  });

  test("names the license of every package that the actions use", () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(join(root, "package.json"), "utf8"),
    );

    const lines = readFileSync(join(folder, "dist/licenses.txt"), "utf8").split("\n");

    // The bundler writes the file for each chunk anew: with a second chunk, most packages would be missing.
    expect(Object.keys(dependencies).filter((name) => !lines.includes(name))).toEqual([]);
  });

  test("has actions that start, and report that their inputs are missing", async () => {
    const main = actionFolders.map((action) => {
      const { runs } = readActionFile(join(folder, action, "action.yml"));
      return posix.join(action, runs.main);
    });

    const runs = await Promise.all(main.map((file) => run(file)));

    const failed = { exitCode: 1, stderr: "", stdout: expect.stringMatching(/^::error[^:]*::\S/m) };
    expect(runs).toEqual(main.map(() => failed));
  });

  test("has post steps that succeed", async () => {
    const post = [".", "preview"].map((action) => {
      const { runs } = readActionFile(join(folder, action, "action.yml"));
      return posix.join(action, runs.post ?? "");
    });

    const runs = await Promise.all(post.map((file) => run(file)));

    expect(runs).toMatchObject(post.map(() => ({ exitCode: 0, stderr: "" })));
  });
});
