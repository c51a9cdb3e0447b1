import { expect, test } from "@jest/globals";
import { GitHubError, ProxyRefusedError, RateLimitError } from "../../../src/github/errors.ts";
import { purposes } from "../../../src/github/purposes.ts";
import { tolerating } from "../../../src/github/tolerate.ts";
import { recordingContext } from "../../support/recording-context.ts";

const { readRecords, writeRecord, writeComment } = purposes;
const soon = Date.UTC(2026, 0, 1, 12);

function limited(until: number): RateLimitError {
  return new RateLimitError(writeRecord, 403, "rate limit", { until });
}

async function warningsOf(errors: readonly Error[]): Promise<readonly string[]> {
  const { log, recorded } = recordingContext({});
  const tolerate = tolerating(log);
  for (const error of errors) expect(await tolerate(() => Promise.reject(error))).toBeUndefined();
  return recorded.lines.flatMap(({ kind, text }) => (kind === "warning" ? text : []));
}

test.each<[string, GitHubError, GitHubError]>([
  [
    "the same permission is missing",
    new GitHubError(readRecords, 403, "no"),
    new GitHubError(writeRecord, 404, "no"),
  ],
  [
    "the token is wrong for both",
    new GitHubError(writeRecord, 401, "no"),
    new GitHubError(writeComment, 401, "no"),
  ],
  [
    "the proxy refuses both",
    new ProxyRefusedError(writeRecord, 403, "HTTPS_PROXY", undefined),
    new ProxyRefusedError(writeComment, 403, "HTTPS_PROXY", undefined),
  ],
  ["a rate limit that ends later than was said", limited(soon), limited(soon + 60_000)],
])("one warning for two failures of one kind: %s", async (_what, first, second) => {
  expect(await warningsOf([first, second])).toEqual([
    `${first.message} ${first.hint} The deployment doesn't depend on it.`,
  ]);
});

test.each<[string, GitHubError, GitHubError]>([
  [
    "two permissions are missing",
    new GitHubError(writeRecord, 403, "no"),
    new GitHubError(writeComment, 403, "no"),
  ],
  [
    "one may be missing, and GitHub stumbled",
    new GitHubError(writeRecord, 403, "no"),
    new GitHubError(writeRecord, 502, "no"),
  ],
  ["a rate limit, and a stumble", limited(soon), new GitHubError(writeRecord, undefined, "no")],
])("a warning each where %s", async (_what, first, second) => {
  expect(await warningsOf([first, second])).toHaveLength(2);
});

test("what is no failure of GitHub's goes on its way", async () => {
  const other = new Error("other");
  await expect(tolerating(recordingContext({}).log)(() => Promise.reject(other))).rejects.toBe(other);
});
