import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { packArchive } from "../../../src/source/archive.ts";
import { listFiles } from "../../../src/source/list-files.ts";
import { tarOf } from "../../../src/source/tar.ts";
import { messageMatching } from "../../support/message-matching.ts";
import {
  bytesOf,
  gitIn,
  inFolder,
  listed,
  pack,
  type Tree,
  unpack,
  writeTree,
} from "../../support/source-tree.ts";

test("the digest depends on paths, contents and executable bits, but not on order, time or the mode of others", async () => {
  const tree: Tree = { "b/x": "1", a: "2", "ü/é": "3" };
  const digestOf = (variant: Tree, change: (folder: string) => void = () => {}) =>
    inFolder(async (folder) => {
      writeTree(folder, variant);
      change(folder);
      await using archive = await pack(folder);
      return archive.digest;
    });
  const digest = await digestOf(tree);

  const reversed = Object.fromEntries(Object.entries(tree).toReversed());
  expect(await digestOf(reversed)).toBe(digest);
  expect(await digestOf(tree, (folder) => utimesSync(join(folder, "a"), 1, 1))).toBe(digest);
  expect(await digestOf(tree, (folder) => chmodSync(join(folder, "a"), 0o666))).toBe(digest);
  expect(await digestOf(tree, (folder) => chmodSync(join(folder, "a"), 0o744))).not.toBe(digest);
  expect(await digestOf({ ...tree, a: "3" })).not.toBe(digest);
  // Fixed, so that it is the same on every machine and in every release.
  expect(digest).toBe("sha256:7d5b9dada400a2c7ba1ebd403926f935b7ea6852cb66bc17f32bc1141361d4b3");
});

test("a file with two names is in the archive under both, and links are left out and counted", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, {
      a: "text",
      b: { hardLink: "a" },
      c: { link: "a" },
      d: { link: "/" },
      ".gitignore": "d",
    });

    await using archive = await pack(folder);

    expect(archive.links).toBe(1);
    expect(await unpack(archive)).toMatchObject({ a: { content: "text" }, b: { content: "text" } });
    expect(archive.files.map(({ path }) => path)).toEqual([".gitignore", "a", "b"]);
  });
});

test("the archive leaves no file behind, not even while it is open", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "in/a": "text" });
    const options = { temporaryFolder: folder, maxPackedBytes: 1000, signal: new AbortController().signal };
    const listing = await listFiles({ path: join(folder, "in"), workspace: folder }, options);

    await using archive = await packArchive(join(folder, "in"), listing, options);

    expect(readdirSync(folder)).toEqual(["in"]);
    expect(await bytesOf(archive)).toHaveLength(archive.packedBytes);
  });
});

test("an archive that is too large fails and names the ten largest files, the largest first", async () => {
  await inFolder(async (folder) => {
    const names = "abcdefghijkl".split("");
    writeTree(folder, Object.fromEntries(names.map((name, index) => [name, "x".repeat(index + 1)])));

    const packing = pack(folder, folder, 100);

    const named = names.slice(2).toReversed();
    await expect(packing).rejects.toMatchObject({
      message: expect.stringMatching(new RegExp(named.map((name) => ` ${name} \\(.*`).join(""))),
      ending: { hint: messageMatching(/\.dockerignore/) },
    });
    await expect(packing).rejects.not.toMatchObject({ message: expect.stringMatching(/ b \(/) });
  });
});

describe("packing fails and names the file", () => {
  const limits = {
    temporaryFolder: undefined,
    maxPackedBytes: 2 ** 20,
    signal: new AbortController().signal,
  };
  const replaceBy = (tree: Tree) => (folder: string, path: string) => {
    rmSync(join(folder, path), { recursive: true });
    writeTree(folder, tree);
  };

  test.each<[string, (folder: string, path: string) => void]>([
    ["that grew after it was listed", (folder) => writeTree(folder, { "in/a": "longer text" })],
    ["that was rewritten with the same size", (folder) => writeTree(folder, { "in/a": "TEXT" })],
    ["that was replaced by another of the same size and time", replaceBy({ "in/a": "TEXT" })],
    ["that was removed", (folder) => rmSync(join(folder, "in/a"))],
    ["that was replaced by a link out of the workspace", replaceBy({ "in/a": { link: "../../out/a" } })],
    [
      "that was replaced by a pipe",
      (folder) => {
        rmSync(join(folder, "in/a"));
        execFileSync("mkfifo", [join(folder, "in/a")]);
      },
    ],
    [
      "whose folder was replaced by a link out of the workspace",
      (folder) => {
        renameSync(join(folder, "in"), join(folder, "../moved"));
        symlinkSync("../moved", join(folder, "in"));
      },
    ],
  ])("a file %s fails the packing, and the error names it", async (_what, change) => {
    await inFolder(async (around) => {
      const folder = join(around, "workspace");
      writeTree(around, { "workspace/in/a": "text", "out/a": "text" });
      for (const path of ["workspace/in/a", "out/a"]) utimesSync(join(around, path), 1, 1);
      const listing = await listFiles({ path: folder, workspace: folder }, limits);
      change(folder, "in");
      if (existsSync(join(folder, "in/a"))) utimesSync(join(folder, "in/a"), 1, 1);

      const packing = packArchive(folder, listing, limits);

      await expect(packing).rejects.toMatchObject({
        message: expect.stringContaining("in/a"),
      });
    });
  });

  test("that is rewritten while it is packed", async () => {
    await inFolder(async (folder) => {
      writeTree(folder, { a: "x".repeat(1_000_000) });
      const { files } = await listFiles({ path: folder, workspace: folder }, limits);
      const readAll = async () => {
        let chunks = 0;
        for await (const _chunk of tarOf(folder, files)) {
          chunks += 1;
          if (chunks === 3) writeTree(folder, { a: "y".repeat(1_000_000) });
        }
      };

      await expect(readAll()).rejects.toMatchObject({
        message: expect.stringContaining("read a for"),
      });
    });
  });
});

test("the parts of an archive stay as they are when the next one is read", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { a: randomBytes(400_000).toString("latin1") });
    await using archive = await pack(folder);

    const tar = gunzipSync(await bytesOf(archive));

    expect(`sha256:${createHash("sha256").update(tar).digest("hex")}`).toBe(archive.digest);
  });
});

