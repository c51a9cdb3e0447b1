// Files of a checkout that make git execute commands, or that pretend to be another checkout.

import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { deployedFiles, useWorkspace } from "../scenario/upload/support.ts";
import { startScenario } from "../support/scenario.ts";
import { gitIn, plainConfig, writeTree } from "../support/source-tree.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith" } as const;
const executed = () => join(workspace.path, "executed");

const commands = [
  ["core.fsmonitor", "touch {}; false"],
  ["filter.x.clean", "touch {}; cat"],
  ["filter.x.process", "touch {}; false"],
  ["core.sshCommand", "touch {}; false"],
  ["core.pager", "touch {}; cat"],
  ["diff.external", "touch {}; true"],
] as const;

/** Makes a folder a repository whose settings run commands, and whose index makes git look into a file. */
function makeHostile(folder: string): void {
  writeTree(folder, { ".gitattributes": "* filter=x diff=x\n", "spoofed.txt": "1" });
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", ".");
  gitIn(folder, "commit", "--quiet", "--message", "spoofed");
  gitIn(folder, "remote", "add", "origin", "https://github.com/owner/repo");
  for (const [name, command] of commands) {
    gitIn(folder, "config", name, command.replace("{}", executed()));
  }
  // Of the same size, so that only the content shows the change.
  writeTree(folder, { "spoofed.txt": "2" });
}

/** The files of a repository in the folder itself, without `.git`: such files can be committed. */
function makeBare(folder: string): void {
  makeHostile(folder);
  gitIn(folder, "config", "core.bare", "false");
  gitIn(folder, "config", "core.worktree", ".");
  for (const name of ["HEAD", "config", "index", "objects", "refs"]) {
    renameSync(join(folder, ".git", name), join(folder, name));
  }
  rmSync(join(folder, ".git"), { recursive: true });
}

describe.each([
  ["in a checkout", true],
  ["without a checkout", false],
])("%s", (_what, isCheckout) => {
  test.each([
    ["above source_path", "agents", "agents/a"],
    ["at source_path", "agents/a", "agents/a"],
    ["below source_path", "agents/a/vendor", "agents/a"],
  ])(
    "a committed repository without .git %s executes nothing and is not believed",
    async (_where, at, source_path) => {
      workspace.write({ "agents/a/langgraph.json": plainConfig });
      makeBare(join(workspace.path, at));
      if (isCheckout) {
        gitIn(workspace.path, "init", "--quiet");
        gitIn(workspace.path, "add", ".");
        gitIn(workspace.path, "commit", "--quiet", "--message", "first");
      }
      const { deploy } = await startScenario(platform);

      const run = await deploy({ source_path }, workspace.env);

      expect(run.outputs.outcome).toBe("deployed");
      expect(existsSync(executed())).toBe(false);
      const head = isCheckout ? gitIn(workspace.path, "rev-parse", "HEAD").trim() : undefined;
      expect(run.outputs.commit_sha || undefined).toBe(head);
      expect(run.summary).not.toContain("with local changes");
    },
  );
});

test("the settings of a checkout execute nothing", async () => {
  makeHostile(workspace.path);
  const { deploy, emulator, stored } = await startScenario(platform);

  const run = await deploy({ source_path: "." }, workspace.env);

  expect(existsSync(executed())).toBe(false);
  expect(await deployedFiles(emulator, stored())).toEqual([
    [".gitattributes", "langgraph.json", "spoofed.txt"],
  ]);
  // Files with a filter are not compared.
  expect(run.summary).not.toContain("with local changes");
});

test("what a partial clone lacks is not fetched with a command of its settings", async () => {
  gitIn(workspace.path, "init", "--quiet");
  gitIn(workspace.path, "add", ".");
  gitIn(workspace.path, "commit", "--quiet", "--message", "first");
  const tree = gitIn(workspace.path, "rev-parse", "HEAD^{tree}").trim();
  for (const [name, value] of [
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", `ext::touch ${executed()}`],
    ["protocol.ext.allow", "always"],
  ] as const) {
    gitIn(workspace.path, "config", name, value);
  }
  rmSync(join(workspace.path, ".git/objects", tree.slice(0, 2), tree.slice(2)));
  const { deploy } = await startScenario(platform);

  const run = await deploy({ source_path: "." }, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(existsSync(executed())).toBe(false);
});

describe("the environment of git", () => {
  const { PATH } = process.env;
  const name = "INPUT_API_KEY";
  afterEach(() => {
    process.env.PATH = PATH;
    delete process.env[name];
  });

  test("holds no input of the step", async () => {
    const log = join(workspace.path, "log");
    const script = `#!/bin/sh\nenv >> ${log}\nPATH='${PATH}' exec git "$@"`;
    workspace.write({ "bin/git": { content: script, mode: 0o755 } });
    gitIn(workspace.path, "init", "--quiet");
    gitIn(workspace.path, "add", ".");
    gitIn(workspace.path, "commit", "--quiet", "--message", "first");
    Object.assign(process.env, { PATH: `${workspace.path}/bin:${PATH}`, [name]: "canary" });
    const { deploy } = await startScenario(platform);

    await deploy({ source_path: "." }, workspace.env);

    const environment = readFileSync(log, "utf8");
    expect(environment).toContain("PATH=");
    expect(environment).not.toMatch(/INPUT_|canary/);
  });
});
