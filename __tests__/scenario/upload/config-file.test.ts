// What is checked of the configuration file before anything is sent (docs/specification.md#the-configuration-file).

import { describe, expect, test } from "@jest/globals";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { gitIn, type Tree } from "../../support/source-tree.ts";
import { useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith", statusSeconds: 0 } as const;

type Settings = Readonly<Record<string, unknown>>;

/** An agent in Python, with other settings. */
const python = (settings: Settings = {}): Settings => ({
  python_version: "3.12",
  dependencies: ["."],
  graphs: { agent: "./agent.py:graph" },
  ...settings,
});
const script = (settings: Settings = {}): Settings => ({
  node_version: "22",
  graphs: { agent: "./src/agent.ts:graph" },
  ...settings,
});
const sources: Tree = { "agent.py": "", "src/agent.ts": "", "pyproject.toml": "" };

interface Given {
  /** Its lines are those of the settings, one each. */
  readonly config: Settings | string;
  readonly files?: Tree;
  readonly inputs?: Inputs;
}

/** Deploys a workspace without a checkout, or only plans it. */
async function deployWith({ config, files = {}, inputs = {} }: Given, more: Inputs = {}) {
  const text = typeof config === "string" ? config : `{\n${linesOf(config)}\n}`;
  workspace.write({ "langgraph.json": text, ...sources, ...files });
  const { deploy } = await startScenario(platform);
  return await deploy({ source_path: ".", ...inputs, ...more }, workspace.env);
}

function linesOf(settings: Settings): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n");
}

const graphsLine = 4;

describe("a configuration file is refused before a request", () => {
  test.each<[string, Given, string, number | undefined]>([
    ["without graphs", { config: python({ graphs: undefined }) }, "names no graphs", undefined],
    ["with empty graphs", { config: python({ graphs: {} }) }, "names no graphs", graphsLine],
    [
      "with a list of graphs",
      { config: python({ graphs: ["./agent.py:graph"] }) },
      "names no graphs",
      graphsLine,
    ],
    [
      "with a graph without an attribute",
      { config: python({ graphs: { agent: "./agent.py:graph", other: "./agent.py", more: "agent:" } }) },
      "names graphs without path:attribute: other, more.",
      graphsLine,
    ],
    [
      "with a graph without a path",
      { config: python({ graphs: { agent: { description: "answers" } } }) },
      "names graphs without path:attribute: agent.",
      graphsLine,
    ],
    ["with a graph of JavaScript without a path", { config: script({ graphs: { agent: 1 } }) }, "agent.", 3],
    ["with a byte order mark", { config: `\ufeff${JSON.stringify(python())}` }, "byte order mark", 1],
    ["with a comment", { config: '{\n  // one\n  "graphs": {}\n}' }, "is not a JSON object", 2],
    ["with a comma too many", { config: '{\n  "graphs": {},\n}' }, "no comma after the last entry", 3],
    [
      "with a dependency outside of the workspace",
      { config: python({ dependencies: [".", "../elsewhere"] }) },
      "outside of source_path, so it is not uploaded: ../elsewhere (dependencies.1). Correct the paths.",
      3,
    ],
    [
      "with a dependency that ignore rules leave out",
      {
        config: python({ dependencies: [".", "./build/client"] }),
        files: { ".gitignore": "build/", "build/client/pyproject.toml": "" },
      },
      "in the checkout, but not in the archive: ./build/client (dependencies.1). Correct the ignore rules",
      3,
    ],
    [
      "with a dependency that .dockerignore leaves out",
      {
        config: python({ dependencies: [".", "./libs/ledger/"] }),
        files: { ".dockerignore": "libs", "libs/ledger/pyproject.toml": "" },
      },
      "in the checkout, but not in the archive: ./libs/ledger/ (dependencies.1)",
      3,
    ],
  ])("%s", async (_what, given, fact, startLine) => {
    const run = await deployWith(given);

    expect(run.requests).toEqual([]);
    expect(run.errors).toEqual([expect.stringContaining(fact)]);
    expect(run.annotations[0]).toMatchObject({ file: "langgraph.json", ...(startLine && { startLine }) });
  });

  test("with several mistakes, an annotation each", async () => {
    const graphs = { agent: "./agent.py", other: "../../x.py:graph" };

    const run = await deployWith({ config: python({ graphs, auth: { path: "../auth.py:auth" } }) });

    expect(run.requests).toEqual([]);
    expect(run.errors).toEqual([
      expect.stringContaining("without path:attribute: agent."),
      expect.stringContaining("not uploaded: ../../x.py (graphs.other), ../auth.py (auth.path)."),
    ]);
  });

  test("with a dependency in a submodule that is not checked out", async () => {
    workspace.write({
      "langgraph.json": JSON.stringify(python({ dependencies: [".", "./libs/shared/client"] })),
    });
    workspace.write({ ...sources, "libs/shared/client/a.py": "" });
    for (const folder of ["libs/shared", "."]) {
      const path = `${workspace.path}/${folder}`;
      gitIn(path, "init", "--quiet");
      gitIn(path, "add", ".");
      gitIn(path, "commit", "--quiet", "--message", "one");
    }
    gitIn(workspace.path, "clone", "--quiet", ".", "clone");
    const { deploy } = await startScenario(platform);

    const run = await deploy({ source_path: "clone" }, workspace.env);

    expect(run.requests).toEqual([]);
    expect(run.errors).toEqual([expect.stringMatching(/not in the archive: .*client.*submodules: true/)]);
  });
});

