import { ClientRequest, createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSocketServer, type Socket } from "node:net";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { ConnectionError, OversizedAnswerError } from "../../../src/http/errors.ts";
import { exchange, type HttpRequest, type Limits } from "../../../src/http/exchange.ts";
import { closeServer, listen } from "../../support/listen.ts";
import { serve } from "../../support/serve.ts";

function requestTo(address: string, part: Partial<HttpRequest> = {}): HttpRequest {
  const names = { urlInput: "the_url", timeoutInput: "the_timeout" };
  return {
    method: "GET",
    url: new URL(address),
    headers: { "x-api-key": "not-to-be-seen" },
    ...names,
    ...part,
  };
}

const generous: Limits = { timeoutMs: 10_000, bytes: 1_000_000, signal: new AbortController().signal };

async function failureOf(request: HttpRequest, limits: Partial<Limits> = {}): Promise<unknown> {
  return await exchange(request, { ...generous, ...limits }).then(
    () => new Error("it succeeded"),
    (error: unknown) => error,
  );
}

test("an answer comes with its status, headers and whole body, whatever the status", async () => {
  const address = await serve((_request, response) => {
    response.writeHead(418, { "x-kind": "teapot" });
    response.write("Gr");
    response.end("üße 🚀");
  });
  const answer = await exchange(requestTo(address), generous);
  expect(answer).toMatchObject({ status: 418, text: "Grüße 🚀", headers: { "x-kind": "teapot" } });
});

describe("a request", () => {
  async function sent(part: Partial<HttpRequest>): Promise<{ request: IncomingMessage; body: string }> {
    let seen: { request: IncomingMessage; body: string } | undefined;
    const address = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen = { request, body };
      response.end();
    });
    await exchange(requestTo(`${address}/a/b?c=d`, part), generous);
    if (seen === undefined) throw new Error("Nothing came");
    return seen;
  }

  test.each(["GET", "DELETE"] as const)("%s has no body", async (method) => {
    const { request, body } = await sent({ method });
    expect(request).toMatchObject({ method, url: "/a/b?c=d" });
    expect(request.headers).toMatchObject({ accept: "application/json", "x-api-key": "not-to-be-seen" });
    expect(request.headers).not.toHaveProperty("content-type");
    expect(body).toBe("");
  });

  test.each(["POST", "PATCH"] as const)("%s has a body of JSON", async (method) => {
    const { request, body } = await sent({ method, body: { a: "ü" } });
    expect(request).toMatchObject({ method, headers: { "content-type": "application/json" } });
    expect(body).toBe('{"a":"ü"}');
  });
});

test("a redirect is an answer: the key goes to no other host", async () => {
  let followed = 0;
  const other = await serve((_request, response) => {
    followed += 1;
    response.end();
  });
  const address = await serve((_request, response) => response.writeHead(307, { location: other }).end());
  const { status } = await exchange(requestTo(address, { method: "POST", body: {} }), generous);
  expect({ status, followed }).toEqual({ status: 307, followed: 0 });
});

test("401 is an answer, too", async () => {
  const address = await serve((_request, response) =>
    response.writeHead(401, { "www-authenticate": "Basic" }).end(),
  );
  expect((await exchange(requestTo(address), generous)).status).toBe(401);
});

describe("without a whole answer it fails, after which it isn't known what happened", () => {
  test.each<[string, RequestListener]>([
    ["reset", (request) => request.socket.resetAndDestroy()],
    ["closed", (request) => request.socket.destroy()],
    [
      "cut",
      (_request, response) =>
        response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy()),
    ],
    [
      "cut in a chunk",
      (_request, response) => response.writeHead(200).write("half", () => response.destroy()),
    ],
    ["no HTTP", (request) => request.socket.end("nonsense\r\n\r\n")],
  ])("%s", async (_what, listener) => {
    const address = await serve(listener);
    const error = await failureOf(requestTo(`${address}/path?query=not-to-be-seen`));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ sent: true, hint: expect.stringContaining("the_url") });
    expect(String(error)).toContain("GET /path: the connection failed: ");
    expect(String(error)).not.toContain("not-to-be-seen");
  });
});

