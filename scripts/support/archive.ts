import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./run.ts";

/**
 * What every job downloads, as tar: the archive that git would make if everything in the work tree were committed. An index
 * of its own leaves that of the repository as it is.
 */
export function archiveOfWorkTree(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "index-"));
  const git = (...args: readonly string[]) =>
    execFileSync("git", args, {
      cwd: root,
      env: { ...process.env, GIT_INDEX_FILE: join(folder, "index") },
      maxBuffer: 2 ** 28,
    });
  try {
    git("add", "--all");
    const tree = git("write-tree").toString().trim();
    return git("archive", "--format=tar", "--worktree-attributes", tree);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
