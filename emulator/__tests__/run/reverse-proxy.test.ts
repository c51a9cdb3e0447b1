import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import { createServer as createTcpServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { closeServer, listen } from "../../../__tests__/support/listen.ts";
import { freePort } from "../../runner/ports.ts";
import { ReverseProxy, type ReverseProxyOptions } from "../../runner/reverse-proxy.ts";

const open: Array<() => Promise<void>> = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** An agent that sends every upgrade back what it gets. */
async function startAgent(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener);
  server.on("upgrade", (_request, socket) => {
    socket.on("error", () => socket.destroy());
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.pipe(socket);
  });
  const port = await listen(server);
  open.push(async () => {
    if (server.listening) await closeServer(server);
  });
  return { server, port };
}

async function startProxy(options: ReverseProxyOptions = {}): Promise<{ proxy: ReverseProxy; url: string }> {
  const proxy = await ReverseProxy.open(0, options);
  open.push(() => proxy.close());
  return { proxy, url: `http://127.0.0.1:${proxy.port}` };
}

/** ReverseProxy to one agent. */
async function proxyTo(listener: RequestListener, options?: ReverseProxyOptions) {
  const agent = await startAgent(listener);
  const { proxy, url } = await startProxy(options);
  await proxy.switchTo(agent.port);
  return { ...agent, proxy, url };
}

/** A proxy to an agent that sends these bytes whatever it is asked. */
async function proxyToRaw(bytes: string): Promise<string> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => socket.end(bytes, "latin1"));
  });
  const { proxy, url } = await startProxy();
  await proxy.switchTo(await listen(server));
  open.push(async () => {
    server.close();
    await once(server, "close");
  });
  return url;
}

const webSocket = { connection: "Upgrade", upgrade: "websocket" };

async function upgrade(url: string): Promise<Socket> {
  const [, socket] = await once(request(url, { headers: webSocket }).end(), "upgrade");
  return socket;
}

/** The status and the body of the responses to a request and to an upgrade. */
async function refusalsOf(url: string) {
  const response = await fetch(url, { method: "POST", body: "question" });
  const [refused] = await once(request(url, { headers: webSocket }).end(), "response");
  return [
    [response.status, await response.json()],
    [refused.statusCode, JSON.parse(await text(refused))],
  ];
}

test("a request reaches the agent, and its response the client, as they were sent", async () => {
  const { url } = await proxyTo(async (asked, response) => {
    const seen = { line: `${asked.method} ${asked.url}`, host: asked.headers.host, body: await text(asked) };
    response.setHeader("set-cookie", ["a=1", "b=2"]);
    response.writeHead(418, "Teapot", { "x-agent": "yes" }).end(JSON.stringify(seen));
  });

  const response = await fetch(`${url}/runs/wait?x=%20a`, { method: "POST", body: "question" });

  expect([response.status, response.statusText]).toEqual([418, "Teapot"]);
  expect(response.headers.get("x-agent")).toBe("yes");
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  const host = new URL(url).host;
  expect(await response.json()).toEqual({ line: "POST /runs/wait?x=%20a", host, body: "question" });
});

test("a client keeps its connection although each request to the agent has one of its own", async () => {
  const { url } = await proxyTo((asked, response) => response.end(asked.headers.connection));

  const response = await fetch(url);

  expect(await response.text()).toBe("close");
  expect(response.headers.get("connection")).toBe("keep-alive");
});

test("headers and server-sent events arrive one by one, before the response has ended", async () => {
  const send = Promise.withResolvers<(text: string) => void>();
  const { url } = await proxyTo((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    send.resolve((event) => (event === "" ? response.end() : response.write(event)));
  });

  const { body, headers } = await fetch(url);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const write = await send.promise;
  const seen: Array<string | undefined> = [];
  for (const event of ["data: 1\n\n", "data: 2\n\n", ""]) {
    write(event);
    seen.push((await reader?.read())?.value);
  }

  expect(headers.get("content-type")).toBe("text/event-stream");
  expect(seen).toEqual(["data: 1\n\n", "data: 2\n\n", undefined]);
});

test("a chunked body is streamed to the agent, which responds before it has ended", async () => {
  const { url } = await proxyTo((asked, response) => asked.pipe(response));

  const sending = request(url, { method: "POST" });
  sending.write("first");
  const [response] = await once(sending, "response");
  const [chunk] = await once(response, "data");
  sending.end(" second");

  expect(`${chunk}${await text(response)}`).toBe("first second");
});

test("a WebSocket upgrade is passed on, and its bytes go both ways", async () => {
  const { url } = await proxyTo((_request, response) => response.end());

  const socket = await upgrade(url);
  socket.write("ping");
  const [echo] = await once(socket, "data");
  socket.end();

  expect(String(echo)).toBe("ping");
  await once(socket, "close");
});

test("an offer of HTTP/2 is treated as an ordinary request", async () => {
  const { url } = await proxyTo((asked, response) => response.end(asked.headers.upgrade ?? "none"));

  const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "" };
  const [response] = await once(request(url, { headers }).end(), "response");

  expect(await text(response)).toBe("none");
});

test("an agent notices that its client went away", async () => {
  const started = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { url } = await proxyTo((_request, response) => {
    response.on("close", () => gone.resolve());
    started.resolve();
  });

  const aborter = new AbortController();
  const response = fetch(url, { signal: aborter.signal });
  await started.promise;
  aborter.abort();

  await expect(response).rejects.toThrow("aborted");
  await gone.promise;
});

