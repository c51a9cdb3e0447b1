import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { Readable } from "node:stream";
import { createServer as createTlsServer } from "node:tls";
import { afterEach, describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { exchange, type HttpRequest, type RequestOptions, sendRequest } from "../../../src/http/request.ts";
import { RequestError } from "../../../src/http/request-error.ts";
import { readText } from "../../../src/http/response.ts";
import { type Message, phrase, rawText } from "../../../src/text/message.ts";
import { closeServer, listen } from "../../support/listen.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import { serve } from "../../support/serve.ts";
import { requestTo } from "./support/request-to.ts";

const generous: RequestOptions = {
  timeoutMs: 10_000,
  cancelled: new AbortController().signal,
  report: { debug: () => {} },
};
const cancellation = new CancelledError("SIGINT");

async function errorOf(request: HttpRequest, limits: Partial<RequestOptions> = {}): Promise<unknown> {
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

    expect(response).toMatchObject({ status: 418, body: "Grüße 🚀", headers: { "x-kind": "teapot" } });
  });

  test("that redirects is not followed", async () => {
    const address = await serve(({ url }, response) =>
      response.writeHead(url === "/" ? 302 : 200, { location: "/other" }).end(),
    );

    expect(await sendRequest(requestTo(address), generous)).toMatchObject({
      status: 302,
      headers: { location: "/other" },
    });
  });

  test("is closed if its body is not read", async () => {
    const closed = Promise.withResolvers<void>();
    const address = await serve((_request, response) => {
      response.on("close", () => closed.resolve());
      response.write("endless");
    });

    expect(await exchange(requestTo(address), generous, async ({ status }) => status)).toBe(200);
    await closed.promise;
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
    expect(request.headers).toMatchObject({
      "user-agent": "deploy-agent-server",
      accept: "application/json",
      "x-api-key": "hidden-key",
    });
    expect(request.headers["content-type"]).toBe(type);
    expect(sent).toBe(expected);
  });

  test("sends a stream as it is", async () => {
    const { request, body } = await received({
      method: "PUT",
      headers: { "content-length": "9", "content-type": "application/gzip" },
      body: { not: "sent" },
      stream: Readable.from(["one", "two", "six"]),
    });

    expect(body).toBe("onetwosix");
    expect(request.headers["content-type"]).toBe("application/gzip");
  });

  test("that ends early ends its stream", async () => {
    const ended = Promise.withResolvers<void>();
    const address = await serve(({ socket }) => socket.destroy());
    const stream = async function* () {
      try {
        for (;;) yield Buffer.alloc(1_000_000);
      } finally {
        ended.resolve();
      }
    };

    await errorOf({ ...requestTo(address), method: "PUT", stream: Readable.from(stream()) });

    await expect(ended.promise).resolves.toBeUndefined();
  });

  test("has the content type of its headers rather than that of JSON", async () => {
    const { request } = await received({
      method: "POST",
      headers: { "content-type": "text/json" },
      body: 1,
    });

    expect(request.headers["content-type"]).toBe("text/json");
  });

  test("has a connection of its own", async () => {
    const sockets = new Set<unknown>();
    const address = await serve(({ socket }, response) => {
      sockets.add(socket);
      response.end();
    });

    await sendRequest(requestTo(address), generous);
    await sendRequest(requestTo(address), generous);

    expect(sockets.size).toBe(2);
  });

  test("that found no connection was not sent", async () => {
    const server = createServer();
    const port = await listen(server);
    await closeServer(server);

    const error = await errorOf(requestTo(`http://127.0.0.1:${port}`, { method: "POST", body: {} }));

    expect(error).toMatchObject({
      reason: { kind: "connection", wasSent: false },
      message: expect.stringContaining("ECONNREFUSED"),
    });
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
  [
    "sends a header with the name of a property of every object",
    ({ socket }) => socket.end("HTTP/1.1 200 OK\r\nconstructor: x\r\ncontent-length: 0\r\n\r\n"),
  ],
])(
  "a connection that %s may have sent the request, and its error hides the query",
  async (_what, listener) => {
    const address = await serve(listener);

    const error = await errorOf(requestTo(`${address}/path?query=hidden`));

    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ reason: { kind: "connection", wasSent: true } });
    expect(String(error)).toContain("GET /path: the connection failed: ");
    expect(String(error)).not.toContain("hidden");
  },
);

test.each([
  [
    "is closed within the TLS handshake",
    () => createSocketServer((socket) => socket.once("data", () => socket.end())),
  ],
  ["speaks no TLS", () => createServer((_request, response) => response.end())],
  ["refuses the TLS handshake", () => createTlsServer({})],
])("a request by https over a connection that %s was not sent", async (_what, makeServer) => {
  const server = makeServer();
  const port = await listen(server);

  const error = await errorOf(requestTo(`https://127.0.0.1:${port}/path`));

  server.close();
  expect(error).toMatchObject({
    name: "RequestError",
    reason: { kind: "connection", wasSent: false },
    message: expect.stringContaining("GET /path: the connection failed: "),
  });
});

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
    reason: { kind: "timeout", wasSent: true },
    message: expect.stringContaining("within 0.06 s"),
  });
});

