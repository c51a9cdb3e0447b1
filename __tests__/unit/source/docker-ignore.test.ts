import { expect, test } from "@jest/globals";
import * as fc from "fast-check";
import { readDockerIgnore } from "../../../src/source/docker-ignore.ts";
import { messageMatching } from "../../support/message-matching.ts";
import { inFolder, type Tree, writeTree } from "../../support/source-tree.ts";
import { times } from "../../support/times.ts";

async function ignores(rules: string, path: string): Promise<boolean> {
  return await inFolder(async (folder) => {
    writeTree(folder, { ".dockerignore": rules });
    return (await readDockerIgnore({ path: folder, workspace: folder }))(path);
  });
}

test.each([
  ["**.log", "a/x.log", true],
  ["**.log", "a\nb.log", true],
  ["**.log*", "a/.log1", true],
  ["**.log*", "x.log1", false],
  ["a/**.log", "a/b/.log", true],
  ["a/**.log", "a/x.log", false],
  ["**/x.log", "x.log", true],
  ["**/x.log", "ax.log", false],
  ["a/**", "a", false],
  ["a/**", "a/b/c", true],
  ["**", "a/b", true],
  ["a/**/b", "a/b", true],
  ["a/**/b", "a/x/y/b", true],
  ["a?c", "a/c", false],
  ["a?c", "a💥c", true],
  ["[a-c]x", "bx", true],
  ["[^a-c]x", "bx", false],
  ["[!a]x", "!x", true],
  ["[\\^a]x", "ax", true],
  ["foo[\\ ]bar", "foo bar", true],
  ["[\\]\\-]x", "-x", true],
  ["\\\\x", "\\x", true],
  ["\\*", "a", false],
  ["\\*", "*", true],
  ["a/", "a/b", true],
  ["/a", "a/b", true],
  ["./a/../b//c", "b/c", true],
  ["!a", "a", false],
  ["a\n ! a ", "a", false],
  ["# a\n#a", "#a", false],
  [" #a", "#a", true],
  [" a\t\r\n \t\n\nb", "a", true],
  ["\ufeffa", "a", true],
  ["b\ufeffa", "b\ufeffa", true],
])("with the rules %j, Docker ignores %j: %s", async (rules, path, isIgnored) => {
  expect(await ignores(rules, path)).toBe(isIgnored);
});

test.each([
  "[",
  "[]",
  "[a",
  "[a-",
  "[z-a]",
  "[!a",
  "[a-]x",
  "[-a]",
  "[^-a]",
  "[^]",
  "[a-c-e]",
  "**[",
  "a\\",
  "!",
  "! ",
])("the pattern %j is refused, as Docker refuses it", async (pattern) => {
  await expect(ignores(`a\n${pattern}`, "a")).rejects.toMatchObject({
    message: `.dockerignore can't be read by Docker: line 2 is not a pattern: ${pattern.trim()}.`,
    ending: {
      place: { path: ".dockerignore", line: 2 },
      hint: messageMatching(/^Correct or remove the line\. A literal \[/),
    },
  });
});

const rulesOf = (folder: string) =>
  readDockerIgnore({ path: `${folder}/workspace/source`, workspace: `${folder}/workspace` });

test("a link to nothing is no file, as for Docker", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, { "workspace/source/.dockerignore": { link: "rules" } });

    expect((await rulesOf(folder))("a")).toBe(false);
  });
});

test("rules behind a link are read if they are in the workspace", async () => {
  await inFolder(async (folder) => {
    writeTree(folder, {
      "workspace/rules": "a",
      "workspace/source/.dockerignore": { link: "../rules" },
    });

    expect((await rulesOf(folder))("a")).toBe(true);
  });
});

test.each<[string, Tree, RegExp]>([
  [
    "a link out of the workspace",
    { "outside/rules": "canary", "workspace/source/.dockerignore": { link: "../../outside/rules" } },
    /can't be read by Docker: It is outside of the workspace\.$/,
  ],
  ["a folder", { "workspace/source/.dockerignore/rules": "a" }, /EISDIR/],
])("%s is an input error", async (_what, tree, reason) => {
  await inFolder(async (folder) => {
    writeTree(folder, tree);

    await expect(rulesOf(folder)).rejects.toMatchObject({
      message: expect.stringMatching(reason),
      ending: {
        place: { path: "source/.dockerignore" },
        hint: messageMatching(/a file, or a link to one in the workspace/),
      },
    });
  });
});

/** The regular expression that Docker makes of a pattern of these parts (moby/patternmatcher). */
const expressions: Readonly<Record<string, string>> = {
  a: "a",
  b: "b",
  "/": "/",
  "*": "[^/]*",
  "?": "[^/]",
  "[ab]": "[ab]",
  "\\a": "a",
  "x**/": "x(.*/)?",
};

test("a pattern matches what the regular expression matches that Docker makes of it", async () => {
  const part = fc.constantFrom(...Object.keys(expressions));
  const parts = fc.array(part, { minLength: 1, maxLength: 6 }).filter((all) => {
    const pattern = all.join("");
    return !/^\/|\/$|\/\/|\*\*$|\*x?\*|\*\*\/\//.test(pattern);
  });
  const path = fc
    .array(fc.constantFrom("a", "b", "x", "/"), { minLength: 1, maxLength: 7 })
    .map((all) => all.join(""))
    .filter((all) => !/^\/|\/$|\/\//.test(all));
  await fc.assert(
    fc.asyncProperty(parts, path, async (all, name) => {
      const expression = new RegExp(`^${all.map((one) => expressions[one]).join("")}$`);
      const names = name.split("/").map((_one, index, every) => every.slice(0, index + 1).join("/"));

      expect(await ignores(all.join(""), name)).toBe(names.some((one) => expression.test(one)));
    }),
    times(300),
  );
});