describe("what a file names outside of source_path", () => {
  const below = (folder: string, settings: Settings, others: Tree) => ({
    [`${folder}/langgraph.json`]: JSON.stringify(settings),
    [`${folder}/agent.py`]: "",
    [`${folder}/src/agent.ts`]: "",
    ...others,
  });
  const pyproject = (folder: string) => ({ [`${folder}/pyproject.toml`]: "" });

  test.each<[string, Settings, Tree, string, string]>([
    [
      "a dependency",
      python({ dependencies: [".", "../../shared"] }),
      pyproject("shared"),
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "one beside the folder",
      python({ dependencies: ["../common"] }),
      pyproject("a/common"),
      "a/b",
      "a b/langgraph.json",
    ],
    ["the folder around", python({ dependencies: [".."] }), {}, "a/b", "a b/langgraph.json"],
    [
      "the root of a workspace",
      python({ source: { kind: "uv", root: "../.." } }),
      {},
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "a graph",
      python({ graphs: { agent: "../x.py:graph" } }),
      { "a/x.py": "" },
      "a/b",
      "a b/langgraph.json",
    ],
    [
      "the path of a graph",
      python({ graphs: { agent: { path: "../x.py:g" } } }),
      { "a/x.py": "" },
      "a/b",
      "a b/langgraph.json",
    ],
    [
      "http.app",
      python({ http: { app: "../../web.py:app" } }),
      { "web.py": "" },
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "auth.path",
      python({ auth: { path: "../../auth.py:auth" } }),
      { "auth.py": "" },
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "encryption.path",
      python({ encryption: { path: "../e.py:e" } }),
      { "a/e.py": "" },
      "a/b",
      "a b/langgraph.json",
    ],
    [
      "checkpointer.path",
      python({ checkpointer: { path: "../c.py:c" } }),
      { "a/c.py": "" },
      "a/b",
      "a b/langgraph.json",
    ],
    [
      "an embedding",
      python({ store: { index: { embed: "../e.py:e" } } }),
      { "a/e.py": "" },
      "a/b",
      "a b/langgraph.json",
    ],
    [
      "a component",
      script({ ui: { agent: "../../ui/card.tsx" } }),
      { "ui/card.tsx": "" },
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "pip_config_file",
      python({ pip_config_file: "../../pip.conf" }),
      { "pip.conf": "" },
      "a/b",
      ". a/b/langgraph.json",
    ],
    [
      "two paths",
      python({ dependencies: [".", "../c"], auth: { path: "../../x.py:x" } }),
      { ...pyproject("a/c"), "x.py": "" },
      "a/b",
      ". a/b/langgraph.json",
    ],
  ])(
    "fails the run with the inputs that would do (%s)",
    async (_what, config, others, source_path, wanted) => {
      workspace.write(below(source_path, config, others));
      const { deploy } = await startScenario(platform);
      const [folder = "", path = ""] = wanted.split(" ");
      const suggested = { source_path: folder, app_config_path: path };

      const run = await deploy({ source_path }, workspace.env);
      const followed = await deploy({ ...suggested, dry_run: "true" }, workspace.env);

      expect(run.requests).toEqual([]);
      expect(run.errors).toEqual([
        expect.stringContaining(`Set source_path: ${folder} and app_config_path: ${path}.`),
      ]);
      expect(run.annotations[0]).toMatchObject({ file: `${source_path}/langgraph.json` });
      expect(followed.outputs.outcome).toBe("planned");
    },
  );

  test("is suggested relative to the workspace if the file is in a folder of source_path", async () => {
    workspace.write(below("s/a/b", python({ dependencies: [".", "../../../shared"] }), pyproject("shared")));
    const { deploy } = await startScenario(platform);

    const run = await deploy({ source_path: "s", app_config_path: "a/b/langgraph.json" }, workspace.env);

    expect(run.errors).toEqual([
      expect.stringContaining("Set source_path: . and app_config_path: s/a/b/langgraph.json."),
    ]);
  });
});

