// Agents in Python, as far as it needs no package. `npm run test:vendor` deploys real ones.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { readConfiguration } from "../../runner/configuration-file.ts";
import { agentEnvironment, baseEnvironment } from "../../runner/environment.ts";
import { freePort } from "../../runner/ports.ts";
import { dependencyDigest } from "../../runner/python/dependency-digest.ts";
import { Environments } from "../../runner/python/environments.ts";
import {
  createCommand,
  folderPackages,
  installCommand,
  installProjectsCommand,
  isWantedVersion,
  pythonNames,
  uninstallCommand,
  uvFind,
} from "../../runner/python/python-commands.ts";
import { withTemporaryFolder } from "../support/emulator.ts";
import { readRevision } from "../support/langsmith.ts";
import { createRepository } from "./support/repository.ts";
import { createLive, langsmithRunRequest, withRunning } from "./support/running.ts";

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

test.each([
  [{ graphs: { agent: "./agent.py:graph" } }, { version: undefined, dependencies: [], needsPip: false }],
  [{ graphs: {}, dependencies: [".", "numpy<3"] }, { dependencies: [".", "numpy<3"] }],
  [{ python_version: "3.12" }, { version: "3.12" }],
  [
    { python_version: "3.11", pip_installer: "pip" },
    { version: "3.11", needsPip: true },
  ],
  [
    { python_version: "3.11", pip_config_file: "pip.conf" },
    { needsPip: true, pipConfigFile: "pip.conf" },
  ],
  [{ python_version: "3.11", source: { kind: "uv" } }, { hasSource: true }],
  [{ node_version: "24", dependencies: ["."] }, undefined],
  [{ graphs: { agent: "./agent.ts:graph" }, dependencies: ["."] }, undefined],
  [{}, undefined],
])("the configuration %j says this of Python: %j", (content, expected) =>
  withTemporaryFolder(async (folder) => {
    write(folder, { "langgraph.json": JSON.stringify(content) });

    const { python } = await readConfiguration(folder, "langgraph.json");

    if (expected === undefined) expect(python).toBeUndefined();
    else expect(python).toMatchObject(expected);
  }),
);

test.each([
  [{ python_version: 3.11 }, 'python_version has to be a text such as "3.11"'],
  [{ python_version: "3.11.7" }, 'python_version has to be a text such as "3.11"'],
  [{ python_version: "3.11; touch x" }, 'python_version has to be a text such as "3.11"'],
  [{ dependencies: "numpy" }, "dependencies has to be a list of folders and packages"],
  [{ dependencies: [{ name: "numpy" }] }, "dependencies has to be a list of folders and packages"],
  [{ python_version: "3.11", pip_config_file: 1 }, "pip_config_file has to be a text"],
])("the configuration %j is refused", (content, reason) =>
  withTemporaryFolder(async (folder) => {
    write(folder, { "langgraph.json": JSON.stringify(content) });

    const message = `${reason} in the configuration file: langgraph.json`;
    await expect(readConfiguration(folder, "langgraph.json")).rejects.toThrow(message);
  }),
);

test("an environment is made with uv, or with venv and pip", () => {
  const pip = ["/e/bin/python", "-m", "pip"];
  const uv = (command: string) => ["uv", "pip", command, "--python", "/e/bin/python"];
  const projects = { projects: ["/checkout"], target: "/site" };

  expect(createCommand("pip", "python3", "/e")).toEqual(["python3", "-m", "venv", "/e"]);
  expect(createCommand("uv", "python3", "/e")).toEqual([
    ...["uv", "venv", "--no-python-downloads", "--python", "python3", "/e"],
  ]);
  expect(uninstallCommand("pip", "/e", ["app"])).toEqual([...pip, "uninstall", "--yes", "app"]);
  expect(uninstallCommand("uv", "/e", ["app"])).toEqual([...uv("uninstall"), "app"]);
  const beside = ["--no-deps", "--target", "/site", "--editable", "/checkout"];
  expect(installProjectsCommand("pip", "/e", projects)).toEqual([...pip, "install", ...beside]);
  expect(installProjectsCommand("uv", "/e", projects)).toEqual([...uv("install"), ...beside]);
});

test("the dependencies are installed as the platform installs them, with the vendor's server", () =>
  withTemporaryFolder(async (checkout) => {
    write(checkout, {
      "app/requirements.txt": "",
      "app/code/agent.py": "",
      "lib/pyproject.toml": "",
      "lib/requirements.txt": "",
      "old/setup.py": "",
    });
    const folder = join(checkout, "app");
    const argsFor = (...dependencies: string[]) =>
      installCommand("pip", "/e", { dependencies, folder, checkout }).slice(4);
    const server = "langgraph-cli[inmem]";

    expect(argsFor()).toEqual([server]);
    expect(argsFor("numpy<3", "langgraph-cli==0.4")).toEqual([server, "numpy<3", "langgraph-cli==0.4"]);
    expect(argsFor(".")).toEqual([server, "--requirement", "requirements.txt"]);
    expect(argsFor("./code")).toEqual([server]);
    expect(argsFor("../lib", "../old")).toEqual([server, "--editable", "../lib", "--editable", "../old"]);
    expect(() => argsFor("./missing")).toThrow("The dependency ./missing is missing.");
    expect(() => argsFor("../../other")).toThrow("The dependency ../../other leaves the repository.");
  }));

