// What an upload holds and what it lacks, and what is said of it (docs/specification.md#the-archive).

import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { gitIn, type Tree } from "../../support/source-tree.ts";
import { deployedFiles, useWorkspace } from "./support.ts";
import { below, eachUpload, python, type UploadCase } from "./uploaded-tree.ts";

const workspace = useWorkspace({});
const agent = ["desk/flow.py", "langgraph.json", "pyproject.toml"];

const credentialsLeft = (path: string): UploadCase => ({
  files: python(),
  untracked: { [path]: '{"note":"canary"}' },
  only: agent,
  leftOut: [path],
});

eachUpload(workspace, "credentials that an earlier step left are never uploaded: %s", {
  "of a sign-in to a cloud": credentialsLeft("gha-creds-0a1b2c3d4e5f6789.json"),
  "in a folder": {
    ...credentialsLeft("agents/gha-creds-1.json"),
    leftOut: ["agents"],
  },
  "of a cluster": credentialsLeft("gha-kubeconfig-1a2b3c4d"),
});

const pointer = (size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize ${size}\n`;
const lfs: Tree = { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" };

eachUpload(workspace, "files are uploaded with a warning: %s", {
  "untracked ones that look like credentials": {
    files: python(),
    untracked: {
      ".env": "MODEL_API_KEY=canary\n",
      ".env.production": "A=b\n",
      "certs/server.key": "",
      "x.p12": "",
      "a.pem": "",
    },
    in: [".env", ".env.production", "certs/server.key"],
    warnings: [".env, .env.production, a.pem, certs/server.key, x.p12"],
    neverNamed: ["canary"],
    count: 1,
  },
  "keys of SSH": {
    files: python(),
    untracked: { id_rsa: "", "keys/id_ecdsa": "", "keys/id_ed25519": "" },
    warnings: ["id_rsa, keys/id_ecdsa, keys/id_ed25519"],
    count: 1,
  },
  "pointers of Git LFS": {
    files: {
      ...python(),
      ...lfs,
      "models/a.bin": pointer(52_428_800),
      "models/b.bin": pointer(1),
      "models/real.bin": "x".repeat(150),
    },
    in: ["models/a.bin"],
    warnings: [": models/a.bin, models/b.bin.", "lfs: true"],
    count: 1,
  },
  "those beside a submodule that is not checked out": {
    files: python(),
    submodules: { "libs/shared": undefined },
    only: agent,
    warnings: ["libs/shared", "submodules: true"],
    count: 1,
  },
});

eachUpload(workspace, "files are uploaded without a word: %s", {
  "examples of .env": {
    files: python(),
    untracked: { ".env.example": "A=", "a/.env.local.sample": "A=", ".env.template": "" },
    in: [".env.example", "a/.env.local.sample"],
  },
  "a tracked .env": { files: { ...python(), ".env": "LOG_LEVEL=info\n" }, in: [".env"] },
  "names that are only similar": {
    files: python(),
    untracked: { ".envrc": "", "keys.py": "", "id_rsa.pub": "", "key.json": "" },
    in: [".envrc", "id_rsa.pub", "key.json", "keys.py"],
  },
  "a page about Git LFS, and a file of a kind that it keeps": {
    files: {
      ...python(),
      ...lfs,
      "NOTES.md": `How a pointer begins:\n${pointer(1)}`,
      "real.bin": "x".repeat(150),
    },
    in: ["NOTES.md", "real.bin"],
  },
  "a submodule that is checked out": {
    files: python(),
    submodules: { "libs/shared": { "a.py": "1", "b/c.py": "2" } },
    in: ["libs/shared/a.py", "libs/shared/b/c.py"],
  },
  "a tracked file that is ignored": {
    files: { ...python(), ".gitignore": "vendored/\n" },
    forced: { "vendored/lib.py": "x = 1\n" },
    in: ["vendored/lib.py"],
  },
  "a submodule in a folder that is never uploaded, and not checked out": {
    files: python(),
    submodules: { "venv/shared": undefined },
  },
  "a submodule that is left out for Docker, and not checked out": {
    files: { ...python(), ".dockerignore": "libs" },
    submodules: { "libs/shared": undefined },
  },
});

const four: Tree = { "index.html": "<html></html>", "app.js": "1", "app.css": "a{}", "x/y.js": "2" };

eachUpload(workspace, "the log lists what is left out: %s", {
  "what a nested .gitignore names": {
    files: { ...python(), "frontend/.gitignore": "dist\n", "frontend/package.json": "{}" },
    untracked: below("frontend/dist", four),
    only: [...agent, "frontend/.gitignore", "frontend/package.json"].toSorted(),
    leftOut: ["frontend/dist (4 files)"],
  },
  "what a .gitignore above source_path names": {
    files: { ...below("deploy", python()), ".gitignore": "generated/\n" },
    untracked: below("deploy/generated", four),
    inputs: { source_path: "deploy" },
    only: agent,
    leftOut: ["generated (4 files)"],
  },
  "what has no exception in .gitignore": {
    files: { ...python(), ".gitignore": "data/*\n!data/keep.csv\n*.log\n!audit.log\n" },
    untracked: {
      "data/keep.csv": "",
      "data/big.csv": "",
      "x.log": "",
      "audit.log": "",
      "desk/audit.log": "",
    },
    in: ["audit.log", "data/keep.csv", "desk/audit.log"],
    leftOut: ["data/big.csv", "x.log"],
  },
  "what has no exception in .dockerignore": {
    files: {
      ...python(),
      ".dockerignore": "third_party/\n!third_party/keep/**\n*.md\n",
      ...{ "third_party/big/a.py": "1", "third_party/keep/b.py": "2", "NOTES.md": "n", "docs/guide.md": "g" },
    },
    in: ["docs/guide.md", "third_party/keep/b.py"],
    leftOut: ["third_party/big", "NOTES.md"],
  },
  "files without a checkout, but no folders of packages": {
    git: false,
    files: {
      ...python(),
      ...{ ".gitignore": "*.tmp\nnode_modules\n", "a.tmp": "1" },
      ...{ "node_modules/x/index.js": "2", "web/node_modules/y": "" },
    },
    only: [".gitignore", ...agent],
    leftOut: ["a.tmp"],
    neverNamed: ["index.js"],
  },
  "tracked files in folders whose names are never uploaded": {
    files: { ...python(), "desk/venv/a.py": "", "venv/b/c.py": "" },
    only: agent,
    leftOut: ["desk/venv", "venv"],
  },
  "symbolic links": {
    files: { ...python(), a: { link: "b" }, c: { link: "/" } },
    only: agent,
    leftOut: ["a", "c"],
  },
});

eachUpload(workspace, "a folder is refused before a request: %s", {
  "an ignore file names all of it": {
    files: { ".gitignore": "build/\n", "README.md": "# Desk\n" },
    untracked: below("build/agent", python()),
    inputs: { source_path: "build/agent" },
    errors: ["source_path", '"build/agent" has none to upload', "ignore rules"],
    count: 1,
  },
  "Docker can't read its .dockerignore": {
    files: below("in", { ...python(), ".dockerignore": "*.log\ndesk/[a-\n" }),
    inputs: { source_path: "in" },
    errors: [".dockerignore", '"desk/[a-"'],
    count: 1,
    place: { file: "in/.dockerignore", startLine: 2 },
  },
});

/** Deploys what is in the workspace. */
async function upload(inputs: Inputs = {}) {
  const { deploy, emulator, stored } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
  const run = await deploy({ source_path: ".", ...inputs }, workspace.env);
  return { ...run, files: (await deployedFiles(emulator, stored()))[0] };
}

test("the log lists the largest folder first, then those of one file and single files", async () => {
  const ignored = { "a.log": "", "build/x": "", "desk/c.tmp": "", ...below("generated", four) };
  workspace.write({ ...python(), ".gitignore": "a.log\nbuild\ngenerated/\n*.tmp\n", ...ignored });

  const { infos, log } = await upload();

  expect(log).toContain(
    "Left out of the archive: ignored files, symbolic links, credentials, and folders such as",
  );
  const first = infos.findIndex((line) => line.startsWith("Packed"));
  expect(infos.slice(first - 4, first)).toEqual(["generated (4 files)", "a.log", "build", "desk/c.tmp"]);
});

test("nothing is listed if nothing is left out, although a tracked file was removed", async () => {
  workspace.write({ ...python(), "removed.txt": "" });
  gitIn(workspace.path, "init", "--quiet");
  gitIn(workspace.path, "add", ".");
  rmSync(join(workspace.path, "removed.txt"));

  const { log } = await upload();

  expect(log).not.toContain("Left out of the archive");
});

test("the log lists a hundred lines of what is left out, and how many more there are", async () => {
  const names = Array.from({ length: 103 }, (_, index) => `desk/${index}.tmp`);
  workspace.write({
    ...python(),
    ".gitignore": "*.tmp\n",
    ...Object.fromEntries(names.map((name) => [name, ""])),
  });

  const { infos } = await upload();

  expect(infos.filter((line) => line.endsWith(".tmp"))).toHaveLength(100);
  expect(infos).toContain("3 more");
});

test("files below a link that replaced their folder are left out, and the log lists them", async () => {
  workspace.write({ ...python(), "data/deep/a": "", "elsewhere/deep/a": "" });
  gitIn(workspace.path, "init", "--quiet");
  gitIn(workspace.path, "add", ".");
  rmSync(join(workspace.path, "data"), { recursive: true });
  workspace.write({ data: { link: "elsewhere" } });

  const { infos, files } = await upload();

  expect(files).toEqual(["desk/flow.py", "elsewhere/deep/a", "langgraph.json", "pyproject.toml"]);
  expect(infos).toContain("data (2 files)");
});