describe("a configuration file that is not in the archive", () => {
  const config = JSON.stringify(python());

  test.each<[string, Tree, Inputs, string]>([
    [
      "is given from the root",
      { "apps/desk/langgraph.json": config },
      { source_path: "apps/desk", app_config_path: "apps/desk/langgraph.json" },
      "Set app_config_path: langgraph.json.",
    ],
    [
      "is given with backslashes",
      { "apps/desk/langgraph.json": config },
      { app_config_path: "apps\\desk\\langgraph.json" },
      "Set app_config_path: apps/desk/langgraph.json or",
    ],
    [
      "is given by its path on the machine",
      { "apps/desk/conf.json": config },
      { app_config_path: "/home/runner/work/repo/repo/apps/desk/conf.json" },
      "Set app_config_path: apps/desk/conf.json.",
    ],
    [
      "is below",
      { "app/conf.json": config, "b/conf.json": config },
      { app_config_path: "conf.json" },
      "Set app_config_path: app/conf.json or app_config_path: b/conf.json.",
    ],
    ["does not exist", {}, { app_config_path: "conf.json" }, "it is missing"],
    [
      "is ignored",
      { ".gitignore": "*.json", "conf.json": config },
      { app_config_path: "conf.json" },
      "ignored",
    ],
    ["is a link", { "conf.json": { link: "agent.py" } }, { app_config_path: "conf.json" }, "symbolic link"],
  ])("fails the run with what to write if it %s", async (_what, files, inputs, fact) => {
    const run = await deployWith({ config: python(), files, inputs });

    expect(run.requests).toEqual([]);
    expect(run.errors).toEqual([expect.stringContaining(fact)]);
    expect(run.errors[0]).toContain("Input app_config_path names");
  });
});

const missing = (what: string) => `langgraph.json names what is not in the archive: ${what}.`;
const refused = (setting: string, value: string) =>
  `langgraph.json sets ${setting} to "${value}", which the platform may refuse.`;
const ledger = (files: Tree) => ({
  config: python({ dependencies: [".", "./libs/ledger"] }),
  files: Object.fromEntries(Object.entries(files).map(([path, entry]) => [`libs/ledger/${path}`, entry])),
});
const reserved = (name: string) => `has folders of dependencies with reserved names: ${name}.`;
const npm = (dependencies: Settings, more: Tree = {}) => ({
  config: script(),
  files: { "package.json": JSON.stringify({ dependencies }), ...more },
});
const outsidePackages = (name: string) => `package.json that needs packages outside of source_path: ${name}.`;

