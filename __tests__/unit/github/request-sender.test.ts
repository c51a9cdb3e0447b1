import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import * as v from "valibot";
import { CancelledError } from "../../../src/errors.ts";
import { GitHubClient } from "../../../src/github/client.ts";
import { purposes } from "../../../src/github/errors.ts";
import { startProxy } from "../../support/connect-proxy.ts";
import { useFakeTimeouts } from "../../support/github/silence.ts";
import { listen } from "../../support/listen.ts";
import { type RecordingContext, recordingContext } from "../../support/recording-context.ts";
import { serve } from "../../support/serve.ts";

const { readPullRequest: purpose, writeComment } = purposes;
const requestTimeoutMs = 30_000;

afterEach(() => {
  delete process.env.HTTPS_PROXY;
});

/** A client of a GitHub at this address. */
function clientFor(apiUrl: string): { github: GitHubClient; context: RecordingContext } {
  const context = recordingContext({ GITHUB_API_URL: apiUrl, GITHUB_REPOSITORY: "octo-org/octo-repo" });
  return { github: new GitHubClient({ token: "token-1", requestTimeoutMs }, context), context };
}

async function clientOf(listener: RequestListener) {
  return clientFor(await serve(listener));
}

function read(github: GitHubClient, path = "/x"): Promise<unknown> {
  return github.read(purpose, v.unknown(), path);
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  return (await request.toArray()).join("");
}

describe("a request", () => {
  test("carries the token, GitHub's media type and the version of the API", async () => {
    const { github } = await clientOf(({ method, url, headers }, response) => {
      sendJson(response, { method, url, ...headers });
    });

    const received = await github.read(purpose, v.unknown(), "/deployments", { environment: "a b", page: 2 });

    expect(received).toMatchObject({
      method: "GET",
      url: "/repos/octo-org/octo-repo/deployments?environment=a+b&page=2",
      authorization: "Bearer token-1",
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "user-agent": "deploy-agent-server",
    });
  });

  test.each([
    ["", "/graphql"],
    ["/api/v3", "/api/graphql"],
    ["/api/v3/", "/api/graphql"],
  ])("for GraphQL goes to the right path of an API at %j", async (path, graphqlPath) => {
    const api = await serve((request, response) => sendJson(response, { data: request.url }));

    const data = await clientFor(`${api}${path}`).github.graphql(purpose, v.string(), "query { viewer }");

    expect(data).toBe(graphqlPath);
  });

  test("shows no secret in what becomes visible on GitHub", async () => {
    let body = "";
    const api = await serve(async (request, response) => {
      body = await textOf(request);
      sendJson(response, {});
    });
    const context = recordingContext({ GITHUB_API_URL: api, GITHUB_REPOSITORY: "octo-org/octo-repo" });
    const value = (text: string) => text.replaceAll("hunter2", "***");
    const redact = { ...context.redact, text: value, value };
    const github = new GitHubClient({ token: "t", requestTimeoutMs }, { ...context, redact });
    const fields = { body: "hunter2", description: "hunter2", environment_url: "https://x/hunter2" };

    await github.write(writeComment, v.unknown(), "POST", "/x", {
      ...fields,
      payload: { deep: ["a hunter2"] },
      ref: "hunter2",
    });

    expect(JSON.parse(body)).toEqual({
      body: "***",
      description: "***",
      environment_url: "https://x/***",
      payload: { deep: ["a ***"] },
      ref: "hunter2",
    });
  });

  test("is not sent if GITHUB_API_URL is not a URL", async () => {
    await expect(read(clientFor("github").github)).rejects.toMatchObject({
      kind: "unusable",
      message: expect.stringContaining("GITHUB_API_URL"),
    });
  });
});

describe("a redirect", () => {
  test.each([301, 302, 307, 308])(
    "(%i) on the same host is followed with its method and body",
    async (status) => {
      const { github } = await clientOf(async (request, response) => {
        if (request.url !== "/new") return void response.writeHead(status, { location: "/new" }).end();
        sendJson(response, { method: request.method, body: await textOf(request) });
      });

      const received = await github.write(writeComment, v.unknown(), "PATCH", "/old", { body: "text" });

      expect(received).toEqual({ method: "PATCH", body: '{"body":"text"}' });
    },
  );

  test("to another host is not followed", async () => {
    let requests = 0;
    const elsewhere = await serve((_request, response) => {
      requests += 1;
      response.end("{}");
    });
    const { github } = await clientOf((_request, response) =>
      response.writeHead(302, { location: elsewhere }).end(),
    );

    await expect(read(github)).rejects.toMatchObject({ kind: "unusable", status: 302 });
    expect(requests).toBe(0);
  });

  test.each([undefined, "http://[bad"])("to no valid address (%p) is an error", async (location) => {
    const { github } = await clientOf((_request, response) =>
      response.writeHead(302, location ? { location } : {}).end(),
    );

    await expect(read(github)).rejects.toMatchObject({ kind: "unusable", status: 302 });
  });

  test("in a circle is followed three times", async () => {
    let requests = 0;
    const { github } = await clientOf((request, response) => {
      requests += 1;
      response.writeHead(302, { location: request.url }).end();
    });

    await expect(read(github)).rejects.toMatchObject({ kind: "unusable", status: 302 });
    expect(requests).toBe(4);
  });
});

