import { afterEach, describe, expect, jest, test } from "@jest/globals";
import * as v from "valibot";
import { CancelledError } from "../../../src/errors.ts";
import { GitHubClient, pageSize } from "../../../src/github/client.ts";
import { createComment, findComment } from "../../../src/github/comments.ts";
import { GitHubError, purposes } from "../../../src/github/errors.ts";
import { readPullRequest } from "../../../src/github/repository.ts";
import { type GitHubFault, type GitHubStandIn, startGitHub } from "../../support/github/github-stand-in.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { defaultToken } from "../../support/runner/run-action.ts";
import { serve } from "../../support/serve.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

interface Setting {
  readonly standIn: GitHubStandIn;
  readonly github: GitHubClient;
  readonly context: RecordingContext;
  readonly clock: VirtualClock;
}

const started: GitHubStandIn[] = [];

afterEach(async () => {
  for (const standIn of started.splice(0)) await standIn.close();
});

/** A stand-in with the open pull request 7, and a client for it. */
async function start(): Promise<Setting> {
  const clock = new VirtualClock();
  const standIn = await startGitHub({ now: () => clock.now() });
  started.push(standIn);
  standIn.pullRequests.open({ number: 7 });
  const context = recordingContext({ ...standIn.env }, clock);
  const github = new GitHubClient({ token: defaultToken, requestTimeoutMs: 30_000 }, context);
  return { standIn, context, clock, github };
}

const always = { times: "always" } as const;
const open = { isOpen: true, labels: [] };

function respond(status: number, more: Partial<Extract<GitHubFault, { kind: "answer" }>> = {}): GitHubFault {
  return { kind: "answer", status, ...more };
}

/** Milliseconds between one request and the next. */
function delays({ standIn }: Setting): number[] {
  const times = standIn.requests.map(({ at }) => at);
  return times.slice(1).map((at, index) => at - (times[index] ?? 0));
}

describe("a read", () => {
  test.each<[string, GitHubFault]>([
    ["a 408", respond(408)],
    ["a 500 with a web page", respond(500, { body: "<html>oops</html>" })],
    ["a 503", respond(503)],
    ["a reset", { kind: "reset" }],
    ["half a response", { kind: "cut" }],
  ])("is retried twice after %s, with delays of one to two seconds", async (_what, fault) => {
    const setting = await start();
    setting.standIn.fail({ ...fault, match: { times: 2 } });

    const pullRequest = await readPullRequest(setting.github, 7);

    expect(pullRequest).toEqual(open);
    expect(delays(setting)).toEqual([1500, 1500]);
    const lines = setting.context.recorded.lines.map(({ text }) => text);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/reading the pull request.* Retrying in \d/);
  });

  test("of GraphQL and of a page is retried too", async () => {
    const { standIn, github } = await start();
    standIn.fail(respond(502, { match: { path: "/graphql$", times: 2 } }));
    standIn.fail({ kind: "reset", match: { path: "/comments$", times: 2 } });

    await expect(findComment(github, 7, "marker")).resolves.toBeUndefined();

    expect(standIn.requests).toHaveLength(6);
  });

  test.each<[string, GitHubFault, number]>([
    ["three times with a 502", respond(502, { match: { times: 3 } }), 3],
    ["with a 403", respond(403), 1],
    ["with a 404", respond(404), 1],
    ["with nonsense", respond(200, { body: { what: "?" } }), 1],
  ])("that fails %s is an error", async (_what, fault, requests) => {
    const { standIn, github } = await start();
    standIn.fail(fault);

    await expect(readPullRequest(github, 7)).rejects.toThrow(GitHubError);

    expect(standIn.requests).toHaveLength(requests);
  });

  test("is not retried after a cancel", async () => {
    const { standIn, github, context } = await start();
    context.cancel(new CancelledError("SIGINT"));
    standIn.fail(respond(502, { match: always }));

    await expect(readPullRequest(github, 7)).rejects.toThrow("502");

    expect(standIn.requests).toHaveLength(1);
  });

  test("fails as it did if a cancel ends the delay before its retry", async () => {
    const { standIn, github, context, clock } = await start();
    clock.at(500, () => context.cancel(new CancelledError("SIGINT")));
    standIn.fail(respond(502, { match: always }));

    await expect(readPullRequest(github, 7)).rejects.toThrow("502");

    expect([standIn.requests.length, clock.elapsed()]).toEqual([1, 500]);
  });

  test.each([
    ["60", [60_000]],
    ["61", []],
  ])(
    "is retried after a Retry-After of %s s only if that is no more than a minute",
    async (seconds, expected) => {
      const setting = await start();
      setting.standIn.fail(respond(503, { headers: { "retry-after": seconds } }));

      await readPullRequest(setting.github, 7).catch(() => {});

      expect(delays(setting)).toEqual(expected);
    },
  );

  test("is not retried while GitHub is down", async () => {
    const { standIn, github } = await start();
    standIn.fail(respond(502, { match: always }));

    await expect(github.viewer(purposes.readRecords)).rejects.toThrow("502");
    await expect(readPullRequest(github, 7)).rejects.toThrow("502");

    expect(standIn.requests).toHaveLength(4);
  });

  test.each<[string, GitHubFault | undefined, (github: GitHubClient) => Promise<unknown>]>([
    ["answered a read", undefined, (github) => github.viewer(purposes.readRecords)],
    ["accepted a write", undefined, (github) => createComment(github, 7, "text")],
    ["refused a request", respond(404), (github) => github.viewer(purposes.readRecords)],
  ])("is retried again once GitHub has %s", async (_what, fault, call) => {
    const { standIn, github } = await start();
    standIn.fail(respond(502, { match: { times: 3 } }));
    await expect(readPullRequest(github, 7)).rejects.toThrow("502");
    if (fault) standIn.fail(fault);
    await github.warnOnFailure(() => call(github));
    standIn.fail(respond(502, { match: { times: 2 } }));

    await expect(readPullRequest(github, 7)).resolves.toEqual(open);
  });
});