test("a folder with an __init__.py and without a package file is a package by its name", () =>
  withTemporaryFolder(async (checkout) => {
    write(checkout, {
      "__init__.py": "",
      "app/agent.py": "",
      "libs/common/__init__.py": "",
      "libs/plain/words.py": "",
      "libs/project/__init__.py": "",
      "libs/project/pyproject.toml": "",
      "app/inner/__init__.py": "",
    });
    const libraries = ["common", "plain", "project"].map((name) => `../libs/${name}`);
    const dependencies = ["..", ".", ...libraries, "./inner", "numpy"];

    const packages = folderPackages({ dependencies, folder: join(checkout, "app"), checkout });

    expect(Object.fromEntries(packages)).toEqual({
      common: join(checkout, "libs/common"),
      inner: join(checkout, "app/inner"),
    });
  }));

test("a Python counts if it has the version that is wanted, or without one is no older than the vendor's server allows", () => {
  expect(pythonNames("3.12")).toEqual(["python3.12", "python3", "python"]);
  expect(pythonNames(undefined)).toEqual(["python3.11", "python3", "python"]);
  expect(uvFind("3.12").at(-1)).toBe("3.12");
  expect(uvFind(undefined).at(-1)).toBe(">=3.11");
  expect(["3.12.0", "3.11.7", "3.1.2"].filter((found) => isWantedVersion(found, "3.12"))).toEqual(["3.12.0"]);
  const old = ["3.9.2", "2.7.18"];
  expect(["3.11.0", "3.14.1", ...old].filter((found) => !isWantedVersion(found, undefined))).toEqual(old);
});

test("an environment is used again when only code has changed", () =>
  withTemporaryFolder(async (folder) => {
    const digest = async (files: Readonly<Record<string, string>>, settings: object = {}) => {
      write(folder, files);
      return await dependencyDigest(folder, settings);
    };
    const first = await digest({ "requirements/base.txt": "numpy", "agent.py": "1", ".git/x.txt": "1" });

    expect(await digest({ "agent.py": "2", ".git/x.txt": "2", "node_modules/x.txt": "" })).toBe(first);
    const others = [
      await digest({}, { version: "3.12" }),
      await digest({ "requirements/base.txt": "pandas" }),
      await digest({ "lib/pyproject.toml": "" }),
      await digest({ "lib/setup.py": "" }),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  }));

test("an environment is removed with the last checkout that needs it, and one that is not complete at once", () =>
  withTemporaryFolder(async (folder) => {
    write(folder, {
      "both/complete.json": "[]",
      "both/revisions/first/x": "",
      "both/revisions/second/x": "",
      "old/complete.json": "[]",
      "old/revisions/gone/x": "",
      "broken/venv/x": "",
    });
    let checkouts = ["first", "second"];
    const environments = new Environments(folder, async () => checkouts);
    const left = () =>
      ["both", "both/revisions/first", "both/revisions/second", "old", "broken"].filter((name) =>
        existsSync(join(folder, name)),
      );

    await environments.removeUnused();
    expect(left()).toEqual(["both", "both/revisions/first", "both/revisions/second"]);
    checkouts = ["second"];
    await environments.removeUnused();
    expect(left()).toEqual(["both", "both/revisions/second"]);
    checkouts = [];
    await environments.removeUnused();
    expect(left()).toEqual([]);
  }));

test("an agent runs in the environment of its checkout, and a secret can't replace that", () =>
  withTemporaryFolder(async (folder) => {
    write(folder, { "env/revisions/first/x": "" });
    const environments = new Environments(folder, async () => ["first"]);
    const python = await environments.variablesFor("/deployments/id/first", "/usr/bin");

    expect(await environments.variablesFor("/deployments/id/other", "/usr/bin")).toEqual({});
    const secrets = [{ name: "PATH", value: "/secret" }];
    expect(agentEnvironment({}, { secrets, port: 1, revisionId: "r", python })).toMatchObject({
      PATH: `${folder}/env/venv/bin:/usr/bin`,
      VIRTUAL_ENV: `${folder}/env/venv`,
      EMULATOR_SITE_PACKAGES: `${folder}/env/revisions/first`,
    });
  }));

test("builds get the settings of pip and uv, but not what uv publishes with", () => {
  const settings = { PIP_INDEX_URL: "i", UV_DEFAULT_INDEX: "u" };

  expect(baseEnvironment({ ...settings, UV_PUBLISH_TOKEN: "t", PYTHONPATH: "p", AWS_KEY: "k" })).toEqual({
    ...baseEnvironment({}),
    ...settings,
  });
});

test("a build fails with the reason if its Python is not installed, a folder is missing or a setting is not followed", () =>
  withRunning({ platform: "langsmith" }, async (emulator, folder) => {
    const { path, commit } = createRepository(join(folder, "repository"));
    const cases = [
      [
        { python_version: "3.99", dependencies: ["."] },
        "python_version is 3.99, but there is no Python 3.99 on this machine. Install it, or change python_version.",
      ],
      [
        { python_version: 3.11, dependencies: ["."] },
        'python_version has to be a text such as "3.11" in the configuration file: agent.json',
      ],
      [
        { python_version: "3.11", source: { kind: "uv" } },
        "The configuration file has `source`, which this emulator doesn't follow. Name the packages in `dependencies`.",
      ],
    ] as const;

    for (const [content, status_message] of cases) {
      commit({ "agent.json": JSON.stringify(content) });
      const { id, latest } = await createLive(emulator, langsmithRunRequest(path));
      expect(await readRevision(emulator, id, latest)).toMatchObject({
        status: "BUILD_FAILED",
        status_message,
      });
    }
  }));

test("an agent gets a port that the system gives to nobody else until the agent listens", async () => {
  expect(await freePort()).toBeLessThan(32_768);
});
