import { expect, test } from "@jest/globals";
import { findWarnings } from "../../../src/source/describe-listing.ts";
import { rawText } from "../../../src/text/message.ts";
import { inFolder, writeTree } from "../../support/source-tree.ts";
import { listingOf, sourceFile } from "./support/listing.ts";

const warningsOf = async (parts: Parameters<typeof listingOf>[0]) =>
  (await findWarnings(listingOf(parts))).map(rawText);

const untracked = (path: string) => sourceFile(path, { blob: undefined });

test.each([
  ...[
    ".env",
    "a/.env",
    ".env.production",
    "server.pem",
    "a/x.p12",
    "x.key",
    "id_rsa",
    "a/id_ecdsa",
    "id_ed25519",
  ],
])("an untracked %s gets a warning", async (path) => {
  expect(await warningsOf({ files: [untracked(path)] })).toEqual([
    `Files that look like credentials are uploaded, although Git does not track them: ${path}. If an earlier step wrote them, remove them before this one, or name them in .gitignore.`,
  ]);
  expect(await warningsOf({ files: [sourceFile(path)] })).toEqual([]);
});

test.each([
  ...[".env.example", ".env.local.sample", ".env.template", ".env.dist", ".envrc", "x.env", ".env.", ".pem"],
  ...["key.json", "id_rsa.pub", "my_id_rsa", ".env/x", "server.pem.txt"],
])("an untracked %s gets no warning", async (path) => {
  expect(await warningsOf({ files: [untracked(path)] })).toEqual([]);
});

const pointerOf = (size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize ${size}\n`;

test("pointers of Git LFS get a warning, and other files of about their size do not", async () => {
  await inFolder(async (path) => {
    const contents = {
      "a.bin": pointerOf(1),
      "b.bin": pointerOf(52_428_800),
      "real.bin": "x".repeat(pointerOf(1).length),
      "NOTES.md": `A pointer:\n${pointerOf(1)}`,
      "long.bin": pointerOf(1).padEnd(200, "x"),
      "short.bin": pointerOf(1).slice(0, 120),
    };
    writeTree(path, contents);
    const files = Object.entries(contents).map(([name, { length }]) => sourceFile(name, { bytes: length }));

    expect(await warningsOf({ source: { path, workspace: path }, files })).toEqual([
      "Pointers of Git LFS are uploaded in place of files: a.bin, b.bin. Set lfs: true for actions/checkout.",
    ]);
  });
});

test("submodules that are not checked out get a warning", async () => {
  expect(await warningsOf({ missingSubmodules: ["libs/a", "libs/b"] })).toEqual([
    "Submodules are not checked out, so the archive lacks them: libs/a, libs/b. Set submodules: true for actions/checkout.",
  ]);
});
