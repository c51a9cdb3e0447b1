import type { RequestListener, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, jest, test } from "@jest/globals";
import type { Context } from "../../../src/context.ts";
import { CancelledError, Failure } from "../../../src/errors.ts";
import { createComment, findComment, updateComment } from "../../../src/github/comment-writer.ts";
import {
  createRecord,
  listActionRecords,
  listAllRecords,
  listRecordsOrWarn,
  readState,
  withStates,
} from "../../../src/github/deployment-records.ts";
import { GitHubClient } from "../../../src/github/github-client.ts";
import { operations } from "../../../src/github/operations.ts";
import { findMissingPart, readPullRequest } from "../../../src/github/repository.ts";
import { rawText, text } from "../../../src/text/message.ts";
import { startProxy } from "../../support/connect-proxy.ts";
import { useFakeTimeouts } from "../../support/github/silence.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

function contextFor(apiUrl: string) {
  return recordingContext({ GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: "octo-org/octo-repo" });
}

function clientIn(context: Context, requestTimeoutMs = 30_000): GitHubClient {
  return new GitHubClient("token-1", requestTimeoutMs, context);
}

/** A client of a GitHub that responds like this, and its requests. */
async function clientOf(listener: RequestListener) {
  const requests: { readonly line: string; readonly at: number; readonly headers: object }[] = [];
  const url = await serve((request, response) => {
    const { method, url, headers } = request;
    requests.push({ line: `${method} ${url}`, at: performance.now(), headers });
    listener(request, response);
  });
  const context = contextFor(url);
  return { context, github: clientIn(context), requests };
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const openPullRequest = { number: 7, state: "open", labels: [{ name: "preview" }] };
const viewer = { data: { viewer: { login: "github-actions[bot]" } } };

const key = { environment: "prod", task: "deploy" };
const other = { task: "t", created_at: 0, creator: null, payload: undefined };
const recordOf = (id: number) => ({ ...other, id, node_id: `n${id}` });

function read(github: GitHubClient): Promise<unknown> {
  return readPullRequest(github, 7);
}

function write(github: GitHubClient): Promise<unknown> {
  const target = { task: "deploy:agent", environment: "staging", isProduction: false };
  return createRecord(github, target, "main", {
    deployment_id: "d",
    revision_id: "r",
    created: false,
    is_certain: true,
  });
}

async function errorOf(call: Promise<unknown>): Promise<Failure> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (error instanceof Failure) return error;
  throw new Error(`The call did not fail with a Failure: ${String(error)}`);
}

test("a request to GitHub carries the token and names the action", async () => {
  const { github, requests } = await clientOf((_request, response) => sendJson(response, openPullRequest));

  expect(await readPullRequest(github, 7)).toEqual({ state: "open", labels: [{ name: "preview" }] });

  expect(requests).toMatchObject([
    {
      line: "GET /repos/octo-org/octo-repo/pulls/7",
      headers: {
        authorization: "token token-1",
        "user-agent": expect.stringMatching(/^deploy-agent-server /),
      },
    },
  ]);
});

test("a write carries its content as JSON", async () => {
  const sent: unknown[] = [];
  const address = await serve(async (request, response) => {
    const body = await json(request);
    sent.push([`${request.method} ${request.url}`, body]);
    sendJson(response, request.url === "/graphql" ? viewer : { id: 1 });
  });
  const github = clientIn(contextFor(address));

  await createComment(github, 7, "new");
  await updateComment(github, 8, "changed");
  await github.viewer(operations.readComments);

  expect(sent).toEqual([
    ["POST /repos/octo-org/octo-repo/issues/7/comments", { body: "new" }],
    ["PATCH /repos/octo-org/octo-repo/issues/comments/8", { body: "changed" }],
    ["POST /graphql", { query: "query { viewer { login } }" }],
  ]);
});