describe("a response", () => {
  test.each<[string, number, string | Buffer]>([
    ["a part of one", 206, "[]"],
    ["a status that does not exist", 999, "[]"],
    ["not modified", 304, ""],
  ])("that is %s is an error and not retried", async (_what, status, body) => {
    let requests = 0;
    const { github } = await clientOf((_request, response) => {
      requests += 1;
      response.writeHead(status).end(body);
    });

    await expect(read(github)).rejects.toMatchObject({ kind: "unusable", status });
    expect(requests).toBe(1);
  });

  test("of more than 10 MB is an error", async () => {
    const { github } = await clientOf((request, response) =>
      response.end(`"${"x".repeat(request.url?.endsWith("/x") ? 10_000_000 : 9_999_998)}"`),
    );

    await expect(read(github, "/x")).rejects.toMatchObject({ kind: "unusable" });
    await expect(read(github, "/y")).resolves.toHaveLength(9_999_998);
  });

  test.each([
    ["compressed, which was not asked for", gzipSync("{}")],
    ["a web page", "<html></html>"],
    ["JSON of another shape", '{"id": "1"}'],
    ["JSON that is nested without end", `${"[".repeat(200_000)}${"]".repeat(200_000)}`],
    ["null", "null"],
  ])("that is %s is an error", async (_what, body) => {
    const { github } = await clientOf((_request, response) => response.end(body));

    await expect(github.read(purpose, v.object({ id: v.number() }), "/x")).rejects.toMatchObject({
      kind: "unusable",
      hint: expect.stringContaining("GITHUB_API_URL"),
    });
  });

  test("that refuses a request is quoted, with the permission in the hint", async () => {
    const body = { message: "Validation Failed", errors: [{ field: "body", code: "custom" }] };
    const { github } = await clientOf((_request, response) => {
      response.writeHead(422).end(JSON.stringify(body));
    });

    await expect(read(github)).rejects.toMatchObject({
      kind: "refused",
      status: 422,
      message: expect.stringMatching(/reading the pull request.* 422: Validation Failed .*custom/),
      hint: expect.stringContaining('"pull-requests: write"'),
    });
  });

  test("with errors of GraphQL is a refusal, even with data", async () => {
    const body = { data: { viewer: null }, errors: [{ message: "no such field" }] };
    const { github } = await clientOf((_request, response) => sendJson(response, body));

    await expect(github.viewer(purpose)).rejects.toMatchObject({
      kind: "refused",
      status: undefined,
      message: expect.stringContaining("no such field"),
    });
  });
});

describe("GitHub does not respond", () => {
  useFakeTimeouts();

  /** A client, and a function that resolves with the response to the next request. */
  async function silentGitHub() {
    const waiting: ServerResponse[] = [];
    let notify = () => {};
    const { github, context } = await clientOf((_request, response) => {
      waiting.push(response);
      notify();
    });
    const nextRequest = async () => {
      if (waiting.length === 0) await new Promise<void>((resolve) => (notify = resolve));
      return waiting.shift();
    };
    return { github, context, nextRequest, waiting };
  }

  /** How long a request waits, in milliseconds, and the error with which it ends. */
  async function waitFor(request: Promise<unknown>, expectedMs: number): Promise<void> {
    const ended = jest.fn();
    const failed = request.catch(ended);
    await jest.advanceTimersByTimeAsync(expectedMs - 1);
    expect(ended).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await failed;
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ kind: "timeout" }));
  }

  test("a read fails after its time and is not retried; the next ones get 5 s until there is a response", async () => {
    const { github, nextRequest, waiting } = await silentGitHub();

    const first = read(github);
    await nextRequest();
    await waitFor(first, requestTimeoutMs);

    const second = read(github);
    await nextRequest();
    await waitFor(second, 5000);

    const third = read(github);
    (await nextRequest())?.end("{}");
    await expect(third).resolves.toEqual({});

    const fourth = read(github);
    await nextRequest();
    await waitFor(fourth, requestTimeoutMs);
    expect(waiting).toEqual([]);
  });

  test("a cancel leaves a request 900 ms, and no other one is sent after it", async () => {
    const { github, context, nextRequest, waiting } = await silentGitHub();
    const pending = read(github);
    await nextRequest();

    context.cancel(new CancelledError("SIGINT"));
    await waitFor(pending, 900);

    await expect(read(github)).rejects.toMatchObject({ kind: "timeout" });
    expect(waiting).toEqual([]);
  });

  test("a request that is sent after a cancel gets 900 ms", async () => {
    const { github, context, nextRequest } = await silentGitHub();
    context.cancel(new CancelledError("SIGINT"));

    const pending = read(github);
    await nextRequest();

    await waitFor(pending, 900);
  });

  test.each([
    ["its time", requestTimeoutMs],
    ["a cancel", 900],
  ])("a silent proxy does not hold a request beyond %s", async (end, expectedMs) => {
    const sockets: Socket[] = [];
    const proxy = createServer((socket) => sockets.push(socket.on("error", () => {})));
    process.env.HTTPS_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
    const { github, context } = clientFor("https://github.invalid");

    const pending = read(github);
    await once(proxy, "connection");
    if (end === "a cancel") context.cancel(new CancelledError("SIGINT"));
    await waitFor(pending, expectedMs);

    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
});

test.each([
  ["403 Forbidden", /HTTPS_PROXY.*NO_PROXY/],
  ["407 Proxy Authentication Required", /user and password in HTTPS_PROXY/],
])(
  "a proxy that refuses with %s is named with its variable, and the request not retried",
  async (line, hint) => {
    const proxy = await startProxy({}, line);
    process.env.HTTPS_PROXY = proxy.url;

    const { github } = clientFor("https://github.invalid");

    await expect(read(github)).rejects.toMatchObject({
      kind: "proxy",
      message: expect.stringContaining(line.slice(0, 3)),
      hint: expect.stringMatching(hint),
    });
    expect(proxy.tunnels).toHaveLength(1);
    await proxy.close();
  },
);