describe("a write", () => {
  test("follows the previous one after a second", async () => {
    const setting = await start();

    await createComment(setting.github, 7, "one");
    await createComment(setting.github, 7, "two");

    expect(delays(setting)).toEqual([1000]);
  });

  test("is not retried after a 502", async () => {
    const { standIn, github } = await start();
    standIn.fail(respond(502));

    await expect(createComment(github, 7, "text")).rejects.toThrow("502");

    expect(standIn.requests).toHaveLength(1);
  });
});

describe("a rate limit", () => {
  const secondary = { message: "You have exceeded a secondary rate limit." };
  const inSeconds = (clock: VirtualClock, seconds: number) => String(clock.now() / 1000 + seconds);

  test.each<[string, number, (clock: VirtualClock) => Partial<Extract<GitHubFault, { kind: "answer" }>>]>([
    ["a 403 with Retry-After", 30, () => ({ headers: { "retry-after": "30" }, body: secondary })],
    ["a 429 with Retry-After", 30, () => ({ status: 429, headers: { "retry-after": "30" } })],
    [
      "no requests left until a time",
      40,
      (clock) => ({
        headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(clock, 40) },
      }),
    ],
    ["its message alone", 60, () => ({ body: secondary })],
  ])("that is told by %s is waited for, and the write sent again", async (_what, seconds, fault) => {
    const setting = await start();
    setting.standIn.fail(respond(403, fault(setting.clock)));

    await createComment(setting.github, 7, "text");

    expect(delays(setting)).toEqual([seconds * 1000]);
    expect(setting.standIn.comments(7)).toHaveLength(1);
  });

  test("of more than a minute is an error, and nothing is sent before it ends", async () => {
    const { standIn, github, clock } = await start();
    standIn.fail(respond(403, { headers: { "retry-after": "3600" } }));

    const limited = { kind: "rate_limit", hint: expect.stringContaining("10:00 UTC") };
    await expect(createComment(github, 7, "text")).rejects.toMatchObject(limited);
    await expect(readPullRequest(github, 7)).rejects.toMatchObject(limited);
    expect(standIn.requests).toHaveLength(1);

    await clock.sleep(3_590_000, new AbortController().signal);
    await expect(readPullRequest(github, 7)).resolves.toEqual(open);
    expect(clock.elapsed()).toBe(3_600_000);
  });

  test("without a known end is an error", async () => {
    const { standIn, github } = await start();
    standIn.fail(respond(429, { match: always }));

    await expect(readPullRequest(github, 7)).rejects.toMatchObject({
      kind: "rate_limit",
      retryAt: undefined,
    });

    expect(standIn.requests).toHaveLength(1);
  });

  test("is waited for once if the write is refused again", async () => {
    const { standIn, github } = await start();
    standIn.fail(respond(403, { match: always, headers: { "retry-after": "10" } }));

    await expect(createComment(github, 7, "text")).rejects.toMatchObject({ kind: "rate_limit" });

    expect(standIn.requests).toHaveLength(2);
  });

  test("of GraphQL does not hold up other requests", async () => {
    const { standIn, github, clock } = await start();
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(clock, 3600) };
    const body = { errors: [{ type: "RATE_LIMITED", message: "API rate limit exceeded" }] };
    standIn.fail({ ...respond(200, { headers, body }), match: { path: "/graphql$" } });

    await expect(github.viewer(purposes.readRecords)).rejects.toMatchObject({ kind: "rate_limit" });

    await expect(readPullRequest(github, 7)).resolves.toEqual(open);
  });

  test("is not waited for after a cancel", async () => {
    const { standIn, github, context, clock } = await start();
    context.cancel(new CancelledError("SIGINT"));
    standIn.fail(respond(403, { headers: { "retry-after": "10" } }));

    await expect(createComment(github, 7, "text")).rejects.toMatchObject({ kind: "rate_limit" });

    expect(clock.elapsed()).toBe(0);
  });
});