test("a comment is found by its author and its first line", async () => {
  const mine = { login: "github-actions[bot]" };
  const comments = [
    { id: 1, body: "<!-- mine --> of another", user: { login: "mallory" } },
    { id: 2, body: "<!-- mine --> of nobody", user: null },
    { id: 3, body: "It ends in <!-- mine -->", user: mine },
    { id: 4, user: mine },
    { id: 5, body: "\n<!-- mine -->\nText", user: mine },
    { id: 6, body: "<!-- mine -->\nLater", user: mine },
  ];
  const { github } = await clientOf(({ url }, response) =>
    sendJson(response, url === "/graphql" ? viewer : comments),
  );

  expect(await findComment(github, 7, "<!-- mine -->")).toMatchObject({ id: 5 });
});

test("what the deployment does not depend on fails with a warning, one for each hint", async () => {
  const { context, github } = await clientOf(({ method }, response) =>
    method === "GET" ? sendJson(response, openPullRequest) : sendJson(response, { message: "no" }, 404),
  );

  const results = [
    await context.report.warnOnFailure(() => createComment(github, 7, "text")),
    await context.report.warnOnFailure(() => updateComment(github, 8, "text")),
    await context.report.warnOnFailure(() => read(github)),
  ];

  expect(results).toEqual([undefined, undefined, { state: "open", labels: [{ name: "preview" }] }]);
  const message = 'Could not write the comment on GitHub (404): "no".';
  const hint =
    'Add "pull-requests: write" to the job\'s permissions. If you set github_token, that token needs it.';
  expect(context.recorded.lines).toEqual([
    { kind: "warning", text: `${message} ${hint} This does not change the outcome of the step.` },
    { kind: "info", text: message },
  ]);
});

test("a refusal without JSON is an error of its status", async () => {
  const { github } = await clientOf((_request, response) => response.writeHead(400).end("<p>No</p>"));

  expect((await errorOf(read(github))).message).toMatch(/\(400\)/);
});

test("a list is read to its last page", async () => {
  const comment = (id: number, body: string) => ({ id, body, user: { login: "github-actions[bot]" } });
  const { github, requests } = await clientOf(({ url = "", headers }, response) => {
    if (url === "/graphql") return sendJson(response, viewer);
    if (url.includes("page=2")) return sendJson(response, [comment(2, "<!-- mine -->")]);
    response.setHeader("link", `<http://${headers.host}${url}&page=2>; rel="next"`);
    sendJson(response, [comment(1, "other")]);
  });

  expect(await findComment(github, 7, "<!-- mine -->")).toMatchObject({ id: 2 });

  expect(requests.map(({ line }) => line)).toEqual([
    "POST /graphql",
    "GET /repos/octo-org/octo-repo/issues/7/comments?per_page=100",
    "GET /repos/octo-org/octo-repo/issues/7/comments?per_page=100&page=2",
  ]);
});

