// What is checked of the configuration file before anything is sent (docs/specification.md#the-configuration-file).

import { expect, test } from "@jest/globals";
import { startScenario } from "../../support/scenario.ts";
import type { Tree } from "../../support/source-tree.ts";
import { useWorkspace } from "./support.ts";
import {
  below,
  eachUpload,
  expectUpload,
  pyproject,
  python,
  typescript,
  type UploadCase,
} from "./uploaded-tree.ts";

const workspace = useWorkspace({});

const inFile = { count: 1, place: { file: "langgraph.json" } };
const inLine = (startLine: number) => ({ count: 1, place: { file: "langgraph.json", startLine } });
const withText = (text: string) => ({ ...python(), "langgraph.json": text });

eachUpload(workspace, "a configuration file is refused before a request: %s", {
  "it names no graphs": { files: python({ graphs: undefined }), errors: ["graphs"], ...inFile },
  "its graphs are empty": { files: python({ graphs: {} }), errors: ["graphs"], ...inLine(6) },
  "its graphs are a list": {
    files: python({ graphs: ["./desk/flow.py:graph"] }),
    errors: ["graphs"],
    ...inLine(6),
  },
  "a graph has no attribute": {
    files: python({ graphs: { other: "./desk/flow.py:graph", reception: "./desk/flow.py", last: "flow:" } }),
    errors: ["reception", "last", "path:attribute"],
    ...inLine(8),
  },
  "a graph is an object without a path": {
    files: python({ graphs: { reception: { description: "answers first" } } }),
    errors: ["reception", "path"],
    ...inFile,
  },
  "a graph of TypeScript names no export": {
    files: typescript({ graphs: { reception: "./src/flow.ts" } }),
    errors: ["reception", "path:attribute"],
    ...inLine(4),
  },
  "a graph of JavaScript is a number": {
    files: typescript({ graphs: { reception: 1 } }),
    errors: ["reception"],
    ...inLine(4),
  },
  "it starts with a byte order mark": {
    files: withText(`\ufeff${python()["langgraph.json"]}`),
    errors: ["byte order mark"],
    ...inFile,
  },
  "it has a comment": {
    files: withText('{\n  // the only one\n  "graphs": {"reception": "./desk/flow.py:graph"}\n}\n'),
    errors: ["JSON"],
    ...inLine(2),
  },
  "it has a comma after the last entry": {
    files: withText('{\n  "graphs": {"reception": "./desk/flow.py:graph"},\n  "dependencies": ["."],\n}\n'),
    errors: ["JSON"],
    ...inLine(4),
  },
  "it holds a list": { files: withText(`[${python()["langgraph.json"]}]`), errors: ["JSON"], ...inFile },
  "it is empty": { files: withText(""), errors: ["langgraph.json"], ...inFile },
  "a dependency is outside of the checkout": {
    files: python({ dependencies: [".", "../elsewhere"] }),
    errors: ["../elsewhere"],
    neverNamed: ["source_path: .."],
    ...inLine(5),
  },
  "a dependency is ignored": {
    files: { ...python({ dependencies: [".", "./build/client"] }), ".gitignore": "build/\n" },
    untracked: below("build/client", pyproject),
    errors: ["./build/client", "ignore"],
    ...inLine(5),
  },
  "a dependency is left out for Docker": {
    files: {
      ...python({ dependencies: [".", "./libs/ledger/"] }),
      ...below("libs/ledger", pyproject),
      ".dockerignore": "libs\n",
    },
    errors: ["./libs/ledger/", "ignore"],
    ...inLine(5),
  },
  "a dependency is in a submodule that is not checked out": {
    files: python({ dependencies: [".", "./libs/shared/client"] }),
    submodules: { "libs/shared": undefined },
    errors: ["./libs/shared/client", "submodules: true"],
    ...inLine(5),
  },
  "a smoke test runs a graph that it does not name": {
    files: python(),
    inputs: { smoke_tests: "- name: greets\n  graph: recepton\n  input: {}\n" },
    errors: ["smoke_tests", "recepton", "reception"],
    count: 1,
  },
});

const desk = "agents/triage";
const inDesk = { source_path: desk };
const root = { source_path: ".", app_config_path: `${desk}/langgraph.json` };
const around = { source_path: "agents", app_config_path: "triage/langgraph.json" };
const deskOf = (settings: Parameters<typeof python>[0]) => below(desk, python(settings));

