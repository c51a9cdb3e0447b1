// What a build runs, and where, as the platform does it. `npm run test:vendor` builds with real package managers.
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { type BuildChoice, buildSteps } from "../../runner/commands.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { readRevision } from "../support/langsmith.ts";
import { deployFiles } from "./support/deploy-files.ts";
import { agentFile } from "./support/repository.ts";
import { withRunning } from "./support/running.ts";

type Files = Readonly<Record<string, string>>;

/** The commands for these files and the folders that they run in, relative to the root. */
async function stepsFor(files: Files, choice: Partial<BuildChoice> = {}) {
  return await withTemporaryFolder(async (root) => {
    const folder = join(root, "apps/desk");
    for (const [name, text] of Object.entries({ "apps/desk/langgraph.json": "{}", ...files })) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    const given = { buildCommand: undefined, ownInstall: null, ownBuild: null, ...choice };
    const steps = buildSteps({ root, folder, ...given });
    return steps.map(({ command, folder: where }) => [
      command.at(0) === "/bin/sh" ? command.at(2) : command.join(" "),
      where === root ? "root" : "folder",
    ]);
  });
}

const packageOf = (packageManager: unknown) => JSON.stringify({ name: "desk", packageManager });

test.each<[string, Files, string | undefined]>([
  ["nothing", {}, undefined],
  ["a package.json", { "package.json": "{}" }, "npm install"],
  ["a package-lock.json", { "package.json": "{}", "package-lock.json": "{}" }, "npm ci"],
  ["a yarn.lock", { "package.json": "{}", "yarn.lock": "" }, "yarn install --frozen-lockfile"],
  ["a pnpm-lock.yaml", { "package.json": "{}", "pnpm-lock.yaml": "" }, "pnpm install --frozen-lockfile"],
  ["a bun.lock", { "package.json": "{}", "bun.lock": "" }, "bun install"],
  ["a bun.lockb", { "package.json": "{}", "bun.lockb": "" }, "bun install"],
  [
    "a yarn.lock beside one of npm",
    { "yarn.lock": "", "package-lock.json": "{}" },
    "yarn install --frozen-lockfile",
  ],
  [
    "a yarn.lock beside one of pnpm",
    { "yarn.lock": "", "pnpm-lock.yaml": "" },
    "yarn install --frozen-lockfile",
  ],
  [
    "a pnpm-lock.yaml beside one of npm",
    { "pnpm-lock.yaml": "", "package-lock.json": "{}" },
    "pnpm install --frozen-lockfile",
  ],
  ["a package-lock.json beside one of bun", { "package-lock.json": "{}", "bun.lockb": "" }, "npm ci"],
  ["packageManager pnpm", { "package.json": packageOf("pnpm@10.2.0") }, "pnpm install"],
  ["packageManager yarn", { "package.json": packageOf("yarn@4.9.1+sha224.abc") }, "yarn install"],
  ["packageManager bun", { "package.json": packageOf("bun") }, "bun install"],
  ["packageManager npm", { "package.json": packageOf("npm@11.0.0") }, "npm install"],
  ["an unknown packageManager", { "package.json": packageOf("pnpmx@1") }, "npm install"],
  ["a packageManager that is no text", { "package.json": packageOf(1) }, "npm install"],
  ["a broken package.json", { "package.json": "{" }, "npm install"],
  [
    "a lock file beside another packageManager",
    { "package.json": packageOf("pnpm@10.2.0"), "yarn.lock": "" },
    "yarn install --frozen-lockfile",
  ],
])("in a folder with %s, that is what installs", async (_, files, command) => {
  const inFolder = Object.entries(files).map(([name, text]) => [`apps/desk/${name}`, text]);

  const steps = await stepsFor(Object.fromEntries(inFolder));

  expect(steps).toEqual(command === undefined ? [] : [[command, "folder"]]);
});

const workspace = { "yarn.lock": "", "apps/desk/package-lock.json": "{}", "apps/desk/package.json": "{}" };

test.each<[string, Partial<BuildChoice>, string[][]]>([
  ["none", {}, [["npm ci", "folder"]]],
  ["blank ones", { ownInstall: " ", ownBuild: "" }, [["npm ci", "folder"]]],
  ["install_command", { ownInstall: "make deps" }, [["make deps", "root"]]],
  [
    "build_command",
    { ownBuild: "make" },
    [
      ["yarn install --frozen-lockfile", "root"],
      ["make", "folder"],
    ],
  ],
  [
    "both",
    { ownInstall: "make deps", ownBuild: "make" },
    [
      ["make deps", "root"],
      ["make", "folder"],
    ],
  ],
  ["--build-command", { buildCommand: "true", ownInstall: "make deps" }, [["true", "folder"]]],
])("of the commands of a deployment, these are given: %s", async (_, choice, expected) => {
  expect(await stepsFor(workspace, choice)).toEqual(expected);
});

/** Runs `use` with a PATH that has Node.js, the tools of the system, and these programs, which note their calls. */
async function withPrograms(
  names: readonly string[],
  folder: string,
  use: () => Promise<void>,
): Promise<string[]> {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  for (const name of names) {
    const file = join(programs, name);
    writeFileSync(file, `#!/bin/sh\necho "$(basename "$0") $* in $(pwd)" >> "${programs}/calls"\n`);
    chmodSync(file, 0o755);
  }
  const { PATH } = process.env;
  process.env.PATH = [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(":");
  try {
    await use();
    return readFileSync(join(programs, "calls"), "utf8").trim().split("\n");
  } finally {
    process.env.PATH = PATH;
  }
}

test("install_command runs in the root of an upload, and build_command in the folder of the configuration file", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const files = {
      "pnpm-workspace.yaml": 'packages: ["apps/*"]\n',
      "apps/desk/langgraph.json": "{}",
      "apps/desk/package.json": "{}",
      "apps/desk/agent.mjs": agentFile("1"),
    };
    const commands = { install_command: "yarn install --silent", build_command: "pnpm run lint" };

    const calls = await withPrograms(["yarn", "pnpm"], folder, async () => {
      const { status } = await deployFiles(emulator, files, { path: "apps/desk/langgraph.json", commands });
      expect(status).toBe("DEPLOYED");
    });

    const [, root = ""] = /^yarn install --silent in (.*)$/.exec(calls[0] ?? "") ?? [];
    expect(basename(realpathSync(root))).not.toBe("desk");
    expect(calls.slice(1)).toEqual([`pnpm run lint in ${root}/apps/desk`]);
  }));

test("a package manager that is not installed fails the build with its name", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const files = { "langgraph.json": "{}", "package.json": "{}", "bun.lock": "" };
    let message: string | null = null;

    await withPrograms(["true"], folder, async () => {
      writeFileSync(join(folder, "programs/calls"), "");
      const { id, latest, status } = await deployFiles(emulator, files, { path: "langgraph.json" });
      expect(status).toBe("BUILD_FAILED");
      message = (await readRevision(emulator, id, latest)).status_message;
    });

    expect(message).toBe("bun is not installed on this machine, but the build needs it: bun install");
  }));
