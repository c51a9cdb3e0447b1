import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { describe, expect, jest, test } from "@jest/globals";
import * as v from "valibot";
import type { Context } from "../../../src/context.ts";
import { CancelledError } from "../../../src/errors.ts";
import { GitHubClient } from "../../../src/github/client.ts";
import { GitHubError, operations } from "../../../src/github/errors.ts";
import { rawText } from "../../../src/text/message.ts";
import { useFakeTimeouts } from "../../support/github/silence.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const { readPullRequest: operation, writeComment } = operations;

function contextFor(apiUrl: string) {
  return recordingContext({ GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: "octo-org/octo-repo" });
}

function clientIn(context: Context): GitHubClient {
  return new GitHubClient({ token: "token-1", requestTimeoutMs: 30_000 }, context);
}

/** A client of a GitHub that responds like this, and the times of its requests. */
async function clientOf(listener: RequestListener) {
  const times: number[] = [];
  const url = await serve((request, response) => {
    times.push(performance.now());
    listener(request, response);
  });
  const context = contextFor(url);
  return { context, github: clientIn(context), times };
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  return (await request.toArray()).join("");
}

function read(github: GitHubClient): Promise<unknown> {
  return github.read(operation, v.unknown(), "/x");
}

function write(github: GitHubClient): Promise<unknown> {
  return github.write({
    operation: writeComment,
    schema: v.unknown(),
    method: "POST",
    path: "/x",
    body: { body: "text" },
  });
}

test("a request carries the token, GitHub's media type and the version of the API", async () => {
  const { github } = await clientOf(({ method, url, headers }, response) =>
    sendJson(response, { method, url, ...headers }),
  );

  const received = await github.read(operation, v.unknown(), "/deployments", { environment: "a b", page: 2 });

  expect(received).toMatchObject({
    method: "GET",
    url: "/repos/octo-org/octo-repo/deployments?environment=a%20b&page=2",
    authorization: "token token-1",
    accept: "application/vnd.github.v3+json",
    "x-github-api-version": "2022-11-28",
    "user-agent": expect.stringMatching(/^deploy-agent-server /),
  });
});

test.each([
  ["", "/graphql"],
  ["/api/v3", "/api/graphql"],
  ["/api/v3/", "/api/graphql"],
])("a request for GraphQL goes to the right path of an API at %j", async (path, graphqlPath) => {
  const api = await serve((request, response) => sendJson(response, { data: request.url }));

  const data = await clientIn(contextFor(`${api}${path}`)).graphql(operation, v.string(), "query { viewer }");

  expect(data).toBe(graphqlPath);
});

test("no request is sent if GITHUB_API_URL is not a URL", async () => {
  await expect(read(clientIn(contextFor("github")))).rejects.toMatchObject({
    kind: "invalid_response",
    message: "Could not read the pull request on GitHub: GITHUB_API_URL is not a URL.",
  });
});

describe("a redirect", () => {
  test.each([301, 302, 307, 308])("(%i) on the same host keeps method and body", async (status) => {
    const { github } = await clientOf(async (request, response) => {
      if (request.url !== "/new") return void response.writeHead(status, { location: "/new" }).end();
      sendJson(response, { method: request.method, body: await textOf(request) });
    });

    const received = await github.write({
      operation: writeComment,
      schema: v.unknown(),
      method: "PATCH",
      path: "/old",
      body: { body: "text" },
    });

    expect(received).toEqual({ method: "PATCH", body: '{"body":"text"}' });
  });
});

test("a response of more than 10 MB is an error", async () => {
  const { github, times } = await clientOf((_request, response) => response.end("1".repeat(10_000_001)));

  await expect(read(github)).rejects.toMatchObject({ kind: "invalid_response" });
  expect(times).toHaveLength(1);
});

test.each([
  ["a read is retried twice after a 502", 502, read, 3],
  ["a read is not retried after a 404", 404, read, 1],
  ["a read is not retried after a 429", 429, read, 1],
  ["a write is not retried after a 502", 502, write, 1],
])("of requests to GitHub, %s", async (_title, status, send, count) => {
  const { github, times } = await clientOf((_request, response) =>
    sendJson(response, { message: "no" }, status),
  );

  await expect(send(github)).rejects.toThrow(String(status));

  expect(times).toHaveLength(count);
});

test("nothing is retried while GitHub is down", async () => {
  const { github, times } = await clientOf((_request, response) =>
    sendJson(response, { message: "no" }, 502),
  );

  await expect(read(github)).rejects.toThrow("502");
  await expect(read(github)).rejects.toThrow("502");

  expect(times).toHaveLength(4);
});

test("writes are a second apart", async () => {
  const { context, times } = await clientOf((_request, response) => sendJson(response, {}));
  const { githubDelays: _, ...withRealDelays } = context;
  const github = clientIn(withRealDelays);

  const start = performance.now();
  await write(github);
  await write(github);

  const [, second = 0] = times;
  expect(second - start).toBeGreaterThanOrEqual(990);
});

describe("while a rate limit is waited for", () => {
  useFakeTimeouts();

  test("a cancel ends the wait within five seconds", async () => {
    const message = "You have exceeded a secondary rate limit.";
    const { context, times } = await clientOf((_request, response) => {
      response.setHeader("retry-after", "50");
      sendJson(response, { message }, 403);
    });
    const { githubDelays: _, ...withRealDelays } = context;
    const failure = expect(read(clientIn(withRealDelays))).rejects.toMatchObject({ kind: "timeout" });
    while (!context.recorded.lines.some(({ text }) => text.includes("Retrying in 50 s"))) {
      await new Promise(setImmediate);
    }

    context.cancel(new CancelledError("SIGINT"));
    await jest.advanceTimersByTimeAsync(5000);

    await failure;
    expect(times).toHaveLength(1);
  });
});

test("a rate limit of an hour is an error, and nothing is sent before it ends", async () => {
  const { github, times, context } = await clientOf((_request, response) => {
    response.setHeader("retry-after", "3600");
    sendJson(response, { message: "You have exceeded a secondary rate limit." }, 403);
  });

  for (const send of [write, read]) {
    const error = await send(github).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "rate_limit" });
    expect(error instanceof GitHubError && rawText(error.ending.hint)).toContain("10:00 UTC");
  }

  expect(times).toHaveLength(1);
  expect(context.clock.elapsed()).toBe(0);
});