test("a request or an upgrade for another host than the loopback gets 421, and the agent none of it", async () => {
  const { url } = await proxyTo((_request, response) => response.end("agent"));
  const statusFor = async (host: string, headers = {}) => {
    const [response] = await once(request(url, { headers: { host, ...headers } }).end(), "response");
    response.resume();
    return response.statusCode;
  };

  expect(await statusFor("attacker.example")).toBe(421);
  expect(await statusFor(`127.0.0.1.attacker.example:${new URL(url).port}`)).toBe(421);
  expect(await statusFor("attacker.example", webSocket)).toBe(421);
  expect(await statusFor("LOCALHOST:1")).toBe(200);
  expect(await statusFor("[::1]")).toBe(200);
});

test("requests and upgrades get 503 as JSON before a revision is live, and 502 if the agent is gone", async () => {
  const { proxy, url } = await startProxy();
  const notLive = { detail: "No revision of this deployment is live yet." };
  const gone = { detail: "The agent does not respond." };

  expect(await refusalsOf(url)).toEqual(Array(2).fill([503, notLive]));
  await proxy.switchTo(await freePort());
  expect(await refusalsOf(url)).toEqual(Array(2).fill([502, gone]));
});

test.each(["000 OK", "099 OK", "101 Switching Protocols"])(
  "an agent that responds with the status line %s is a bad gateway",
  async (line) => {
    const url = await proxyToRaw(`HTTP/1.1 ${line}\r\ncontent-length: 2\r\n\r\nok`);

    const response = await fetch(url);

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ detail: "The agent's response is invalid." });
  },
);

test("a response is passed on without its reason phrase if that has a control character", async () => {
  const response = await fetch(await proxyToRaw("HTTP/1.1 201 A\x01\x7f\r\ncontent-length: 2\r\n\r\nok"));

  expect([response.status, response.statusText, await response.text()]).toEqual([201, "Created", "ok"]);
});

test("a response that breaks off breaks off for the client too", async () => {
  const { url } = await proxyTo((_request, response) => {
    response.write("half", () => response.destroy());
  });

  const response = await fetch(url);

  await expect(response.text()).rejects.toThrow("terminated");
});

test("after a switch new requests go to the new agent, while those in flight end on the old one", async () => {
  const held = Promise.withResolvers<() => void>();
  const { proxy, url } = await proxyTo((_request, response) => {
    held.resolve(() => response.end("old"));
  });
  const next = await startAgent((_request, response) => response.end("new"));

  const inFlight = fetch(url).then((response) => response.text());
  const release = await held.promise;
  let hasSwitched = false;
  const switched = proxy.switchTo(next.port).then(() => {
    hasSwitched = true;
  });
  const answer = await (await fetch(url)).text();
  const before = hasSwitched;
  release();
  await switched;

  expect([answer, before, await inFlight]).toEqual(["new", false, "old"]);
});

test("requests and upgrades that outlast the limit are cut, on both sides", async () => {
  const seen = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const { proxy, url } = await proxyTo(
    (_request, response) => {
      response.on("close", () => gone.resolve());
      seen.resolve();
    },
    { drainMs: 1 },
  );
  const next = await startAgent((_request, response) => response.end("new"));

  const hanging = fetch(url);
  const socket = await upgrade(url);
  const closed = once(socket, "close");
  await seen.promise;
  await proxy.switchTo(next.port);

  await expect(hanging).rejects.toThrow("fetch failed");
  await Promise.all([closed, gone.promise]);
});

test("no request fails while four agents replace each other under ten clients", async () => {
  const { proxy, url } = await startProxy();
  const startNumbered = (number: number) =>
    startAgent(async (asked, response) => response.end(`${number} ${await text(asked)}`));
  const first = await startNumbered(0);
  await proxy.switchTo(first.port);
  let isSwitching = true;
  const answers: string[] = [];
  const ask = async (id: number) => {
    const response = await fetch(url, { method: "POST", body: `client ${id}` });
    return `${response.status} ${await response.text()}`;
  };
  const client = async (id: number) => {
    while (isSwitching) {
      answers.push(await ask(id).catch(String));
    }
  };

  const clients = Promise.all(Array.from({ length: 10 }, (_, id) => client(id)));
  let live = first;
  for (let number = 1; number < 4; number++) {
    const next = await startNumbered(number);
    const count = answers.length;
    while (answers.length < count + 10) await nextTurn();
    await proxy.switchTo(next.port);
    await closeServer(live.server);
    live = next;
  }
  isSwitching = false;
  await clients;

  expect(answers.filter((answer) => !/^200 \d client \d+$/.test(answer))).toEqual([]);
  expect(new Set(answers.map((answer) => answer.split(" ")[1])).size).toBe(4);
});

test("closing frees the port and ends what is in flight", async () => {
  const seen = Promise.withResolvers<void>();
  const { proxy, url } = await proxyTo(() => seen.resolve());
  const hanging = fetch(url);
  await seen.promise;

  await proxy.close();
  open.splice(open.length - 1);

  await expect(hanging).rejects.toThrow("fetch failed");
  const again = await ReverseProxy.open(proxy.port);
  await again.close();
});
