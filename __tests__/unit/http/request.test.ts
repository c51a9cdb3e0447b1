import { ClientRequest, createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { ConnectionError } from "../../../src/http/connection-error.ts";
import { type HttpRequest, type RequestLimits, sendRequest } from "../../../src/http/request.ts";
import { closeServer, listen } from "../../support/listen.ts";
import { serve } from "../../support/serve.ts";
import { requestTo } from "./support/request-to.ts";

const generous: RequestLimits = {
  timeoutMs: 10_000,
  maxBytes: 1_000_000,
  signal: new AbortController().signal,
};
const cancellation = new CancelledError("SIGINT");

async function errorOf(request: HttpRequest, limits: Partial<RequestLimits> = {}): Promise<unknown> {
  return await sendRequest(request, { ...generous, ...limits }).then(
    () => new Error("the request succeeded"),
    (error: unknown) => error,
  );
}

describe("a response", () => {
  test("comes with its status, headers and complete body, whatever the status", async () => {
    const address = await serve((_request, response) => {
      response.writeHead(418, { "x-kind": "teapot" });
      response.write("Gr");
      response.end("üße 🚀");
    });

    const response = await sendRequest(requestTo(address), generous);

    expect(response).toMatchObject({ status: 418, text: "Grüße 🚀", headers: { "x-kind": "teapot" } });
  });

  test("that changes the protocol (101) is a response like any other, and closes the connection", async () => {
    const closed = Promise.withResolvers<void>();
    const address = await serve(({ socket }) => {
      socket.on("close", () => closed.resolve());
      socket.write("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
    });

    expect(await sendRequest(requestTo(address), generous)).toMatchObject({ status: 101, text: "" });
    await closed.promise;
  });

  test("of more bytes than allowed is an error that no retry can help", async () => {
    const tooLarge = await serve((_request, response) => response.end("x".repeat(1_000_001)));
    const large = await serve((_request, response) => response.end("x".repeat(1_000_000)));

    const error = await errorOf(requestTo(tooLarge));

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: expect.stringContaining("larger than 1 MB"),
      kind: "too_large",
      sent: true,
      retryable: false,
    });
    expect((await sendRequest(requestTo(large), generous)).text).toHaveLength(1_000_000);
  });
});

describe("a request", () => {
  async function received(parts: Partial<HttpRequest>): Promise<{ request: IncomingMessage; body: string }> {
    const seen = Promise.withResolvers<{ request: IncomingMessage; body: string }>();
    const address = await serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.resolve({ request, body });
      response.end();
    });
    await sendRequest(requestTo(`${address}/a/b?c=d`, parts), generous);
    return await seen.promise;
  }

  test.each([
    ["GET", undefined, "", undefined],
    ["DELETE", undefined, "", undefined],
    ["POST", { a: "ü" }, '{"a":"ü"}', "application/json"],
    ["PATCH", { a: "ü" }, '{"a":"ü"}', "application/json"],
    ["GET", { a: "ü" }, '{"a":"ü"}', "application/json"],
    ["DELETE", { a: "ü" }, '{"a":"ü"}', "application/json"],
    ["OPTIONS", { a: "ü" }, '{"a":"ü"}', "application/json"],
  ] as const)("%s sends its body %j as JSON", async (method, body, expected, type) => {
    const { request, body: sent } = await received({ method, body });

    expect(request).toMatchObject({ method, url: "/a/b?c=d" });
    expect(request.headers).toMatchObject({ accept: "application/json", "x-api-key": "hidden-key" });
    expect(request.headers["content-type"]).toBe(type);
    expect(sent).toBe(expected);
  });

  test("has the content type of its headers rather than that of JSON", async () => {
    const { request } = await received({
      method: "POST",
      headers: { "content-type": "text/json" },
      body: 1,
    });

    expect(request.headers["content-type"]).toBe("text/json");
  });

  // The toolkit gives up on a server that is silent for three minutes.
  test("is limited by its own time alone", async () => {
    const setTimeout = jest.spyOn(ClientRequest.prototype, "setTimeout");
    const address = await serve((_request, response) => response.end());

    await sendRequest(requestTo(address), generous);

    expect(setTimeout).not.toHaveBeenCalled();
    setTimeout.mockRestore();
  });

  test("that found no connection was not sent", async () => {
    const server = createServer();
    const port = await listen(server);
    await closeServer(server);

    const error = await errorOf(requestTo(`http://127.0.0.1:${port}`, { method: "POST", body: {} }));

    expect(error).toMatchObject({ sent: false, message: expect.stringContaining("ECONNREFUSED") });
  });
});

