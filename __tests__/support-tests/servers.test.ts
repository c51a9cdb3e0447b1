import { createServer } from "node:http";
import { afterEach, expect, test } from "@jest/globals";
import { closeServer, listen } from "../support/listen.ts";
import { serve } from "../support/serve.ts";

const closedByNow: string[] = [];

// Hooks run in the order in which they are defined: after the one that closes what `serve` started.
afterEach(async () => {
  for (const url of closedByNow.splice(0)) await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("a port that is taken is an error, and no wait for ever", async () => {
  const { port } = new URL(await serve(() => {}));
  await expect(listen(createServer(), Number(port))).rejects.toThrow("EADDRINUSE");
});

test("a server is closed in the middle of an answer, and its port is free again", async () => {
  const server = createServer((_request, response) => response.write("half"));
  const port = await listen(server);
  const answer = await fetch(`http://127.0.0.1:${port}`);
  let closed = false;
  server.once("close", () => {
    closed = true;
  });
  await closeServer(server);
  expect(closed).toBe(true);
  await expect(answer.text()).rejects.toThrow("terminated");
  expect(await listen(server, port)).toBe(port);
  await closeServer(server);
});

test("what is served answers until the test has ended, and no longer", async () => {
  const url = await serve((_request, response) => response.end("words"));
  expect(await (await fetch(url)).text()).toBe("words");
  closedByNow.push(url);
});