test.each<[string, Given, string]>([
  [
    "a dependency is missing",
    { config: python({ dependencies: [".", "./libs/x"] }) },
    missing("./libs/x (dependencies.1)"),
  ],
  [
    "http.app is missing",
    { config: python({ http: { app: "./web.py:app" } }) },
    missing("./web.py (http.app)"),
  ],
  [
    "auth.path is missing",
    { config: python({ auth: { path: "./a.py:auth" } }) },
    missing("./a.py (auth.path)"),
  ],
  [
    "checkpointer.path is missing",
    { config: python({ checkpointer: { path: "./k/s.py:s" } }) },
    missing("./k/s.py (checkpointer.path)"),
  ],
  [
    "graphs are missing",
    { config: python({ graphs: { a: "./a.py:graph", b: { path: "./b.py:graph" } } }) },
    missing("./a.py (graphs.a), ./b.py (graphs.b.path)"),
  ],
  [
    "a file is ignored",
    { config: python({ pip_config_file: "pip.conf" }), files: { ".gitignore": "*.conf", "pip.conf": "" } },
    missing("pip.conf (pip_config_file)"),
  ],
  [
    "a dependency is a file",
    ledger({ "../ledger": "" }),
    "names files where the platform expects folders: ./libs/ledger (dependencies.1).",
  ],
  [
    "a graph is in no dependency",
    { config: python({ dependencies: ["./libs"] }), files: { "libs/pyproject.toml": "" } },
    "names files that are in no folder of dependencies: ./agent.py (graphs.agent).",
  ],
  [
    "there are no dependencies",
    { config: python({ dependencies: [] }) },
    "names no dependencies, so the platform may refuse to build it.",
  ],
  [
    "a graph of JavaScript has no export",
    { config: script({ graphs: { agent: "./src/agent.ts" } }) },
    "names graphs without path:attribute: agent.",
  ],
  ["Python is too old", { config: python({ python_version: "3.10" }) }, refused("python_version", "3.10")],
  [
    "Python has a patch level",
    { config: python({ python_version: "3.12.1" }) },
    refused("python_version", "3.12.1"),
  ],
  [
    "the version of Python is a number",
    { config: python({ python_version: 3.12 }) },
    refused("python_version", "3.12"),
  ],
  ["Node.js is too old", { config: script({ node_version: "18" }) }, refused("node_version", "18")],
  [
    "Node.js has a minor version",
    { config: script({ node_version: "22.1" }) },
    refused("node_version", "22.1"),
  ],
  [
    "the distribution is gone",
    { config: python({ image_distro: "bullseye" }) },
    refused("image_distro", "bullseye"),
  ],
  ["api_version is none", { config: python({ api_version: "latest" }) }, refused("api_version", "latest")],
  [
    "pip_installer is unknown",
    { config: python({ pip_installer: "poetry" }) },
    refused("pip_installer", "poetry"),
  ],
  [
    "a tool is unknown",
    { config: python({ keep_pkg_tools: ["pip", "uv"] }) },
    refused("keep_pkg_tools", "uv"),
  ],
  [
    "auth.path has no name",
    { config: python({ auth: { path: "./agent.py" } }) },
    refused("auth.path", "./agent.py"),
  ],
  [
    "http.app has no name",
    { config: python({ http: { app: "./agent.py:" } }) },
    refused("http.app", "./agent.py:"),
  ],
  [
    "encryption.path has no name",
    { config: python({ encryption: { path: "./agent.py" } }) },
    refused("encryption.path", "./agent.py"),
  ],
  [
    "priority.path has no name",
    { config: python({ priority: { path: "./agent.py" } }) },
    refused("priority.path", "./agent.py"),
  ],
  [
    "the kind of source is unknown",
    { config: python({ dependencies: undefined, source: { kind: "poetry" } }) },
    refused("source.kind", "poetry"),
  ],
  [
    "an embedding is missing",
    { config: python({ store: { index: { embed: "./e.py:embed" } } }) },
    missing("./e.py (store.index.embed)"),
  ],
  ["a component is missing", { config: script({ ui: { a: "./card.tsx" } }) }, missing("./card.tsx (ui.a)")],
  [
    "a Git URL holds credentials",
    { config: python({ dependencies: [".", "x @ git+https://me:canary@example.com/x"] }) },
    "a dependency whose Git URL holds credentials",
  ],
  [
    "there is no lock file",
    { config: python({ dependencies: undefined, source: { kind: "uv", root: "." } }) },
    "has the source uv, but there is no uv.lock in ..",
  ],
  [
    "a package has a reserved name",
    { config: python({ dependencies: [".", "./libs/httpx"] }), files: { "libs/httpx/__init__.py": "" } },
    reserved("libs/httpx"),
  ],
  [
    "a folder in a dependency has a reserved name",
    ledger({ "langgraph/x.py": "", "other/x.py": "" }),
    reserved("libs/ledger/langgraph"),
  ],
  [
    "a package of a workspace is missing",
    npm({ "@desk/prompts": "workspace:*", other: "^1.0.0" }),
    outsidePackages("@desk/prompts (workspace:*)"),
  ],
  [
    "a folder of a package is outside",
    npm({ prompts: "file:../prompts" }),
    outsidePackages("prompts (file:../prompts)"),
  ],
])("a warning says that %s", async (_what, given, warning) => {
  const run = await deployWith(given, { dry_run: "true" });

  expect(run.outputs.outcome).toBe("planned");
  expect(run.warnings).toEqual([expect.stringContaining(warning)]);
  expect(run.log).not.toContain("canary");
});

