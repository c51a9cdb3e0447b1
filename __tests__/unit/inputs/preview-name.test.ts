import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { minName, nameOfTask, previewName, previewRecordTask } from "../../../src/inputs/preview-name.ts";

/** What the platform takes (platform-field-notes, Rules). */
const fit = /^[a-z][a-z0-9-]*$/;

test.each([
  ["octo-org/octo-repo", "octo-repo-pr-7"],
  ["octo-org/Octo.Repo_2", "octo-repo-2-pr-7"],
  ["octo-org/2fast", "preview-2fast-pr-7"],
  ["octo-org/-dashed-", "dashed-pr-7"],
  ["octo-org/a--b", "a-b-pr-7"],
  ["octo-org/___", "preview-pr-7"],
  ["octo-org/.github", "github-pr-7"],
  ["octo-org/x", "x-pr-7"],
])("%s becomes %s", (repository, name) => {
  expect(previewName(repository, 7, 63)).toBe(name);
});

const repositories = fc.stringMatching(/^[A-Za-z0-9._-]{1,100}$/).map((name) => `octo-org/${name}`);
const numbers = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const lengths = fc.integer({ min: minName, max: 63 });

test("whatever the repository is called, the name is fit and no longer than allowed", () => {
  fc.assert(
    fc.property(repositories, numbers, lengths, (repository, number, length) => {
      const name = previewName(repository, number, length);
      expect(name).toMatch(fit);
      expect(name.length).toBeLessThanOrEqual(length);
      expect(name.endsWith(`-pr-${number}`)).toBe(true);
    }),
  );
});

test("outside of a workflow, where no repository is known, it is a name all the same", () => {
  expect(previewName("", 7, 63)).toBe("preview-pr-7");
});

describe("a name that is too long", () => {
  const long = "octo-org/a-repository-with-a-name-that-is-far-too-long-for-any-platform-there-is";

  test("is cut to the characters allowed, with a hash", () => {
    expect(previewName(long, 7, 63)).toMatch(
      /^a-repository-with-a-name-that-is-far-too-long-for-a-[0-9a-f]{6}-pr-7$/,
    );
    expect(previewName(long, 7, 63)).toHaveLength(63);
    expect(previewName(long, 12345, 21)).toMatch(/^a-rep-[0-9a-f]{6}-pr-12345$/);
  });

  test("is kept apart from others that begin alike, and is the same every time", () => {
    const names = ["one", "two", "three"].map((end) => previewName(`${long}-${end}`, 7, 63));
    expect(new Set(names).size).toBe(3);
    expect(previewName(`${long}-one`, 7, 63)).toBe(names[0]);
    expect(previewName(long.replace("octo-org", "other-org"), 7, 63)).not.toBe(previewName(long, 7, 63));
  });

  test("stays the same from version to version, else the previews that are there would be lost", () => {
    expect(previewName(long, 7, 63)).toBe("a-repository-with-a-name-that-is-far-too-long-for-a-7d9805-pr-7");
    expect(previewName(long, 7, 20)).toBe("a-reposi-7d9805-pr-7");
  });

  test("is the same however the repository's letters are written", () => {
    expect(previewName(long.toUpperCase(), 7, 63)).toBe(previewName(long, 7, 63));
  });

  test("has no dash before the hash where it is cut at one", () => {
    expect(previewName("octo-org/abcdefg-hijklmnopqrstuvw", 7, 20)).toMatch(/^abcdefg-[0-9a-f]{6}-pr-7$/);
  });

  test("has a shorter hash where the number leaves no room for a letter before it", () => {
    expect(previewName(long, 2 ** 31 - 1, 20)).toMatch(/^a-[0-9a-f]{4}-pr-2147483647$/);
  });

  test("is cut only where it has to be", () => {
    const name = `octo-org/${"a".repeat(58)}`;
    expect(previewName(name, 7, 63)).toBe(`${"a".repeat(58)}-pr-7`);
    expect(previewName(name, 17, 63)).toMatch(/^a+-[0-9a-f]{6}-pr-17$/);
  });
});

test("a task names one preview and no other", () => {
  expect(nameOfTask(previewRecordTask("octo-repo-pr-1"))).toBe("octo-repo-pr-1");
  expect(nameOfTask("deploy:octo-repo-pr-1")).toBeUndefined();
  expect(nameOfTask("deploy")).toBeUndefined();
});
