import { expect, test } from "@jest/globals";
import { Failure } from "../../../src/errors.ts";
import { githubFailure, operations } from "../../../src/github/operations.ts";
import { rawText, text } from "../../../src/text/message.ts";
import { badResponse } from "../http/support/failed.ts";

const operation = operations.writeComment;
const permission =
  /^Add "pull-requests: write" to the job's permissions\. If you set github_token, that token needs it\.$/;
const needed = /^Wait\. The job needs the permission "pull-requests: write"\.$/;
const temporary =
  /^The problem may be temporary: check GitHub's status page\. The job needs the permission "pull-requests: write"\.$/;

/** What Octokit throws for a response. */
const octokitError = (message: string, status?: number) =>
  Object.assign(new Error(message), { response: {}, ...(status !== undefined && { status }) });

test.each<[string, number, RegExp]>([
  ["Bad credentials", 401, /^Leave out github_token to use the job's token, or renew/],
  ["Resource not accessible by integration", 403, permission],
  ["Not Found", 404, permission],
  ["Comments are blocked", 403, permission],
  [
    "Unable to create comment because issue is locked",
    403,
    /^The conversation of the pull request is locked\. Unlock it, or set comment to false\.$/,
  ],
  ["Too many requests", 429, /^GitHub limits the requests of each token\./],
  ["API Rate Limit exceeded", 403, /^GitHub limits the requests of each token\./],
  ["No ref found for: 0123456", 422, /^Push the commit before the deploy\.$/],
  ["Unicorn", 502, temporary],
])("after %j (%d) the hint names what to do", (words, status, hint) => {
  const error = githubFailure(operation, octokitError(words, status));

  expect(error).toMatchObject({
    status,
    message: `Could not write the comment on GitHub (${status}): ${words}.`,
  });
  expect(rawText(error.ending.hint)).toMatch(hint);
});

test("an error of GraphQL has the status of its response", () => {
  expect(githubFailure(operation, octokitError("Field 'x' doesn't exist")).message).toBe(
    "Could not write the comment on GitHub (200): Field 'x' doesn't exist.",
  );
});

test("a failure of this action says why, also if Octokit wrapped it", () => {
  const failure = new Failure(text`no response in time.`, { hint: text`Wait.` });

  for (const thrown of [failure, new Error("wrapped", { cause: failure })]) {
    const error = githubFailure(operation, thrown);

    expect(error).toMatchObject({
      message: "Could not write the comment on GitHub: no response in time.",
      cause: failure,
    });
    expect(rawText(error.ending.hint)).toMatch(needed);
  }
});

test("after a redirect the hint names a renamed repository", () => {
  const redirect = badResponse(301);

  expect(rawText(githubFailure(operation, redirect).ending.hint)).toMatch(/renamed.* new workflow run/);
});

test("a bug is no failure of GitHub", () => {
  const bug = new TypeError("x is not a function");

  expect(() => githubFailure(operation, bug)).toThrow(bug);
});
