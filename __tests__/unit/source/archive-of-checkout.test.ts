import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { gitIn, inFolder, pack, type Tree, unpack, writeTree } from "../../support/source-tree.ts";
import { times } from "../../support/times.ts";

const excluded = ["node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache"];
const folderName = fc.constantFrom(
  ...[
    "a",
    "b",
    "build",
    "keep",
    "with blank",
    "[ab]",
    "ünï",
    "日本",
    "!x",
    "#y",
    "star*",
    "back\\slash",
    "d".repeat(120),
  ],
  ...excluded,
);
const fileName = fc.constantFrom(
  ...[
    "a",
    "b",
    "keep",
    "x.log",
    "keep.log",
    "with blank",
    "new\nline",
    "#hash",
    "!bang",
    "[ab]",
    "star*",
    "q?",
    "-dash",
  ],
  ...[
    "ünï.txt",
    "日本",
    "💥",
    "back\\slash",
    "trailing ",
    "C:x",
    "f".repeat(101),
    "é".repeat(120),
    "langgraph.json",
    "venv",
  ],
  ...["é", "à", "日", "ö", "\u00a0", "ab"],
);
const path = fc
  .tuple(fc.array(folderName, { maxLength: 4 }), fileName)
  .map(([folders, name]) => [...folders, name].join("/"));
const content = fc.oneof(
  fc.constantFrom("", "text", "x".repeat(511), "x".repeat(512), "x".repeat(70_000)),
  fc.string(),
);
const mode = fc.constantFrom(0o644, 0o755, 0o600, 0o700, 0o664, 0o777);
const pattern = fc.constantFrom(
  ...[
    "*.log",
    "!keep.log",
    "/a",
    "a/",
    "**/b",
    "a/**",
    "build/*",
    "!build/keep",
    "a/b",
    "\\#hash",
    "\\!bang",
    "[ab]",
  ],
  ...[
    "\\[ab\\]",
    "!\\[ab\\]/",
    "?",
    "*",
    "!*/",
    "!a",
    "!a/",
    "trailing\\ ",
    "keep ",
    "# a comment",
    "",
    "/",
    "b/",
    "**/keep/**",
  ],
  ...[
    "*/keep",
    "a/**/b",
    "ünï*",
    "日本",
    "new*",
    "with\\ blank",
    "with blank/",
    "back\\\\slash",
    "star\\*",
    "!build/",
    "d*",
  ],
  ...[
    "[!a]",
    "[^a]*",
    "[!é]",
    "[é]",
    "é?",
    "??",
    "????",
    "[à-ü]?",
    "*à",
    "ünï/",
    "日本/a",
    "!é",
    "\u00a0",
    "/à",
  ],
);
const rules = fc.array(pattern, { maxLength: 4 }).map((lines) => lines.join("\n"));
const ignoreFile = fc
  .tuple(fc.array(folderName, { maxLength: 2 }), rules)
  .map(([folders, text]): [string, string] => [[...folders, ".gitignore"].join("/"), text]);

const tree = fc
  .record({
    files: fc.array(fc.tuple(path, fc.record({ content, mode })), { maxLength: 12 }),
    ignoreFiles: fc.array(ignoreFile, { maxLength: 4 }),
    links: fc.array(fc.tuple(path, fc.record({ link: fc.constantFrom("a", "..", "/nowhere") })), {
      maxLength: 2,
    }),
  })
  .map(({ files, ignoreFiles, links }): Tree => withoutConflicts([...ignoreFiles, ...files, ...links]));

/** Without the entries whose path leads through another entry. */
function withoutConflicts(entries: readonly [string, Tree[string]][]): Tree {
  const kept: Record<string, Tree[string]> = {};
  for (const [path, entry] of entries) {
    const others = Object.keys(kept);
    const isFree =
      path !== "a" &&
      !others.some((other) => `${other}/`.startsWith(`${path}/`) || path.startsWith(`${other}/`));
    if (isFree) kept[path] = entry;
  }
  return kept;
}

test("tar unpacks the archive of a checkout to exactly the files that git lists, without the folders that are left out", async () => {
  // Several trees in one checkout, because starting git takes longer than all the rest.
  const trees = fc.array(tree, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(trees, fc.array(fc.nat()), fc.constantFrom(".", "0", "0/a"), (several, tracked, below) =>
      inFolder(async (checkout) => {
        const files = Object.fromEntries(
          several.flatMap((one, index) =>
            Object.entries(one).map(([path, entry]) => [`${index}/${path}`, entry]),
          ),
        );
        writeTree(checkout, { "0/a/z": "z", ...files });
        gitIn(checkout, "init", "--quiet");
        const paths = Object.keys(files);
        const chosen = [...new Set(tracked.flatMap((index) => paths[index % paths.length] ?? []))];
        if (chosen.length > 0) gitIn(checkout, "--literal-pathspecs", "add", "--force", "--", ...chosen);
        const folder = join(checkout, below);

        await using archive = await pack(folder, checkout);

        expect(await unpack(archive)).toEqual(expectedFiles(folder));
      }),
    ),
    times(5),
  );
});

function expectedFiles(folder: string) {
  const listed = gitIn(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0");
  const kept = listed.filter((path) => {
    const folders = path.split("/").slice(0, -1);
    return (
      path !== "" &&
      lstatSync(join(folder, path)).isFile() &&
      !folders.some((name) => excluded.includes(name))
    );
  });
  return Object.fromEntries(
    kept.map((path) => {
      const isExecutable = (statSync(join(folder, path)).mode & 0o100) !== 0;
      return [path, { content: readFileSync(join(folder, path), "utf8"), isExecutable }];
    }),
  );
}
