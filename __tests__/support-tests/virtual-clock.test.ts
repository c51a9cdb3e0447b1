import { get } from "node:http";
import { setImmediate as macrotask } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { request } from "undici";
import { RequestsInFlight } from "../support/requests-in-flight.ts";
import { serve } from "../support/serve.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const never = new AbortController().signal;

let requests: RequestsInFlight;
let clock: VirtualClock;

beforeEach(() => {
  requests = new RequestsInFlight();
  clock = new VirtualClock(0, requests);
});

afterEach(() => requests.close());

/** Each sends a GET, and resolves when its response is complete. */
const clients: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "node:http": (url) =>
    new Promise((resolve, reject) => {
      get(url, (response) => response.resume().on("end", resolve)).on("error", reject);
    }),
  undici: async (url) => (await request(url)).body.text(),
  fetch: async (url) => (await fetch(url)).text(),
};

test.each(Object.entries(clients))("time stands still while %s has a request in flight", async (_, send) => {
  const url = await serve(async (_request, response) => {
    for (let turn = 0; turn < 100; turn += 1) await macrotask();
    response.end();
  });

  const slept = clock.sleep(1_000, never);
  const endedAt = send(url).then(() => clock.now());

  expect(await endedAt).toBe(0);
  await slept;
  expect(clock.now()).toBe(1_000);
});

test.each(Object.entries(clients))("time passes again after a request of %s that failed", async (_, send) => {
  const url = await serve((incoming) => incoming.socket.destroy());

  const failed = send(url).then(
    () => false,
    () => true,
  );
  await clock.sleep(1_000, never);

  expect(clock.now()).toBe(1_000);
  expect(await failed).toBe(true);
});

test("time passes although a server that is ignored never responds", async () => {
  const url = await serve(() => {});
  requests.ignore(url);
  const stop = new AbortController();

  const pending = request(url, { signal: stop.signal });
  await clock.sleep(1_000, never);

  expect(clock.now()).toBe(1_000);
  stop.abort("stopped");
  await expect(pending).rejects.toBe("stopped");
});

test.each([0, 1])("a short delay of %d ms hands its arguments on", async (delayMs) => {
  const received = await new Promise((resolve) => {
    setTimeout((...args: unknown[]) => resolve(args), delayMs, "one", 2);
  });

  expect(received).toEqual(["one", 2]);
});
