// The commit of an upload, and whether it has local changes: without running filters of the checkout.

import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { type Inputs, startScenario } from "../../support/scenario.ts";
import { gitIn, plainConfig, writeTree } from "../../support/source-tree.ts";
import { useWorkspace } from "./support.ts";

const workspace = useWorkspace();
const platform = { platform: "langsmith" } as const;
const upload: Inputs = { source_path: "." };

function commitIn(folder: string): string {
  gitIn(folder, "init", "--quiet");
  gitIn(folder, "add", ".");
  gitIn(folder, "commit", "--quiet", "--message", "one");
  return gitIn(folder, "rev-parse", "HEAD").trim();
}

test("the commit that is checked out is shown, and holds for verify_commit", async () => {
  const sha = commitIn(workspace.path);
  const { deploy } = await startScenario(platform);

  const run = await deploy({ ...upload, verify_commit: "true" }, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.summary).toMatch(new RegExp(`Commit \\| \`${sha}\` \\|`));
});

test("another commit that the platform shows of an upload is no failure with verify_commit", async () => {
  const sha = commitIn(workspace.path);
  const { clock, deploy, emulator, stored } = await startScenario(platform);
  emulator.addFault(answer("GET ^/live/.*/ok$", 503, { times: 2 }));
  clock.at(clock.elapsed() + 7000, () => {
    const source_revision_config = { repo_commit_sha: "f".repeat(40) };
    const body = { id: stored().latest_revision_id, status: "DEPLOYED", source_revision_config };
    emulator.addFault(answer({ method: "GET", path: "/revisions/", times: "always" }, 200, { body }));
  });

  const inputs = { ...upload, verify_commit: "true", serving_check: "off", health_check_path: "/ok" };
  const run = await deploy(inputs, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.took).toBeGreaterThan(7);
  expect(run.outputs.commit_sha).toBe(sha);
});

type Change = (folder: string) => void;

test.each<[string, Change]>([
  [
    "a file of another content, size and time being the same",
    (folder) => {
      writeTree(folder, { "in/a.txt": "2" });
      utimesSync(join(folder, "in/a.txt"), 1, 1);
    },
  ],
  ["a file that git does not track", (folder) => writeTree(folder, { "in/generated.py": "" })],
  [
    "a file that git does not track, and that a filter would change",
    (folder) => writeTree(folder, { "in/new.bin": "" }),
  ],
  ["a changed file whose filter is unset", (folder) => writeTree(folder, { "in/unset.bin": "2" })],
  [
    "a changed file after one that a filter changes",
    (folder) => writeTree(folder, { "in/big.bin": "the file itself", "in/run.bat": "1\r\n3\r\n" }),
  ],
  ["a file that was removed", (folder) => rmSync(join(folder, "in/a.txt"))],
  [
    "a file that a link replaced",
    (folder) => {
      rmSync(join(folder, "in/a.txt"));
      writeTree(folder, { "in/a.txt": { link: "langgraph.json" } });
    },
  ],
  [
    "a folder that a file replaced",
    (folder) => {
      rmSync(join(folder, "in/deep"), { recursive: true });
      writeTree(folder, { "in/deep": "" });
    },
  ],
  [
    "a staged file",
    (folder) => {
      writeTree(folder, { "in/a.txt": "2" });
      gitIn(folder, "add", "in/a.txt");
    },
  ],
  [
    "a repository that git does not track",
    (folder) => {
      writeTree(folder, { "in/own/a": "" });
      commitIn(join(folder, "in/own"));
    },
  ],
  [
    "a submodule at another commit",
    (folder) => {
      writeTree(folder, { "in/sub/a": "2" });
      commitIn(join(folder, "in/sub"));
    },
  ],
  [
    "a changed file whose line ends Git converted",
    (folder) => writeTree(folder, { "in/run.bat": "1\r\n3\r\n" }),
  ],
  ["a changed name with a control character", (folder) => writeTree(folder, { "in/b\u0001é": "2" })],
  ["a submodule with a changed file", (folder) => writeTree(folder, { "in/sub/a": "2" })],
])("the commit is shown with local changes because of %s", async (_what, change) => {
  expect(await summaryAfter(change)).toMatch(/Commit .* with local changes \|/);
});

