// What an upload holds that it should not, and what it lacks (docs/specification.md#the-archive).

import { delimiter, join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { gitIn, plainConfig, type Tree, writeTree } from "../../support/source-tree.ts";
import { deployedFiles, useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith", statusSeconds: 0 } as const;

/** Commits what is in the workspace, with these files too. */
function commit(tree: Tree = {}, folder = workspace.path): void {
  writeTree(folder, tree);
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", ".");
  gitIn(folder, "commit", "--quiet", "--message", "one");
}

/** Deploys the workspace, and returns the run and the files of its archive. */
async function upload(inputs: Inputs = {}, env: Inputs = {}) {
  const { deploy, emulator, stored } = await startScenario(platform);
  const run = await deploy({ source_path: ".", ...inputs }, { ...workspace.env, ...env });
  expect(run.outputs.outcome).toBe("deployed");
  return { ...run, files: (await deployedFiles(emulator, stored()))[0] ?? [] };
}

test.each([
  "gha-creds-0a1b2c3d4e5f6789.json",
  "agents/gha-creds-1.json",
  "gha-kubeconfig-1a2b3c4d",
  "agents/gha-kubeconfig-1",
])("credentials that a step left behind are never uploaded (%s)", async (path) => {
  commit();
  workspace.write({ [path]: "{}" });

  const run = await upload();

  expect(run.files).toEqual(["langgraph.json"]);
  expect(run.infos).toContain(`Credentials of earlier steps are left out of the archive: ${path}.`);
  expect(run.warnings).toEqual([]);
});

test.each([
  "GOOGLE_GHA_CREDS_PATH",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
  "KUBECONFIG",
])("the file that %s names is uploaded only if Git tracks it", async (name) => {
  commit({ "tests/key.json": "{}" });
  workspace.write({ "key.json": "{}" });
  const path = (file: string) => ({ [name]: join(workspace.path, file) });

  expect((await upload({}, path("key.json"))).files).toEqual(["langgraph.json", "tests/key.json"]);
  expect((await upload({}, path("tests/key.json"))).files).toContain("tests/key.json");
});

test("each of the files that KUBECONFIG names is left out", async () => {
  commit();
  workspace.write({ "a.yaml": "", "deploy/b.yaml": "", "c.yaml": "" });
  const named = ["/nowhere/x", join(workspace.path, "a.yaml"), join(workspace.path, "deploy/b.yaml")];

  const run = await upload({}, { KUBECONFIG: named.join(delimiter) });

  expect(run.files).toEqual(["c.yaml", "langgraph.json"]);
});

test.each([
  ".npmrc",
  "web/.npmrc",
  ".netrc",
  ".git-credentials",
  ".pypirc",
  ".docker/config.json",
  ".aws/credentials",
  "home/.kube/config",
  "gcloud/application_default_credentials.json",
  "service-account.json",
  "keys/service-account-prod.json",
  "infra/terraform.tfstate",
  "cert.pfx",
  "store.jks",
])("the untracked file %s is uploaded with a warning", async (path) => {
  commit();
  workspace.write({ [path]: "a-value" });

  const run = await upload();

  expect(run.files).toContain(path);
  expect(run.warnings).toEqual([expect.stringContaining(`does not track them: ${path}.`)]);
});

test("untracked files that look like credentials are uploaded with a warning", async () => {
  commit();
  const names = [".env", ".env.production", "certs/a.pem", "certs/server.key"];
  workspace.write(Object.fromEntries([...names, "id_rsa", "x.p12"].map((name) => [name, "KEY=a-value"])));

  const run = await upload();

  expect(run.files).toEqual(expect.arrayContaining(names));
  expect(run.warnings).toEqual([
    expect.stringContaining(
      "look like credentials are uploaded, although Git does not track them: .env, .env.production, certs/a.pem, certs/server.key, id_rsa, 1 more.",
    ),
  ]);
  expect(run.log).not.toContain("a-value");
});

test.each<[string, Tree, Tree]>([
  ["examples of .env", {}, { ".env.example": "A=", "a/.env.local.sample": "A=", ".env.template": "" }],
  ["a tracked .env", { ".env": "A=b" }, {}],
  [
    "files whose names are only similar",
    {},
    {
      ...{ ".envrc": "", "keys.py": "", "id_rsa.pub": "", "key.json": "", "config.json": "" },
      ...{ "docker/config.json": "", "service-accounts.py": "", ".npmrc.py": "", "x.tfstate.md": "" },
    },
  ],
])("%s is no reason for a warning", async (_what, tracked, untracked) => {
  commit(tracked);
  workspace.write(untracked);

  const run = await upload();

  expect(run.warnings).toEqual([]);
  expect(run.files).toEqual(expect.arrayContaining(Object.keys({ ...tracked, ...untracked })));
});

const pointer = (size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize ${size}\n`;

test("a warning names the pointers of Git LFS, and nothing that only quotes one", async () => {
  commit({
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "models/a.bin": pointer(52_428_800),
    "models/b.bin": pointer(1),
    "models/real.bin": "x".repeat(150),
    "NOTES.md": `A pointer:\n${pointer(1)}`,
  });

  const run = await upload();

  expect(run.files).toContain("models/a.bin");
  expect(run.warnings).toEqual([
    "Pointers of Git LFS are uploaded in place of files: models/a.bin, models/b.bin. Set lfs: true for actions/checkout.",
  ]);
});

/** Makes `path` a submodule of the workspace that is checked out. */
function addSubmodule(path: string, tree: Tree): void {
  commit(tree, join(workspace.path, path));
  commit();
}

test("a warning names the submodules that are not checked out", async () => {
  addSubmodule("libs/shared", { "a.py": "1" });
  gitIn(workspace.path, "clone", "--quiet", ".", "clone");

  const run = await upload({ source_path: "clone" });

  expect(run.files).toEqual(["langgraph.json"]);
  expect(run.warnings).toEqual([
    "Submodules are not checked out, so the archive lacks them: libs/shared. Set submodules: true for actions/checkout.",
  ]);
});

test.each(["libs", "libs/shared"])(
  "an empty submodule that .dockerignore names is no reason for a warning (%s)",
  async (line) => {
    workspace.write({ ".dockerignore": line });
    addSubmodule("libs/shared", { "a.py": "1" });
    gitIn(workspace.path, "clone", "--quiet", ".", "clone");

    const run = await upload({ source_path: "clone" });

    expect(run.warnings).toEqual([]);
  },
);

test("the files of a submodule that is checked out are uploaded without a warning", async () => {
  addSubmodule("libs/shared", { "a.py": "1", "b/c.py": "2" });

  const run = await upload();

  expect(run.files).toEqual(["langgraph.json", "libs/shared/a.py", "libs/shared/b/c.py"]);
  expect(run.warnings).toEqual([]);
});

const four: Tree = { "dist/a.js": "", "dist/b.js": "", "dist/x/c.js": "", "dist/index.html": "" };
const below = (folder: string, tree: Tree) =>
  Object.fromEntries(Object.entries(tree).map(([path, entry]) => [`${folder}/${path}`, entry]));

test.each<[string, Tree, Tree, string]>([
  [
    "a nested .gitignore",
    { "frontend/.gitignore": "dist\n", "frontend/package.json": "{}" },
    below("frontend", four),
    "frontend/dist (4 files)",
  ],
  [
    "single files after folders, the largest folder first",
    { ".gitignore": "a.log\nbuild\ngenerated/\n*.tmp\n", "src/b.py": "" },
    { "a.log": "", "build/x": "", "src/c.tmp": "", ...below("generated", four) },
    "generated (4 files), build (1 file), a.log, src/c.tmp",
  ],
  [
    "what .dockerignore names, but not its exceptions",
    {
      ".dockerignore": "third_party/\n!third_party/keep/**\n",
      "third_party/keep/b.py": "",
      "third_party/big/a": "",
    },
    {},
    "third_party/big (1 file)",
  ],
])("the log lists what ignore rules leave out: %s", async (_what, tracked, untracked, listed) => {
  commit(tracked);
  workspace.write(untracked);

  const run = await upload();

  expect(run.infos).toContain(`Ignored files are left out of the archive: ${listed}.`);
  expect(run.files).toEqual(
    [...Object.keys(tracked), "langgraph.json"].filter((path) => path !== "third_party/big/a").toSorted(),
  );
});

test("the log lists what a .gitignore above source_path leaves out", async () => {
  workspace.write({ ".gitignore": "generated/\n", "deploy/langgraph.json": plainConfig });
  commit();
  workspace.write(below("deploy/generated", four));

  const run = await upload({ source_path: "deploy" });

  expect(run.infos).toContain("Ignored files are left out of the archive: generated (4 files).");
  expect(run.files).toEqual(["langgraph.json"]);
});

test("the log lists what a .gitignore leaves out without a checkout, but no folders of packages", async () => {
  workspace.write({
    ".gitignore": "*.tmp\nnode_modules\n",
    "a.tmp": "",
    "node_modules/x/index.js": "",
    "web/node_modules/y": "",
  });

  const run = await upload();

  expect(run.infos).toContain("Ignored files are left out of the archive: a.tmp.");
  expect(run.files).toEqual([".gitignore", "langgraph.json"]);
});