describe("of the records of deployments", () => {
  const record = (id: number, login = "github-actions[bot]") => ({
    ...{ id, node_id: `n${id}`, task: "deploy", created_at: "2026-03-02T09:00:00Z", creator: { login } },
    payload: { deployment_id: "d", revision_id: `r${id}` },
  });
  const withTwoPages = () =>
    clientOf(({ url = "", headers }, response) => {
      if (url === "/graphql") return sendJson(response, viewer);
      if (url.includes("page=2")) return sendJson(response, [record(1)]);
      response.setHeader("link", `<http://${headers.host}${url}&page=2>; rel="next"`);
      sendJson(response, [record(3), record(2, "somebody")]);
    });

  test("a run reads its own on the newest page alone", async () => {
    const { github, requests } = await withTwoPages();

    const records = await listActionRecords(github, { environment: "prod", task: "deploy" });

    expect(records).toMatchObject([{ id: 3, node_id: "n3", task: "deploy", payload: { revision_id: "r3" } }]);
    expect(records[0]?.created_at).toBe(Date.UTC(2026, 2, 2, 9));
    expect(requests.slice(1).map(({ line }) => line)).toEqual([
      "GET /repos/octo-org/octo-repo/deployments?environment=prod&task=deploy&per_page=100",
    ]);
  });

  test("the newest comes first, in whatever order GitHub lists them", async () => {
    const { github } = await clientOf(({ url = "" }, response) =>
      sendJson(response, url === "/graphql" ? viewer : [record(1), record(3), record(2)]),
    );

    const records = await listActionRecords(github, { environment: "prod", task: "deploy" });

    expect(records.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  test("a sweep reads all, and those of others without their payload", async () => {
    const { github, requests } = await withTwoPages();

    const records = await listAllRecords(github, "prod");

    expect(records.map(({ id, payload }) => [id, payload?.revision_id])).toEqual([
      [3, "r3"],
      [2, undefined],
      [1, "r1"],
    ]);
    expect(requests).toHaveLength(3);
  });
});

test.each<[string, unknown]>([
  ["", undefined],
  [", also if GitHub reports that as an error", [{ type: "NOT_FOUND", message: "Could not resolve" }]],
])("the state of a record that was deleted since it was listed is not known%s", async (_when, errors) => {
  const nodes = [{ latestStatus: { state: "SUCCESS" } }, null];
  const { github } = await clientOf((_request, response) => sendJson(response, { data: { nodes }, errors }));

  await expect(withStates(github, [recordOf(1), recordOf(2)])).rejects.toThrow(
    "Could not read the deployment records on GitHub",
  );
});

test("GraphQL of GitHub Enterprise Server is beside its REST API", async () => {
  const paths: (string | undefined)[] = [];
  const api = await serve((request, response) => {
    paths.push(request.url);
    sendJson(response, request.url === "/api/graphql" ? viewer : []);
  });

  expect(await findComment(clientIn(contextFor(`${api}/api/v3`)), 7, "<!-- mine -->")).toBeUndefined();

  expect(paths[0]).toBe("/api/graphql");
});

describe("GitHub does not tell if its response", () => {
  const list = (github: GitHubClient) => findComment(github, 7, "<!-- mine -->");

  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      "is a redirect",
      (response) => response.writeHead(302, { location: "/elsewhere" }).end("[]"),
      /returned 302, but the response is not what GitHub describes: a redirect to \/elsewhere/,
    ],
    [
      "is one of several",
      (response) => response.writeHead(300, { "content-type": "application/json" }).end("[]"),
      /returned 300, but the response is not what GitHub describes: a redirect/,
    ],
    [
      "is a web page",
      (response) => response.setHeader("content-type", "text/html").end("<p>Log in</p>"),
      /returned 200, but the response is not what GitHub describes: <p>Log in/,
    ],
    [
      "is empty",
      (response) => response.setHeader("content-type", "application/json").end(),
      /returned 200, but the response is not what GitHub describes: the response contains no text/,
    ],
    [
      "is null",
      (response) => sendJson(response, null),
      /returned 200, but the response is not what GitHub describes: null/,
    ],
    [
      "has another shape",
      (response) => sendJson(response, { what: "?" }),
      /: the response is not what GitHub describes: \[\{"what":"\?"\}\]\.$/,
    ],
  ])("%s", async (_what, respond, expected) => {
    const { github } = await clientOf(({ url }, response) =>
      url === "/graphql" ? sendJson(response, viewer) : respond(response),
    );

    expect((await errorOf(list(github))).message).toMatch(expected);
  });

  test("is null for GraphQL", async () => {
    const { github } = await clientOf((_request, response) => sendJson(response, null));

    expect((await errorOf(list(github))).message).toMatch(
      /returned 200, but the response is not what .*: null/,
    );
  });

  test("is truncated", async () => {
    const { github, requests } = await clientOf(({ url, socket }, response) => {
      if (url === "/graphql") return sendJson(response, viewer);
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("[");
      setTimeout(() => socket.destroy(), 10);
    });

    expect((await errorOf(list(github))).message).toContain("the connection failed");

    expect(requests).toHaveLength(4);
  });

  test("does not come in time: the request is sent again", async () => {
    const { context, requests } = await clientOf((_request, response) => {
      if (requests.length === 3) sendJson(response, openPullRequest);
    });

    expect(await readPullRequest(clientIn(context, 200), 7)).toMatchObject({ state: "open" });

    expect(requests).toHaveLength(3);
  });

  test("never comes in time: the request is sent three times", async () => {
    const { context, requests } = await clientOf(() => {});

    expect((await errorOf(read(clientIn(context, 50)))).message).toContain("within 0.05 s");

    expect(requests).toHaveLength(3);
  });
});