eachUpload(workspace, "a path outside of source_path is refused with the inputs that would do: %s", {
  "a dependency two folders up": {
    files: { ...deskOf({ dependencies: [".", "../../shared"] }), ...below("shared", pyproject) },
    errors: ["../../shared"],
    inputs: inDesk,
    suggests: root,
    count: 1,
    place: { file: `${desk}/langgraph.json` },
  },
  "a dependency beside the folder": {
    files: {
      ...deskOf({ dependencies: [".", "../common"] }),
      ...below("agents/common", pyproject),
      "web/a": "",
    },
    errors: ["../common"],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "the folder around": {
    files: { ...deskOf({ dependencies: [".."] }), ...below("agents", pyproject) },
    errors: [".."],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "the root of a uv workspace": {
    files: {
      ...deskOf({ dependencies: undefined, source: { kind: "uv", root: "../..", package: "desk" } }),
      ...pyproject,
      "uv.lock": "version = 1\n",
    },
    errors: ["source.root"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "a graph": {
    files: { ...deskOf({ graphs: { reception: "../flows/desk.py:graph" } }), "agents/flows/desk.py": "" },
    errors: ["../flows/desk.py"],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "the path of a graph": {
    files: { ...deskOf({ graphs: { reception: { path: "../x.py:graph" } } }), "agents/x.py": "" },
    errors: ["../x.py"],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "http.app": {
    files: { ...deskOf({ http: { app: "../../web/app.py:app" } }), "web/app.py": "" },
    errors: ["../../web/app.py"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "auth.path": {
    files: { ...deskOf({ auth: { path: "../../security/auth.py:auth" } }), "security/auth.py": "" },
    errors: ["../../security/auth.py"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "encryption.path": {
    files: { ...deskOf({ encryption: { path: "../../security/crypt.py:box" } }), "security/crypt.py": "" },
    errors: ["../../security/crypt.py"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "checkpointer.path": {
    files: { ...deskOf({ checkpointer: { path: "../keep.py:saver" } }), "agents/keep.py": "" },
    errors: ["../keep.py"],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "an embedding": {
    files: { ...deskOf({ store: { index: { embed: "../embed.py:embed" } } }), "agents/embed.py": "" },
    errors: ["../embed.py"],
    inputs: inDesk,
    suggests: around,
    count: 1,
  },
  "a component of another package": {
    files: {
      ...below(desk, typescript({ ui: { reception: "../../packages/ui/card.tsx" } })),
      "packages/ui/card.tsx": "",
    },
    errors: ["../../packages/ui/card.tsx"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  pip_config_file: {
    files: { ...deskOf({ pip_config_file: "../../pip.conf" }), "pip.conf": "" },
    errors: ["../../pip.conf"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "two paths of different folders": {
    files: {
      ...deskOf({ dependencies: [".", "../c"], auth: { path: "../../x.py:x" } }),
      ...below("agents/c", pyproject),
      "x.py": "",
    },
    errors: ["../c", "../../x.py"],
    inputs: inDesk,
    suggests: root,
    count: 1,
  },
  "a path of a file that is in a folder of source_path": {
    files: {
      ...below("services/agents/desk", python({ dependencies: [".", "../../../shared"] })),
      ...below("shared", pyproject),
    },
    inputs: { source_path: "services", app_config_path: "agents/desk/langgraph.json" },
    errors: ["../../../shared"],
    suggests: { source_path: ".", app_config_path: "services/agents/desk/langgraph.json" },
    count: 1,
  },
});

test("a path outside and a mistake in a graph are both named", async () => {
  expect.hasAssertions();
  await expectUpload(workspace, {
    files: {
      ...deskOf({ graphs: { reception: "./desk/flow.py" }, auth: { path: "../../security/auth.py:auth" } }),
      "security/auth.py": "",
    },
    inputs: inDesk,
    errors: [
      "reception",
      "../../security/auth.py",
      "source_path: .",
      "app_config_path: agents/triage/langgraph.json",
    ],
    count: 2,
  });
});

const wrongPath = {
  files: deskOf({}),
  errors: ["app_config_path"],
  suggests: { app_config_path: "agents/triage/langgraph.json" },
  count: 1,
};

eachUpload(workspace, "a configuration file that is not in the archive is refused with what to write: %s", {
  "its path is written from the root": {
    files: deskOf({}),
    inputs: { ...inDesk, app_config_path: `${desk}/langgraph.json` },
    errors: ["app_config_path"],
    suggests: { app_config_path: "langgraph.json" },
    count: 1,
  },
  "its path is written as on Windows": {
    ...wrongPath,
    inputs: { app_config_path: "agents\\triage\\langgraph.json" },
  },
  "its path is that on the machine": {
    ...wrongPath,
    inputs: { app_config_path: "/home/runner/work/repo/repo/agents/triage/langgraph.json" },
  },
  "it is outside of source_path": {
    files: { ...python(), "agent/main.py": "" },
    inputs: { source_path: "agent", app_config_path: "../langgraph.json" },
    errors: ["app_config_path", "outside of source_path"],
    count: 1,
  },
  "it was checked out into a folder": {
    files: python(),
    checkoutPath: "app",
    errors: ["app"],
    suggests: { app_config_path: "app/langgraph.json" },
    count: 1,
  },
  "there is none": { files: { "README.md": "# Desk\n" }, errors: ["langgraph.json"], count: 1 },
  "it is ignored": {
    files: { ...python(), ".gitignore": "conf.json" },
    untracked: { "conf.json": "{}" },
    inputs: { app_config_path: "conf.json" },
    errors: ["app_config_path", "ignored"],
    count: 1,
  },
  "it is a folder": {
    files: python(),
    inputs: { app_config_path: "desk/" },
    errors: ["app_config_path", "a folder"],
    count: 1,
  },
  "it is a symbolic link": {
    files: { ...python(), "conf.json": { link: "langgraph.json" } },
    inputs: { app_config_path: "conf.json" },
    errors: ["app_config_path", "symbolic link"],
    count: 1,
  },
});

const sets = (key: string, value: unknown, ...named: string[]): UploadCase => ({
  files: key === "node_version" ? typescript({ [key]: value }) : python({ [key]: value }),
  warnings: [key, ...named],
  count: 1,
});

eachUpload(workspace, "a configuration file deploys with a warning: %s", {
  "a dependency is nowhere": sets("dependencies", [".", "./libs/ledger"], "./libs/ledger"),
  "a dependency is a file": {
    files: { ...python({ dependencies: [".", "./libs/ledger"] }), "libs/ledger": "" },
    warnings: ["./libs/ledger"],
    count: 1,
  },
  "there are no dependencies": sets("dependencies", []),
  "the file of http.app is missing": sets("http", { app: "./web.py:app" }, "./web.py"),
  "the file of auth.path is missing": sets("auth", { path: "./auth.py:auth" }, "./auth.py"),
  "the file of checkpointer.path is missing": sets(
    "checkpointer",
    { path: "./keep/saver.py:s" },
    "./keep/saver.py",
  ),
  "an embedding is missing": sets("store", { index: { embed: "./embed.py:embed" } }, "./embed.py"),
  "the files of graphs are missing": sets(
    "graphs",
    { one: "./desk/flwo.py:graph", other: { path: "./other.py:graph" } },
    "./desk/flwo.py",
    "./other.py",
  ),
  "a graph has only a copy with another extension": {
    files: { ...python({ graphs: { one: "./other.py:graph" } }), "other.py.bak": "" },
    warnings: ["./other.py"],
    count: 1,
  },
  "a component is missing": {
    files: typescript({ ui: { reception: "./card.tsx" } }),
    warnings: ["./card.tsx"],
    count: 1,
  },
  "a file is ignored": {
    files: { ...python({ pip_config_file: "./pip.conf" }), ".gitignore": "*.conf" },
    untracked: { "pip.conf": "" },
    warnings: ["./pip.conf"],
    count: 1,
  },
  "a graph is in no dependency": {
    files: { ...python({ dependencies: ["./libs"] }), ...below("libs", pyproject) },
    warnings: ["./desk/flow.py"],
    count: 1,
  },
  "Python is too old": sets("python_version", "3.10", "3.10"),
  "Python has a patch level": sets("python_version", "3.12.1", "3.12.1"),
  "the version of Python is a number": sets("python_version", 3.12, "is 3.12.", '"3.11" or newer'),
  "the version of Node.js is a number": sets("node_version", 22, "is 22.", '"20" or newer'),
  "Node.js is too old": sets("node_version", "18", "18"),
  "Node.js has a minor version": sets("node_version", "22.1", "22.1"),
  "the distribution is gone": sets("image_distro", "bullseye", "bullseye"),
  "api_version is no version": sets("api_version", "latest", "latest"),
  "pip_installer is unknown": sets("pip_installer", "poetry", "poetry"),
  "a tool is unknown": sets("keep_pkg_tools", ["pip", "poetry"], "poetry"),
  "auth.path has no name": sets("auth", { path: "./desk/flow.py" }, "auth.path", "./desk/flow.py"),
  "http.app has no name": sets("http", { app: "./desk/flow.py:" }, "http.app", "./desk/flow.py:"),
  "a Git URL holds credentials": {
    ...sets("dependencies", [".", "x @ git+https://me:canary@example.com/x"]),
    neverNamed: ["canary"],
  },
  "there is no lock file": {
    files: python({ dependencies: undefined, source: { kind: "uv", root: "." } }),
    warnings: ["uv.lock"],
    count: 1,
  },
  "a dependency has a reserved name": {
    files: { ...python({ dependencies: [".", "./libs/httpx"] }), "libs/httpx/__init__.py": "" },
    warnings: ["./libs/httpx"],
    count: 1,
  },
  "a package of a workspace is outside": {
    files: {
      ...below(desk, typescript({}, { "@desk/prompts": "workspace:*", other: "^1.0.0" })),
      "packages/prompts/package.json": '{"name": "@desk/prompts"}',
    },
    inputs: inDesk,
    warnings: ["@desk/prompts", "workspace:", "package.json"],
    neverNamed: ["other"],
    count: 1,
  },
  "the folder of a package is outside": {
    files: {
      ...below(desk, typescript({}, { "@desk/prompts": "file:../../packages/prompts" })),
      "packages/prompts/package.json": '{"name": "@desk/prompts"}',
    },
    inputs: inDesk,
    warnings: ["@desk/prompts", "file:", "package.json"],
    count: 1,
  },
});

const lock: Tree = { "uv.lock": "version = 1\n" };
const ledger = below("libs/ledger", pyproject);

eachUpload(workspace, "a configuration file deploys without a word: %s", {
  Python: { files: python() },
  TypeScript: { files: typescript() },
  "no versions": { files: python({ python_version: undefined }) },
  "keys that nobody knows": { files: python({ $schema: "https://example.com/schema.json", x_team: "desk" }) },
  "a graph with a description": {
    files: python({ graphs: { reception: { path: "./desk/flow.py:graph", description: "answers first" } } }),
  },
  "graphs that are modules of Python": {
    files: {
      ...python({ graphs: { reception: "desk.flow:graph", second: "flow.py:graph" } }),
      "flow.py": "",
    },
  },
  "a graph that is part of the image": { files: python({ graphs: { reception: "/deps/flow.py:graph" } }) },
  "dependencies from an index beside local ones": {
    files: {
      ...python({
        dependencies: [
          "requests>=2",
          "httpx[http2]==0.28.1",
          ".",
          "./libs/ledger",
          "git+https://example.com/x",
          "libs/x",
        ],
      }),
      ...ledger,
    },
  },
  "modules in auth and http": {
    files: python({ auth: { path: "pkg.auth:auth" }, http: { app: "pkg.web:app" } }),
  },
  "TypeScript with a component and an embedding by name": {
    files: {
      ...typescript(
        {
          ui: { reception: "./src/ui/card.tsx" },
          store: { index: { embed: "huggingface:org/model", dims: 1536 } },
          env: ".env",
        },
        { "@desk/prompts": "^1.0.0" },
      ),
      "src/ui/card.tsx": "",
    },
  },
  "all paths that there are": {
    files: {
      ...python({
        http: { app: "./web/app.py:app", disable_mcp: true },
        auth: { path: "./security.py:auth" },
        encryption: { path: "./security.py:crypt" },
        checkpointer: { path: "./keep.py:saver" },
        store: { index: { embed: "./embed.py:embed", dims: 3 } },
        pip_config_file: "./pip.conf",
      }),
      ...{ "web/app.py": "", "security.py": "", "keep.py": "", "embed.py": "", "pip.conf": "" },
    },
  },
  "a uv workspace, uploaded whole": {
    files: {
      ...deskOf({ dependencies: undefined, source: { kind: "uv", root: "../..", package: "triage" } }),
      ...pyproject,
      ...lock,
    },
    inputs: root,
  },
  "dependencies of a monorepo, uploaded whole": {
    files: { ...deskOf({ dependencies: [".", "../../libs/ledger"] }), ...ledger },
    inputs: root,
  },
  "a path that climbs inside of the folder": {
    files: { ...deskOf({ dependencies: [".", "./desk/../libs/ledger"] }), ...below(desk, ledger) },
    inputs: inDesk,
  },
  "a workspace of JavaScript, uploaded whole": {
    files: {
      ...below(desk, typescript({}, { "@desk/prompts": "workspace:*", local: "file:./local" })),
      "package.json": '{"private": true, "workspaces": ["agents/*", "packages/*"]}',
      "packages/prompts/package.json": '{"name": "@desk/prompts", "version": "1.0.0"}',
      [`${desk}/local/package.json`]: '{"name": "local"}',
    },
    inputs: root,
  },
  "a package in a folder whose name starts with two dots": {
    files: typescript({}, { local: "file:..local" }),
  },
  "a package.json that is broken": { files: { ...typescript(), "package.json": "{" } },
  "settings of the image": {
    files: python({
      python_version: "3.13",
      image_distro: "wolfi",
      pip_installer: "uv",
      keep_pkg_tools: ["pip", "wheel"],
      dockerfile_lines: ["RUN true"],
      api_version: "0.8",
    }),
  },
  "versions with a distribution and a range": {
    files: python({ python_version: "3.13-bookworm", api_version: "~=0.11.0.dev5" }),
  },
  "empty settings": {
    files: python({ keep_pkg_tools: true, image_distro: null, http: null, ui: {}, api_version: "" }),
  },
  "a package with a reserved name and its own file": {
    files: {
      ...python({ dependencies: [".", "./libs/httpx"] }),
      ...below("libs/httpx", { ...pyproject, "__init__.py": "" }),
    },
  },
  "files that the build may make": {
    files: typescript({ graphs: { reception: "./dist/flow.js:graph" }, http: { app: "./dist/web.js:app" } }),
    inputs: { build_command: "npm run build" },
  },
  "an ignored dependency that the build may make": {
    files: { ...python({ dependencies: [".", "./build/client"] }), ".gitignore": "build/\n" },
    untracked: below("build/client", pyproject),
    inputs: { build_command: "make" },
  },
});

test("a smoke test may run an assistant by its id", async () => {
  workspace.write(python());
  const { deploy } = await startScenario({ platform: "langsmith" });
  const smokeTest = { name: "asks", graph: "00000000-0000-4000-8000-00000000000a", input: {} };
  const inputs = { source_path: ".", smoke_tests: JSON.stringify([smokeTest]), dry_run: "true" };

  const run = await deploy(inputs, workspace.env);

  expect(run.outputs.outcome).toBe("planned");
});

const env = { LOG_LEVEL: "canary-1", FEATURE_FLAGS: "canary-2", EMPTY: "", LANGSMITH_PROJECT: "canary-3" };
const dotenv = `# of the deploy job
MODEL_API_KEY=canary-1
export REGION_HINT="canary-2" # canary-3
EMPTY=
LANGSMITH_API_KEY=canary-4
PEM="-----BEGIN
canary5=
aLine=canary-6
-----END"
canary7==
canary+8=
`;
const isSilentOn = (...names: string[]) => ({ neverNamed: ["canary", ...names] });

eachUpload(workspace, "variables of env that are not sent are named without their values: %s", {
  "a mapping": {
    files: python({ env }),
    warnings: ["LOG_LEVEL, FEATURE_FLAGS"],
    count: 1,
    ...isSilentOn("EMPTY", "LANGSMITH_PROJECT"),
  },
  "a mapping of which one is a secret": {
    files: python({ env }),
    inputs: { secrets: "LOG_LEVEL=chatty-value" },
    warnings: [": FEATURE_FLAGS."],
    count: 1,
  },
  "a mapping of which all are given": {
    files: python({ env }),
    inputs: { secrets: "LOG_LEVEL=chatty-value", env_vars: "FEATURE_FLAGS=new-menu" },
  },
  "a file that is ignored": {
    files: { ...python({ env: ".env" }), ".gitignore": ".env\n" },
    untracked: { ".env": dotenv },
    warnings: ["MODEL_API_KEY", "REGION_HINT", "PEM"],
    count: 1,
    ...isSilentOn("aLine", "LANGSMITH_API_KEY"),
    out: [".env"],
  },
  "a file that is not there": { files: { ...python({ env: ".env" }), ".gitignore": ".env\n" } },
  "a file outside of the workspace": {
    files: { ...python({ env: "env" }), env: { link: "/proc/self/environ" } },
  },
  "a list": { files: typescript({ env: ["LOG_LEVEL"] }) },
});