describe("a list", () => {
  const listSchema = v.array(v.object({ id: v.number() }));

  /** Reads a list whose pages have these ids. */
  async function readList(pageOf: (page: number) => readonly number[]) {
    const pages: number[] = [];
    const api = await serve(({ url = "" }, response) => {
      const page = Number(new URL(url, "http://x").searchParams.get("page"));
      pages.push(page);
      response.end(JSON.stringify(pageOf(page).map((id) => ({ id }))));
    });
    const context = recordingContext({ GITHUB_API_URL: api, GITHUB_REPOSITORY: "octo-org/octo-repo" });
    const github = new GitHubClient({ token: "t", requestTimeoutMs: 30_000 }, context);
    const reading = github.readPages(purposes.readComments, listSchema, "/list");
    return { pages, ids: reading.then((items) => items.map(({ id }) => id)) };
  }

  const range = (from: number, length: number) => Array.from({ length }, (_item, index) => from + index);

  test.each([
    ["an empty page", [0], 1],
    ["a page that is not full", [3], 1],
    ["an empty page after a full one", [pageSize], 2],
    ["the last of several pages", [pageSize, pageSize, 1], 3],
  ])("ends with %s", async (_what, lengths: number[], expectedPages) => {
    const { pages, ids } = await readList((page) => range(page * pageSize, lengths[page - 1] ?? 0));

    await expect(ids).resolves.toHaveLength(lengths.reduce((sum, length) => sum + length));
    expect(pages).toEqual(range(1, expectedPages));
  });

  test("has an item once that an addition moved to the next page", async () => {
    const { ids } = await readList((page) => (page === 1 ? range(0, pageSize) : range(pageSize - 2, 10)));

    await expect(ids).resolves.toEqual(range(0, pageSize + 8));
  });

  test("ends if a page brings nothing new", async () => {
    const { pages, ids } = await readList(() => range(0, pageSize));

    await expect(ids).resolves.toEqual(range(0, pageSize));
    expect(pages).toEqual([1, 2]);
  });

  test("that never ends is an error after 1000 pages", async () => {
    const github = new GitHubClient({ token: "t", requestTimeoutMs: 30_000 }, recordingContext({}));
    // A thousand real requests take seconds.
    const read = jest.spyOn(github, "read");
    read.mockImplementation(async (...call) => {
      const page = Number(call[3]?.page);
      return range(page * pageSize, pageSize).map((id) => ({ id }));
    });

    const ids = github.readPages(purposes.readComments, listSchema, "/list");

    await expect(ids).rejects.toMatchObject({ kind: "unusable", message: expect.stringContaining("1000") });
    expect(read).toHaveBeenCalledTimes(1000);
  });
});

describe("optional requests", () => {
  const { readRecords, writeRecord, writeComment } = purposes;
  const limited = (retryAt: number) =>
    new GitHubError(writeRecord, "rate limit", { kind: "rate_limit", status: 403, retryAt });
  const refused = (purpose: typeof writeRecord, status: number) =>
    new GitHubError(purpose, "no", { kind: "refused", status });
  const transient = new GitHubError(writeRecord, "oops", { kind: "transient", status: 502 });

  async function warningsFor(...errors: readonly Error[]): Promise<string[]> {
    const context = recordingContext({});
    const github = new GitHubClient({ token: "t", requestTimeoutMs: 1000 }, context);
    for (const error of errors) {
      await expect(github.warnOnFailure(() => Promise.reject(error))).resolves.toBeUndefined();
    }
    return context.recorded.lines.flatMap(({ kind, text }) => (kind === "warning" ? text : []));
  }

  test("warn of a failure with its permission", async () => {
    const [warning] = await warningsFor(refused(writeRecord, 403));

    expect(warning).toMatch(/recording the deployment.*403.*"deployments: write".*outcome/);
  });

  test.each<[string, GitHubError, GitHubError]>([
    ["the same permission is missing", refused(readRecords, 403), refused(writeRecord, 404)],
    ["the token is wrong for both", refused(writeRecord, 401), refused(writeComment, 401)],
    ["a rate limit ends later than GitHub said first", limited(0), limited(60_000)],
  ])("warn once of two failures if %s", async (_what, first, second) => {
    await expect(warningsFor(first, second)).resolves.toHaveLength(1);
  });

  test.each<[string, GitHubError, GitHubError]>([
    ["two permissions are missing", refused(writeRecord, 403), refused(writeComment, 403)],
    ["one is a refusal and one is transient", refused(writeRecord, 403), transient],
    ["one is a rate limit", limited(0), transient],
  ])("warn twice of two failures if %s", async (_what, first, second) => {
    await expect(warningsFor(first, second)).resolves.toHaveLength(2);
  });

  test("throw what is no failure of GitHub", async () => {
    const defect = new TypeError("x is not a function");
    const github = new GitHubClient({ token: "t", requestTimeoutMs: 1000 }, recordingContext({}));

    await expect(github.warnOnFailure(() => Promise.reject(defect))).rejects.toBe(defect);
  });
});