test("a bug of whoever reads the response stays what it is", async () => {
  const address = await serve((_request, response) => void response.end("{}"));
  const reading = exchange(requestTo(address), generous, async () => {
    throw new TypeError("a bug");
  });

  await expect(reading).rejects.toThrow(TypeError);
});

describe("an idle timeout", () => {
  const idle = { ...generous, timeoutMs: 60, isIdleTimeout: true };

  test("begins anew with each part that is received", async () => {
    const passTime = holdTimeouts();
    let sendPart = () => {};
    const address = await serve((_request, response) => {
      sendPart = () => response.write("x");
      sendPart();
    });

    const body = await exchange(requestTo(address), idle, async (response) => {
      let text = "";
      for await (const part of response.body) {
        text += Buffer.from(part);
        if (text.length === 3) break;
        passTime(59);
        sendPart();
      }
      return text;
    });

    expect(body).toBe("xxx");
  });

  test("begins anew with each part that is sent", async () => {
    const passTime = holdTimeouts();
    const address = await serve((request, response) => request.resume().on("end", () => response.end()));
    const stream = async function* () {
      for (let part = 0; part < 3; part += 1) {
        passTime(59);
        yield Buffer.from("x");
      }
    };
    const headers = { "content-length": "3" };
    const body = Readable.from(stream(), { objectMode: false, highWaterMark: 1 });
    const request = requestTo(address, { method: "PUT", headers, stream: body });

    expect(await exchange(request, idle, readText)).toMatchObject({ status: 200 });
  });

  test("runs out after that much silence", async () => {
    const address = await serve((_request, response) => response.write("half"));

    expect(await errorOf(requestTo(address), idle)).toMatchObject({
      reason: { kind: "timeout", wasSent: true },
      message: expect.stringContaining("no data for 0.06 s"),
    });
  });
});

describe("for step debugging", () => {
  async function debugLineOf(parts: Partial<HttpRequest>, listener: RequestListener): Promise<string> {
    const lines: string[] = [];
    const report = { debug: (message: Message) => void lines.push(rawText(message)) };
    const address = await serve(listener);
    const request = requestTo(`${address}/path?query=hidden`, parts);
    await sendRequest(request, { ...generous, report }).catch(() => undefined);
    expect(lines).toHaveLength(1);
    return String(lines[0])
      .replace(/\d+ ms$/, "N ms")
      .replace(/:\d+ /, ":PORT ");
  }

  test("a line has the method, path, status and time of a request", async () => {
    const line = await debugLineOf({ method: "POST" }, (_request, response) => response.writeHead(503).end());

    expect(line).toBe("POST /path 503 N ms");
  });

  test("a line reports that a request got no response", async () => {
    expect(await debugLineOf({}, ({ socket }) => socket.destroy())).toBe("GET /path no response N ms");
  });

  test("a line has only the host of an address that is a credential", async () => {
    const line = await debugLineOf({ title: phrase`The upload` }, (_request, response) => response.end());

    expect(line).toBe("GET 127.0.0.1:PORT 200 N ms");
  });
});

describe("a cancellation", () => {
  test("before a request prevents it", async () => {
    let requests = 0;
    const address = await serve(() => {
      requests += 1;
    });

    expect(await errorOf(requestTo(address), { cancelled: AbortSignal.abort(cancellation) })).toBe(
      cancellation,
    );
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

    expect(await errorOf(requestTo(address), { cancelled: controller.signal })).toBe(cancellation);
  });
});

describe("a request through a silent proxy", () => {
  afterEach(() => {
    delete process.env.HTTP_PROXY;
  });

  async function throughSilentProxy(limitsAt: (connected: Promise<void>) => Partial<RequestOptions>) {
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
    expect(await throughSilentProxy(() => ({ timeoutMs: 60 }))).toMatchObject({
      reason: { kind: "timeout", wasSent: false },
    });
  });

  test("ends when the run is cancelled, and closes the connection", async () => {
    const controller = new AbortController();

    const error = await throughSilentProxy((connected) => {
      void connected.then(() => controller.abort(cancellation));
      return { cancelled: controller.signal };
    });

    expect(error).toBe(cancellation);
  });
});

test("a response of more bytes than allowed is an error of an unexpected response", async () => {
  const tooLarge = await serve((_request, response) => response.end("x".repeat(64_000_001)));
  const large = await serve((_request, response) => response.end("x".repeat(64_000_000)));

  const error = await errorOf(requestTo(tooLarge));

  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ message: expect.stringContaining("larger than 64 MB"), status: 200 });
  expect((await sendRequest(requestTo(large), generous)).body).toHaveLength(64_000_000);
});
