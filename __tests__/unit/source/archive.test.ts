import { createHash, randomBytes } from "node:crypto";
import { chmodSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { maxUploadBytes } from "../../../src/platform/source-upload.ts";
import { packArchive } from "../../../src/source/archive.ts";
import { listFiles } from "../../../src/source/list-files.ts";
import { messageMatching } from "../../support/message-matching.ts";
import {
  bytesOf,
  gitIn,
  inFolder,
  listed,
  pack,
  sourceOptions,
  type Tree,
  tarNames,
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
  expect(digest).toBe("sha256:3486de61065227d1741eda5e0c57b00d8bdd3301fb74dc769f8c8077a76b51a2");
});

test("a file that Git has as executable is one where the system shows no permission, as on Windows", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "build.sh": "text" });
    gitIn(folder, "init", "--quiet");
    gitIn(folder, "add", "build.sh");
    gitIn(folder, "update-index", "--chmod=+x", "build.sh");

    await using archive = await pack(folder);

    expect(await unpack(archive)).toMatchObject({ "build.sh": { isExecutable: true } });
  });
});

test("a file with two names is in the archive under both, and links are left out", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, {
      a: "text",
      b: { hardLink: "a" },
      c: { link: "a" },
      d: { link: "/" },
      ".gitignore": "d",
    });

    await using archive = await pack(folder);

    expect(await unpack(archive)).toMatchObject({ a: { content: "text" }, b: { content: "text" } });
    expect(archive.files.map(({ path }) => path)).toEqual([".gitignore", "a", "b"]);
  });
});

test("git reads no settings in the home of the user, and none of the machine", async () => {
  await inFolder(async (folder) => {
    const { HOME, PATH } = process.env;
    const script = `#!/bin/sh\nGIT_CONFIG_SYSTEM=${folder}/.gitconfig PATH='${PATH}' exec git "$@"`;
    writeTree(folder, { ".gitconfig": "[not closed", "bin/git": { content: script, mode: 0o755 } });
    Object.assign(process.env, { HOME: folder, PATH: `${folder}/bin:${PATH}` });
    try {
      expect(await listed(folder)).toEqual([".gitconfig", "bin/git"]);
    } finally {
      Object.assign(process.env, { HOME, PATH });
    }
  });
});

test("the archive is a file that nobody else may read, and is removed with it", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "in/a": "text" });
    const options = { ...sourceOptions(), temporaryFolder: folder };
    const listing = await listFiles({ path: join(folder, "in"), workspace: folder }, options);
    const others = () => readdirSync(folder).filter((name) => name !== "in");

    {
      await using archive = await packArchive(listing, maxUploadBytes, options);

      expect(others().map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600]);
      expect(await bytesOf(archive)).toHaveLength(archive.packedBytes);
    }

    expect(others()).toEqual([]);
  });
});

test("an archive that was cancelled leaves no file", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "in/a": "text" });
    const options = { temporaryFolder: folder, signal: AbortSignal.abort() };
    const listing = await listFiles({ path: join(folder, "in"), workspace: folder }, sourceOptions());

    await expect(packArchive(listing, maxUploadBytes, options)).rejects.toThrow();

    expect(readdirSync(folder)).toEqual(["in"]);
  });
});

test("an archive that can't be removed changes no result", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "in/a": "text", "temporary/b": "" });
    const temporaryFolder = join(folder, "temporary");
    const options = { ...sourceOptions(), temporaryFolder };
    const listing = await listFiles({ path: join(folder, "in"), workspace: folder }, options);
    const archive = await packArchive(listing, maxUploadBytes, options);
    rmSync(temporaryFolder, { recursive: true });
    writeFileSync(temporaryFolder, "A file, in which there is nothing to remove");

    await expect(archive[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });
});

test("the files of an archive are in the order of their bytes", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "a/x": "", "a.txt": "", "a-b": "", é: "", "\u{1f4a5}": "", "\uff5e": "" });
    gitIn(folder, "init", "--quiet");
    gitIn(folder, "add", "a/x", "\uff5e");

    await using archive = await pack(folder);

    const order = ["a-b", "a.txt", "a/x", "é", "\uff5e", "\u{1f4a5}"];
    expect(archive.files.map(({ path }) => path)).toEqual(order);
    expect(await tarNames(archive)).toEqual(order);
  });
});

test("a tracked file that can't be read is not taken for a removed one", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "data/a.txt": "a", "b.txt": "b" });
    gitIn(folder, "init");
    gitIn(folder, "add", ".");
    rmSync(join(folder, "data"), { recursive: true });
    writeTree(folder, { data: { link: "data" } });

    await expect(pack(folder)).rejects.toThrow("ELOOP");
  });
});

test("what a link replaced is left out, although git tracks it", async () => {
  await inFolder(async (around) => {
    const folder = join(around, "workspace");
    writeTree(around, { "workspace/b": "", "workspace/data/deep/a": "", "elsewhere/deep/a": "secret" });
    gitIn(folder, "init", "--quiet");
    gitIn(folder, "add", ".");
    rmSync(join(folder, "data"), { recursive: true });
    writeTree(folder, { data: { link: "../elsewhere" } });

    expect(await listed(folder)).toEqual(["b"]);
  });
});

test("an archive that is too large fails and names the ten largest files, the largest first", async () => {
  await inFolder(async (folder) => {
    const names = "abcdefghijkl".split("");
    writeTree(folder, Object.fromEntries(names.map((name, index) => [name, "x".repeat(index + 1)])));

    const packing = pack(folder, folder, 100);

    const named = names.slice(2).toReversed();
    await expect(packing).rejects.toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^The archive of source_path is larger than 100 bytes.*${named.map((name) => ` ${name} \\(.*`).join("")}`,
        ),
      ),
      ending: { hint: messageMatching(/\.dockerignore.* folder of source_path/) },
    });
    await expect(packing).rejects.not.toMatchObject({ message: expect.stringMatching(/ b \(/) });
  });
});

test("an archive may have the most bytes, and not one more", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { a: "text" });
    await using archive = await pack(folder);

    await using same = await pack(folder, folder, archive.packedBytes);

    expect(same.digest).toBe(archive.digest);
    await expect(pack(folder, folder, archive.packedBytes - 1)).rejects.toThrow("is larger than");
  });
});

const wasChanged = {
  message: "The file in/a was changed while it was packed.",
  ending: { hint: messageMatching(/no other process writes below source_path/) },
};

test.each<[string, (file: string) => void, object]>([
  ["grew", (file) => writeFileSync(file, "longer text"), wasChanged],
  ["became shorter", (file) => writeFileSync(file, "t"), wasChanged],
  ["was removed", (file) => rmSync(file), { message: expect.stringContaining("in/a") }],
])(
  "a file that %s after it was listed fails the packing, and the error names it",
  async (_what, change, error) => {
    await inFolder(async (folder) => {
      writeTree(folder, { "in/a": "text" });
      const listing = await listFiles({ path: folder, workspace: folder }, sourceOptions());
      change(join(folder, "in/a"));

      const packing = packArchive(listing, maxUploadBytes, sourceOptions());

      await expect(packing).rejects.toMatchObject(error);
    });
  },
);

test("the parts of an archive stay as they are when the next one is read", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { a: randomBytes(400_000).toString("latin1") });
    await using archive = await pack(folder);

    const tar = gunzipSync(await bytesOf(archive));

    expect(`sha256:${createHash("sha256").update(tar).digest("hex")}`).toBe(archive.digest);
  });
});

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