test.each<[string, Given]>([
  ["the plainest agent in Python", { config: python() }],
  ["the plainest agent in JavaScript", { config: script() }],
  ["an agent without versions", { config: { graphs: { agent: "./agent.py:graph" }, dependencies: ["."] } }],
  ["unknown keys", { config: python({ $schema: "https://example.com/schema.json", x_team: "desk" }) }],
  [
    "a graph with a description",
    { config: python({ graphs: { agent: { path: "./agent.py:graph", description: "x" } } }) },
  ],
  [
    "modules of Python",
    { config: python({ graphs: { one: "package.agent:graph", two: "agent.py:graph" } }) },
  ],
  ["a graph that is part of the image", { config: python({ graphs: { agent: "/deps/agent.py:graph" } }) }],
  ["a graph whose extension is left out", { config: python({ graphs: { agent: "./src/agent:graph" } }) }],
  [
    "dependencies from an index",
    { config: python({ dependencies: ["requests>=2", ".", "git+https://example.com/x"] }) },
  ],
  [
    "modules in auth and http",
    { config: python({ auth: { path: "pkg.auth:auth" }, http: { app: "pkg.web:app" } }) },
  ],
  ["an embedding by name", { config: script({ store: { index: { embed: "huggingface:org/model" } } }) }],
  [
    "settings of the image",
    {
      config: python({
        python_version: "3.13-bookworm",
        image_distro: "wolfi",
        pip_installer: "uv",
        keep_pkg_tools: ["pip"],
        api_version: "~=0.11.0.dev5",
      }),
    },
  ],
  [
    "empty settings",
    { config: python({ keep_pkg_tools: true, image_distro: null, http: null, ui: {}, api_version: "" }) },
  ],
  [
    "paths that are all there",
    {
      config: python({
        dependencies: [".", "./src/../libs/ledger"],
        auth: { path: "./s.py:a" },
        encryption: { path: "./s.py:e" },
        http: { app: "./web/app.py:app" },
        store: { index: { embed: "./s.py:f" } },
        pip_config_file: "./pip.conf",
      }),
      files: { "s.py": "", "web/app.py": "", "pip.conf": "", "libs/ledger/pyproject.toml": "" },
    },
  ],
  [
    "a workspace with its lock file",
    {
      config: python({ dependencies: undefined, source: { kind: "uv", root: "." } }),
      files: { "uv.lock": "" },
    },
  ],
  ["reserved names in a package with its own file", ledger({ "pyproject.toml": "", "langgraph/x.py": "" })],
  [
    "a package of a workspace that is there",
    npm(
      { "@desk/prompts": "workspace:*", local: "file:./local" },
      { "packages/prompts/package.json": '{"name":"@desk/prompts"}' },
    ),
  ],
  ["a package.json that is broken", { config: script(), files: { "package.json": "{" } }],
  [
    "files that a command may create",
    {
      config: script({ graphs: { agent: "./dist/a.js:graph" }, http: { app: "./dist/w.js:app" } }),
      inputs: { build_command: "make" },
    },
  ],
  [
    "a dependency that a command may create",
    { ...ledger({ "a.py": "" }), inputs: { build_command: "make" } },
  ],
])("nothing is said about %s", async (_what, given) => {
  const run = await deployWith(given, { dry_run: "true" });

  expect({ ...run, log: "" }).toMatchObject({ outputs: { outcome: "planned" }, warnings: [], notices: [] });
});

describe("the variables that the file sets", () => {
  const env = { LOG_LEVEL: "canary-1", FEATURE: "canary-2", EMPTY: "", PORT: "80" };
  const file = `# canary-0
MODEL_API_KEY=canary-1
export REGION = "north" # canary-2
EMPTY=
LANGSMITH_API_KEY=canary-3
PEM="-----BEGIN
canary4=
aLine=canary-5
-----END"
canary6==
canary+7=
`;

  test.each<[string, Given, string | undefined]>([
    ["a mapping", { config: python({ env }) }, "LOG_LEVEL, FEATURE"],
    [
      "a mapping, in part given",
      { config: python({ env }), inputs: { secrets: "FEATURE=a-value" } },
      "LOG_LEVEL",
    ],
    [
      "a mapping that is given",
      { config: python({ env }), inputs: { secrets: "FEATURE=a-value", env_vars: "LOG_LEVEL=info" } },
      undefined,
    ],
    [
      "a file",
      { config: python({ env: ".env" }), files: { ".env": file, ".gitignore": ".env" } },
      "MODEL_API_KEY, REGION, PEM",
    ],
    ["a file that is not there", { config: python({ env: ".env" }) }, undefined],
    [
      "a file outside of the workspace",
      { config: python({ env: "../../../../../etc/os-release" }) },
      undefined,
    ],
    [
      "a link out of the workspace",
      { config: python({ env: "e" }), files: { e: { link: "/etc/os-release" } } },
      undefined,
    ],
    ["a list", { config: script({ env: ["LOG_LEVEL"] }) }, undefined],
  ])("are named if they are not sent, without values: %s", async (_what, given, names) => {
    const run = await deployWith(given, { dry_run: "true" });

    const warning = `langgraph.json sets variables in env, which this action does not send: ${names}.`;
    expect(run.outputs.outcome).toBe("planned");
    expect(run.warnings).toEqual(names === undefined ? [] : [expect.stringContaining(warning)]);
    expect(run.log).not.toMatch(/canary|north/);
  });
});
