import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { minNameLength, previewName } from "../../../src/inputs/read-preview-inputs.ts";

test.each([
  ["octo-org/octo-repo", "octo-repo-7739a-pr-7"],
  ["octo-org/Octo.Repo_2", "octo-repo-2-8673f-pr-7"],
  ["octo-org/2fast", "preview-2fast-eb693-pr-7"],
  ["octo-org/-dashed-", "dashed-2f470-pr-7"],
  ["octo-org/a--b", "a-b-39e44-pr-7"],
  ["octo-org/___", "preview-b83cd-pr-7"],
  ["octo-org/.github", "github-d7727-pr-7"],
  ["octo-org/x", "x-3700a-pr-7"],
  ["", "preview-e3b0c-pr-7"],
])("a preview of %j is called %s", (repository, name) => {
  expect(previewName(repository, 7, 63)).toBe(name);
});

test("every name is valid on the platforms and no longer than allowed", () => {
  const repositories = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/).map((name) => `octo-org/${name}`);
  const numbers = fc.integer({ min: 1, max: 999_999_999 });
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
    ["to the length allowed", long, 7, 63, "a-repository-with-a-name-that-is-far-too-long-for-an-7d980-pr-7"],
    ["to the shortest length", long, 7, 20, "a-reposit-7d980-pr-7"],
    ["also if it is in capitals", long.toUpperCase(), 7, 20, "a-reposit-7d980-pr-7"],
    ["to one letter if its number is long", long, 123_456_789, 20, "a-7d980-pr-123456789"],
  ])("is always cut to the same name, %s", (_what, repository, number, maxLength, name) => {
    expect(previewName(repository, number, maxLength)).toBe(name);
  });

  test("has one dash before the hash if it is cut at a dash", () => {
    expect(previewName("octo-org/abcdefgh-ijklmnopqrstuvw", 7, 20)).toMatch(/^abcdefgh-[0-9a-f]{5}-pr-7$/);
  });
});

test("the previews of repositories with the same name, or names that begin alike, have different names", () => {
  const long = "octo-org/a-repository-with-a-name-that-is-far-too-long-for-any-platform-there-is";
  const repositories = ["alice/agent", "bob/agent", `${long}-one`, `${long}-two`];

  expect(new Set(repositories.map((repository) => previewName(repository, 7, 63))).size).toBe(4);
});