test("a proxy that asks for a password is not asked again", async () => {
  const proxy = await startProxy({}, "407 Proxy Authentication Required");
  process.env.HTTP_PROXY = proxy.url;
  try {
    const error = await errorOf(read(clientIn(contextFor("http://api.github.invalid"))));

    expect(error.message).toContain("Proxy response (407)");
    expect(proxy.tunnels).toHaveLength(1);
  } finally {
    delete process.env.HTTP_PROXY;
    await proxy.close();
  }
});

test.each([
  ["a read is retried twice after a 502", 502, read, 3],
  ["a read is retried twice after a 408", 408, read, 3],
  ["a read is not retried after a 404", 404, read, 1],
  ["a read is retried twice after a 429 without a time", 429, read, 3],
  ["a write is not retried after a 502", 502, write, 1],
  ["a write is not retried after a 408", 408, write, 1],
  [
    "a comment is not written again after a 502",
    502,
    (github: GitHubClient) => createComment(github, 7, "text"),
    1,
  ],
])("of requests to GitHub, %s", async (_title, status, send, count) => {
  const { github, requests } = await clientOf((_request, response) =>
    sendJson(response, { message: "no" }, status),
  );

  await expect(send(github)).rejects.toThrow(String(status));

  expect(requests).toHaveLength(count);
});

test("a write whose connection broke is not retried", async () => {
  const { github, requests } = await clientOf(({ socket }) => void socket.destroy());

  expect((await errorOf(write(github))).message).toContain("the connection failed");

  expect(requests).toHaveLength(1);
});

test("a write that a rate limit refused is made again", async () => {
  let refusals = 1;
  const { github, requests } = await clientOf((_request, response) => {
    refusals -= 1;
    if (refusals < 0) return sendJson(response, { id: 7 }, 201);
    response.setHeader("retry-after", "1");
    sendJson(response, { message: "You have exceeded a secondary rate limit." }, 403);
  });

  expect(await write(github)).toBe(7);

  expect(requests).toHaveLength(2);
});

test("a rate limit is waited for once", async () => {
  const { context, github, requests } = await clientOf((_request, response) => {
    response.setHeader("retry-after", "1");
    sendJson(response, { message: "You have exceeded a secondary rate limit." }, 403);
  });

  await expect(write(github)).rejects.toThrow("403");

  expect(requests).toHaveLength(2);
  expect(context.recorded.lines.map(({ text }) => text)).toEqual([
    "GitHub limits the requests of this token. Retrying in 1 s.",
  ]);
});

test("an error shows GitHub's words", async () => {
  const { github } = await clientOf((_request, response) => {
    sendJson(response, { message: "Not here", documentation_url: "https://docs.github.com/rest" }, 404);
  });

  expect((await errorOf(read(github))).message).toBe(
    "Could not read the pull request on GitHub (404): Not here - https://docs.github.com/rest.",
  );
});

test("a comment that a locked conversation does not take is no matter of permissions", async () => {
  const message = "Unable to create comment because issue is locked.";
  const { github } = await clientOf((_request, response) => sendJson(response, { message }, 403));

  const { ending } = await errorOf(createComment(github, 7, "text"));

  expect(rawText(ending.hint)).toMatch(/conversation of the pull request is locked/);
  expect(rawText(ending.hint)).not.toContain("permissions");
});

