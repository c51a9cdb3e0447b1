import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach } from "@jest/globals";
import type { DeploymentSnapshot, Emulator } from "../../../emulator/index.ts";
import type { Inputs } from "../../support/scenario.ts";
import { plainConfig, type Tree, unpackBytes, writeTree } from "../../support/source-tree.ts";

/** The workspace of one test. */
export interface Workspace {
  /** The variables by which an action finds it. */
  readonly env: Inputs;
  readonly path: string;
  readonly write: (tree: Tree) => void;
}

/** A workspace for each test of a file, by default with a configuration file in it. */
export function useWorkspace(tree: Tree = { "langgraph.json": plainConfig }): Workspace {
  let path = "";
  beforeEach(() => {
    path = realpathSync(mkdtempSync(join(tmpdir(), "workspace-")));
    writeTree(path, tree);
  });
  afterEach(() => rmSync(path, { recursive: true }));
  return {
    get env() {
      return { GITHUB_WORKSPACE: path };
    },
    get path() {
      return path;
    },
    write: (tree) => writeTree(path, tree),
  };
}

/** The names of the files in the archives that the revisions were made of, newest first. */
export async function deployedFiles(
  emulator: Emulator,
  { id, revisions }: DeploymentSnapshot,
): Promise<string[][]> {
  const paths = revisions.map(({ source_revision_config: config }) => String(config.source_tarball_path));
  const archives = paths.map((path) => emulator.archiveOf(id, path) ?? "missing");
  return await Promise.all(
    archives.map(async (path) => Object.keys(await unpackBytes(readFileSync(path))).toSorted()),
  );
}

/** The digest of the tar that the newest revision was made of. */
export function digestOfDeployed(emulator: Emulator, { id, revisions }: DeploymentSnapshot): string {
  const path = emulator.archiveOf(id, String(revisions[0]?.source_revision_config.source_tarball_path));
  const tar = gunzipSync(readFileSync(path ?? "missing"));
  return `sha256:${createHash("sha256").update(tar).digest("hex")}`;
}