test.each<[string, Change]>([
  ["a file outside of source_path", (folder) => writeTree(folder, { "generated.py": "" })],
  ["a file that is ignored", (folder) => writeTree(folder, { "in/a.log": "" })],
  ["a file whose time alone is new", (folder) => utimesSync(join(folder, "in/a.txt"), 1, 1)],
  ["a file that a filter changes", (folder) => writeTree(folder, { "in/big.bin": "the file itself" })],
  ["a file whose line ends Git converted", (folder) => writeTree(folder, { "in/run.bat": "1\r\né\r\n" })],
  [
    "a submodule at another commit in a folder that is never uploaded",
    (folder) => {
      writeTree(folder, { "in/venv/sub/a": "2" });
      commitIn(join(folder, "in/venv/sub"));
    },
  ],
  [
    "a file that a sparse checkout lacks",
    (folder) => {
      gitIn(folder, "update-index", "--skip-worktree", "in/a.txt");
      rmSync(join(folder, "in/a.txt"));
    },
  ],
])("the commit is shown without local changes in spite of %s", async (_what, change) => {
  const summary = await summaryAfter(change);

  expect(summary).toMatch(/Commit/);
  expect(summary).not.toContain("with local changes");
});

/** The summary of a deploy of `in`, a folder of a checkout that was changed after its commit. */
async function summaryAfter(change: Change): Promise<string | undefined> {
  const folder = workspace.path;
  writeTree(folder, {
    "in/langgraph.json": plainConfig,
    "in/a.txt": "1",
    ".gitignore": "*.log",
    "in/sub/a": "1",
    "in/deep/a": "1",
    "in/b\u0001é": "1",
    "in/run.bat": "1\né\n",
    // Git converts neither of these.
    "in/crlf.txt": "1\r\n2\r\n",
    "in/link": { link: "a.txt" },
    "in/venv/sub/a": "1",
  });
  const attributes = ["*.bin filter=lfs", "unset.bin -filter", "*.bat eol=crlf"];
  writeTree(folder, {
    "in/big.bin": "a pointer",
    "in/unset.bin": "1",
    ".gitattributes": attributes.join("\n"),
  });
  for (const name of ["in/sub", "in/venv/sub"]) commitIn(join(folder, name));
  commitIn(folder);
  change(folder);
  const { deploy } = await startScenario(platform);

  const run = await deploy({ source_path: "in" }, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  return run.summary;
}

test("the files of a checkout with SHA-256 are compared too", async () => {
  const folder = workspace.path;
  gitIn(folder, "init", "--quiet", "--object-format=sha256");
  writeTree(folder, { "run.bat": "1\n2\n", ".gitattributes": "*.bat eol=crlf" });
  const sha = commitIn(folder);
  writeTree(folder, { "run.bat": "1\r\n2\r\n" });
  const { deploy } = await startScenario(platform);

  const run = await deploy(upload, workspace.env);

  expect(run.summary).toMatch(new RegExp(`Commit \\| \`${sha}\` \\|`));
});

test.each([
  ["is linked if it is of this repository", "git@github.com:OWNER/repo.git", true],
  ["is not linked if it is on another server", "git@example.com:owner/repo.git", false],
  ["is not linked if it is of another one", "https://github.com/other/repo", false],
])("the commit %s", async (_what, origin, isLinked) => {
  const sha = commitIn(workspace.path);
  gitIn(workspace.path, "remote", "add", "origin", origin);
  const { deploy } = await startScenario(platform);

  const run = await deploy(upload, { ...workspace.env, GITHUB_REPOSITORY: "owner/repo" });

  expect(run.summary).toContain(sha);
  expect(run.summary?.includes(`/commit/${sha}`)).toBe(isLinked);
});

test("it is logged why the commit of a checkout is unknown", async () => {
  gitIn(workspace.path, "init", "--quiet");
  const { deploy } = await startScenario(platform);

  const run = await deploy(upload, workspace.env);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.log).toMatch(
    /The commit of the checkout is unknown\. Git could not read .*: "Needed a single revision"\./,
  );
});

test("no commit is shown without a checkout", async () => {
  const { deploy } = await startScenario(platform);

  const run = await deploy(upload, workspace.env);

  expect(run.summary).not.toMatch(/commit/i);
});