describe("the time is for the whole exchange", () => {
  test.each<[string, RequestListener]>([
    ["a server that never answers", () => {}],
    ["one that never ends", (_request, response) => response.write("half")],
    [
      "one that sends byte by byte",
      (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write("x"), 5);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("%s", async (_what, listener) => {
    const error = await failureOf(requestTo(await serve(listener)), { timeoutMs: 60 });
    expect(error).toMatchObject({
      sent: true,
      message: "GET /: no whole answer within 0.06 s.",
      hint: expect.stringContaining("the_timeout"),
    });
  });
});

test("nothing but that time bounds it: the toolkit would give up on a server that is silent for three minutes", async () => {
  const bounded = jest.spyOn(ClientRequest.prototype, "setTimeout");
  const address = await serve((_request, response) => response.end());
  await exchange(requestTo(address), generous);
  expect(bounded).not.toHaveBeenCalled();
  bounded.mockRestore();
});

test("an answer that is too large is not read", async () => {
  const address = await serve((_request, response) => response.end("x".repeat(1_000_001)));
  const error = await failureOf(requestTo(address));
  expect(error).toBeInstanceOf(OversizedAnswerError);
  expect(error).toMatchObject({
    message: "GET /: the answer is larger than 1 MB.",
    hint: expect.stringContaining("the_url"),
  });
  const whole = await serve((_request, response) => response.end("x".repeat(1_000_000)));
  expect((await exchange(requestTo(whole), generous)).text).toHaveLength(1_000_000);
});

describe("a cancelled run throws its reason", () => {
  const reason = new CancelledError("SIGINT");

  test("before the request", async () => {
    let asked = 0;
    const address = await serve(() => {
      asked += 1;
    });
    expect(await failureOf(requestTo(address), { signal: AbortSignal.abort(reason) })).toBe(reason);
    expect(asked).toBe(0);
  });

  test.each<[string, boolean]>([
    ["while nothing is answered", false],
    ["in the middle of the body", true],
  ])("%s", async (_what, answers) => {
    const cancellation = new AbortController();
    const address = await serve((_request, response) => {
      if (answers) response.write("half");
      setImmediate(() => cancellation.abort(reason));
    });
    expect(await failureOf(requestTo(address), { signal: cancellation.signal })).toBe(reason);
  });
});

test("without a connection it surely had no effect", async () => {
  const server = createServer();
  const port = await listen(server);
  await closeServer(server);
  const error = await failureOf(requestTo(`http://127.0.0.1:${port}`, { method: "POST", body: {} }));
  expect(error).toMatchObject({ sent: false, message: expect.stringContaining("ECONNREFUSED") });
});

test("a change of the protocol (101) is an answer: it would never settle otherwise", async () => {
  const closed = Promise.withResolvers<void>();
  const address = await serve((request) => {
    request.socket.on("close", () => closed.resolve());
    request.socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
  });
  expect(await exchange(requestTo(address), generous)).toMatchObject({ status: 101, text: "" });
  await closed.promise;
});

describe("a proxy that says nothing doesn't hold a request beyond its end, and is hung up on", () => {
  const reason = new CancelledError("SIGINT");

  afterEach(() => {
    delete process.env.HTTP_PROXY;
  });

  test.each<[string, (asked: Promise<Socket>) => Partial<Limits>, unknown]>([
    ["its time", () => ({ timeoutMs: 60 }), expect.objectContaining({ sent: true })],
    [
      "a cancel",
      (asked) => {
        const cancellation = new AbortController();
        void asked.then(() => cancellation.abort(reason));
        return { signal: cancellation.signal };
      },
      reason,
    ],
  ])("at %s", async (_what, limits, expected) => {
    const asked = Promise.withResolvers<Socket>();
    const hungUp = Promise.withResolvers<void>();
    const proxy = createSocketServer((socket) => {
      socket.on("close", () => hungUp.resolve());
      socket.once("data", () => asked.resolve(socket));
      socket.on("error", () => {});
    });
    process.env.HTTP_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
    const error = await failureOf(requestTo("http://behind.invalid/"), limits(asked.promise));
    expect(error).toEqual(expected);
    await hungUp.promise;
    proxy.close();
  });
});
