import { expect, test } from "@jest/globals";
import { sameRepository } from "../../../src/deployment/repository.ts";

const own = "https://github.com/octo-org/octo-repo";

test.each([
  [own, true],
  ["HTTPS://GitHub.com/Octo-Org/OCTO-repo", true],
  [`${own}/`, true],
  [`${own}//`, true],
  [`${own}.git`, true],
  [`${own}.git/`, true],
  [`${own}.GIT`, true],
  [`${own}2`, false],
  [`${own}.github`, false],
  ["https://github.com/octo-org", false],
  ["https://github.com/octo-org/octo-repo/tree", false],
  ["https://gitlab.com/octo-org/octo-repo", false],
])("%s: the same %p", (url, same) => {
  expect(sameRepository(own, url)).toBe(same);
  expect(sameRepository(url, own)).toBe(same);
});

test("an ending .git is left out, and no other", () => {
  expect(
    sameRepository("https://github.com/octo-org/octo.github", "https://github.com/octo-org/octohub"),
  ).toBe(false);
});