test("a git that hangs fails the listing once its time is over", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { a: "", git: { content: "#!/bin/sh\nexec sleep 600", mode: 0o755 } });
    const { PATH } = process.env;
    process.env.PATH = `${folder}:${PATH}`;
    try {
      const listing = listFiles(
        { path: folder, workspace: folder },
        { signal: new AbortController().signal, gitTimeoutMs: 100 },
      );

      await expect(listing).rejects.toMatchObject({
        message: expect.stringMatching(/^Git did not finish within 0\.1 s/),
      });
    } finally {
      process.env.PATH = PATH;
    }
  });
}, 5000);

describe(".dockerignore", () => {
  test.each<[string, string, string[]]>([
    ["a name at the root only", "a", ["b/a", "b/c", "d.log"]],
    ["a name at any depth", "**/a", ["b/c", "d.log"]],
    ["all but exceptions", "*\n!b/c", ["b/c"]],
    ["a folder with an exception in it", "b\n!b/a", ["a", "b/a", "d.log"]],
    ["case as it is", "A\nD.LOG", ["a", "b/a", "b/c", "d.log"]],
    ["CRLF, comments and a leading slash", "# a\r\n/d.log\r\n", ["a", "b/a", "b/c"]],
  ])("leaves out %s, as Docker reads it", async (_what, text, expected) => {
    await inFolder(async (folder) => {
      writeTree(folder, { a: "", "b/a": "", "b/c": "", "d.log": "", ".dockerignore": text });

      expect((await listed(folder)).filter((path) => path !== ".dockerignore")).toEqual(expected);
    });
  });

  test("takes characters literally that only regular expressions know", async () => {
    await inFolder(async (folder) => {
      writeTree(folder, {
        "a+b": "",
        "(c)": "",
        "d|e": "",
        "{f}": "",
        ".dockerignore": "a+b\n(c)\nd|e\n{f}",
      });

      expect(await listed(folder)).toEqual([".dockerignore"]);
    });
  });

  test("leaves out a tracked file too, and counts only in the folder itself", async () => {
    await inFolder(async (checkout) => {
      writeTree(checkout, { ".dockerignore": "b", "in/.dockerignore": "a", "in/a": "", "in/b": "" });
      gitIn(checkout, "init", "--quiet");
      gitIn(checkout, "add", ".");

      expect(await listed(join(checkout, "in"), checkout)).toEqual([".dockerignore", "b"]);
    });
  });
});

describe("without a Git checkout", () => {
  test("the .gitignore files of the workspace count", async () => {
    await inFolder(async (workspace) => {
      writeTree(workspace, {
        ".gitignore": "*.log\n!keep.log",
        "in/x.log": "",
        "in/keep.log": "",
        "in/.gitignore": "/b",
        "in/b": "",
        "in/c/b": "",
      });

      expect(await listed(join(workspace, "in"), workspace)).toEqual([".gitignore", "c/b", "keep.log"]);
    });
  });

  test("those outside of the workspace do not count", async () => {
    await inFolder(async (folder) => {
      writeTree(folder, { ".gitignore": "a", "workspace/a": "" });

      expect(await listed(join(folder, "workspace"))).toEqual(["a"]);
    });
  });
});

test("the files of a submodule and of a repository in a folder are in the archive, by their own rules", async () => {
  await inFolder(async (checkout) => {
    writeTree(checkout, {
      ".gitignore": "*.log",
      "sub/.gitignore": "*.txt",
      ...{ "sub/a.log": "", "sub/a.txt": "", "own/a.log": "", "own/a.txt": "", "a.log": "", "a.txt": "" },
    });
    for (const folder of ["", "sub", "own"]) gitIn(join(checkout, folder), "init", "--quiet");
    writeTree(checkout, { "own/.git/info/exclude": "*.txt" });

    expect(await listed(checkout)).toEqual([
      ".gitignore",
      "a.txt",
      "own/a.log",
      "own/a.txt",
      "sub/.gitignore",
      "sub/a.log",
    ]);
  });
});

test("tracked files of a repository in a folder are in the archive although its rules match them", async () => {
  await inFolder(async (checkout) => {
    writeTree(checkout, { "own/.gitignore": "*.log", "own/in/a.log": "", "own/b.log": "" });
    for (const folder of ["", "own"]) gitIn(join(checkout, folder), "init", "--quiet");
    gitIn(join(checkout, "own"), "add", "--force", "in/a.log");

    expect(await listed(checkout)).toEqual(["own/.gitignore", "own/in/a.log"]);
  });
});

test("the listing says when git can't read a checkout", async () => {
  await inFolder(async (checkout) => {
    writeTree(checkout, { "own/.git": "gitdir: /nowhere", "own/a": "" });

    const { signal } = new AbortController();
    expect(await listFiles({ path: checkout, workspace: checkout }, { signal })).toMatchObject({
      lacksGit: true,
    });
  });
});
