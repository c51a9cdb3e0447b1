import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  minNameLength,
  nameOfTask,
  previewName,
  previewRecordTask,
} from "../../../src/inputs/preview-name.ts";

test.each([
  ["octo-org/octo-repo", "octo-repo-pr-7"],
  ["octo-org/Octo.Repo_2", "octo-repo-2-pr-7"],
  ["octo-org/2fast", "preview-2fast-pr-7"],
  ["octo-org/-dashed-", "dashed-pr-7"],
  ["octo-org/a--b", "a-b-pr-7"],
  ["octo-org/___", "preview-pr-7"],
  ["octo-org/.github", "github-pr-7"],
  ["octo-org/x", "x-pr-7"],
  ["", "preview-pr-7"],
])("a preview of %j is called %s", (repository, name) => {
  expect(previewName(repository, 7, 63)).toBe(name);
});

test("every name is valid on the platforms and no longer than allowed", () => {
  const repositories = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/).map((name) => `octo-org/${name}`);
  const numbers = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const lengths = fc.integer({ min: minNameLength, max: 63 });

  fc.assert(
    fc.property(repositories, numbers, lengths, (repository, number, maxLength) => {
      const name = previewName(repository, number, maxLength);

      expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(name.length).toBeLessThanOrEqual(maxLength);
      expect(name.endsWith(`-pr-${number}`)).toBe(true);
    }),
  );
});

describe("a name that is too long", () => {
  const long = "octo-org/a-repository-with-a-name-that-is-far-too-long-for-any-platform-there-is";

  test.each([
    ["to the length allowed", long, 7, 63, "a-repository-with-a-name-that-is-far-too-long-for-a-7d9805-pr-7"],
    ["to the shortest length", long, 7, 20, "a-reposi-7d9805-pr-7"],
    ["also if it is in capitals", long.toUpperCase(), 7, 20, "a-reposi-7d9805-pr-7"],
    ["to a shorter hash if its number is long", long, 2 ** 31 - 1, 20, "a-7d98-pr-2147483647"],
  ])("is always cut to the same name with a hash, %s", (_what, repository, number, maxLength, name) => {
    expect(previewName(repository, number, maxLength)).toBe(name);
  });

  test("differs from others that begin like it", () => {
    const repositories = [`${long}-one`, `${long}-two`, long.replace("octo-org", "other-org")];
    const names = repositories.map((repository) => previewName(repository, 7, 63));

    expect(new Set(names).size).toBe(3);
  });

  test("has one dash before the hash if it is cut at a dash", () => {
    expect(previewName("octo-org/abcdefg-hijklmnopqrstuvw", 7, 20)).toMatch(/^abcdefg-[0-9a-f]{6}-pr-7$/);
  });

  test("is cut only if it must be", () => {
    const repository = `octo-org/${"a".repeat(58)}`;

    expect(previewName(repository, 7, 63)).toBe(`${"a".repeat(58)}-pr-7`);
    expect(previewName(repository, 17, 63)).toMatch(/^a+-[0-9a-f]{6}-pr-17$/);
  });
});

test("the task of a preview's record names the preview", () => {
  expect(nameOfTask(previewRecordTask("octo-repo-pr-1"))).toBe("octo-repo-pr-1");
  expect(nameOfTask("deploy:octo-repo-pr-1")).toBeUndefined();
  expect(nameOfTask("deploy")).toBeUndefined();
});