test.each<[string, RequestListener]>([
  ["is reset", ({ socket }) => socket.resetAndDestroy()],
  ["is closed", ({ socket }) => socket.destroy()],
  [
    "ends within a body of known length",
    (_request, response) =>
      response.writeHead(200, { "content-length": "10" }).write("half", () => response.destroy()),
  ],
  [
    "ends within a chunk",
    (_request, response) => response.writeHead(200).write("half", () => response.destroy()),
  ],
  ["does not speak HTTP", ({ socket }) => socket.end("nonsense\r\n\r\n")],
])(
  "a connection that %s may have sent the request, and its error hides the query",
  async (_what, listener) => {
    const address = await serve(listener);

    const error = await errorOf(requestTo(`${address}/path?query=hidden`));

    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ kind: "connection", sent: true, retryable: true });
    expect(String(error)).toContain("GET /path: the connection failed: ");
    expect(String(error)).not.toContain("hidden");
  },
);

test.each<[string, RequestListener]>([
  ["never responds", () => {}],
  ["never ends its response", (_request, response) => response.write("half")],
  [
    "sends its response byte by byte",
    (_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
    },
  ],
])("the time of a request runs out if the server %s", async (_what, listener) => {
  const error = await errorOf(requestTo(await serve(listener)), { timeoutMs: 60 });

  expect(error).toMatchObject({
    sent: true,
    retryable: true,
    kind: "timeout",
    message: expect.stringContaining("within 0.06 s"),
  });
});

describe("a cancellation", () => {
  test("before a request prevents it", async () => {
    let requests = 0;
    const address = await serve(() => {
      requests += 1;
    });

    expect(await errorOf(requestTo(address), { signal: AbortSignal.abort(cancellation) })).toBe(cancellation);
    expect(requests).toBe(0);
  });

  test.each([
    ["before the response", false],
    ["within the response", true],
  ])("%s ends the request with its reason", async (_when, hasStarted) => {
    const controller = new AbortController();
    const address = await serve((_request, response) => {
      if (hasStarted) response.write("half");
      setImmediate(() => controller.abort(cancellation));
    });

    expect(await errorOf(requestTo(address), { signal: controller.signal })).toBe(cancellation);
  });
});

describe("a request through a silent proxy", () => {
  afterEach(() => {
    delete process.env.HTTP_PROXY;
  });

  async function throughSilentProxy(limitsAt: (connected: Promise<void>) => Partial<RequestLimits>) {
    const connected = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const proxy = createSocketServer((socket) => {
      socket.on("close", () => closed.resolve());
      socket.once("data", () => connected.resolve());
      socket.on("error", () => {});
    });
    process.env.HTTP_PROXY = `http://127.0.0.1:${await listen(proxy)}`;
    const error = await errorOf(requestTo("http://behind.invalid/"), limitsAt(connected.promise));
    await closed.promise;
    proxy.close();
    return error;
  }

  test("ends when its time is up, and closes the connection", async () => {
    expect(await throughSilentProxy(() => ({ timeoutMs: 60 }))).toMatchObject({ sent: true });
  });

  test("ends when the run is cancelled, and closes the connection", async () => {
    const controller = new AbortController();

    const error = await throughSilentProxy((connected) => {
      void connected.then(() => controller.abort(cancellation));
      return { signal: controller.signal };
    });

    expect(error).toBe(cancellation);
  });
});
