import { createServer } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import { closeServer, listen } from "../support/listen.ts";
import { serve } from "../support/serve.ts";

const closedUrls: string[] = [];

// Hooks run in the order in which they are defined: after the one that closes what `serve` started.
afterEach(async () => {
  for (const url of closedUrls.splice(0)) await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("listening on a port that is taken is an error", async () => {
  const { port } = new URL(await serve(() => {}));

  await expect(listen(createServer(), Number(port))).rejects.toThrow("EADDRINUSE");
});

test("a server is closed in the middle of a response, and its port is free again", async () => {
  const server = createServer((_request, response) => response.write("half"));
  const port = await listen(server);
  const response = await fetch(`http://127.0.0.1:${port}`);

  await closeServer(server);

  await expect(response.text()).rejects.toThrow("terminated");
  expect(await listen(server, port)).toBe(port);
  await closeServer(server);
});

test("a server responds until the end of the test", async () => {
  const url = await serve((_request, response) => response.end("words"));

  expect(await (await fetch(url)).text()).toBe("words");
  closedUrls.push(url);
});