test("writes are a second apart", async () => {
  const { context, requests } = await clientOf((_request, response) => sendJson(response, { id: 1 }));
  const { githubDelays: _, ...withRealDelays } = context;
  const github = clientIn(withRealDelays);

  await Promise.all([write(github), write(github)]);

  const [first, second] = requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(500);
});

describe("a GitHub that does not respond", () => {
  useFakeTimeouts();

  const waiting = async () => {
    const asked = Promise.withResolvers<void>();
    const silent = await clientOf(() => asked.resolve());
    return { ...silent, asked: asked.promise };
  };

  test("gets five seconds after a cancellation, also one before the first request", async () => {
    const { context, github, asked } = await waiting();
    context.cancel(new CancelledError("SIGINT"));
    const failure = errorOf(read(github));
    await asked;

    await jest.advanceTimersByTimeAsync(5000);

    expect((await failure).message).toContain("no response in time");
  });

  test.each<[string, (github: GitHubClient, context: Context) => Promise<unknown>]>([
    ["optional records", (github, { report }) => listRecordsOrWarn(github, key, report)],
    ["the state of a record", (github) => readState(github, recordOf(1))],
    ["a file", (github, context) => findMissingPart({ ref: "main", path: "a.json" }, github, context)],
  ])("is not waited for after a cancellation if a run reads %s", async (_what, readIt) => {
    const { context, github, asked } = await waiting();
    const cancellation = new CancelledError("SIGINT");
    const reading = readIt(github, context);
    await asked;

    context.cancel(cancellation);

    await expect(reading).rejects.toBe(cancellation);
    expect(context.recorded.lines).toEqual([]);
  });

  test("gets a minute after the end of a run, and its time is up for later requests too", async () => {
    const { context, github, asked } = await waiting();
    context.report.writers.add({
      savedState: { key: "written", value: {} },
      writeRevision: async () => {},
      writeEnd: async () => void (await read(github)),
    });
    const ended = context.report.end({ outcome: "deployed", message: text`It is live.` });
    await asked;

    await jest.advanceTimersByTimeAsync(60_000);
    await ended;

    expect(context.recorded.lines.filter(({ kind }) => kind === "warning")).toEqual([
      { kind: "warning", text: expect.stringMatching(/no response in time.* The problem may be temporary/) },
    ]);
    expect((await errorOf(read(github))).message).toContain("no response in time");
  });
});

describe("while a rate limit is waited for", () => {
  useFakeTimeouts();

  test("a cancel ends the wait within five seconds", async () => {
    const message = "You have exceeded a secondary rate limit.";
    const { context, requests } = await clientOf((_request, response) => {
      response.setHeader("retry-after", "50");
      sendJson(response, { message }, 403);
    });
    const { githubDelays: _, ...withRealDelays } = context;
    const failure = errorOf(read(clientIn(withRealDelays)));
    while (!context.recorded.lines.some(({ text }) => text.includes("Retrying in 50 s"))) {
      await new Promise(setImmediate);
    }

    context.cancel(new CancelledError("SIGINT"));
    await jest.advanceTimersByTimeAsync(5000);

    expect((await failure).message).toContain("no response in time");
    expect(requests).toHaveLength(1);
  });
});

test("a rate limit of an hour is an error, and is not waited for", async () => {
  const { context, github, requests } = await clientOf((_request, response) => {
    response.setHeader("retry-after", "3600");
    sendJson(response, { message: "You have exceeded a secondary rate limit." }, 403);
  });

  expect(rawText((await errorOf(read(github))).ending.hint)).toContain("limits the requests");

  expect(requests).toHaveLength(1);
  expect(context.recorded.lines).toEqual([]);
});
