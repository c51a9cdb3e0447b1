import { get } from "node:http";
import { setImmediate as macrotask } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { RequestsInFlight } from "../support/requests-in-flight.ts";
import { serve } from "../support/serve.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const never = new AbortController().signal;

test("time stands still while a request is in flight", async () => {
  const requests = new RequestsInFlight();
  const clock = new VirtualClock(0, requests);
  const url = await serve(async (_request, response) => {
    for (let turn = 0; turn < 100; turn += 1) await macrotask();
    response.end();
  });

  const slept = clock.sleep(1_000, never);
  const endedAt = new Promise((resolve) => {
    get(url, (response) => response.resume().on("end", () => resolve(clock.now())));
  });

  expect(await endedAt).toBe(0);
  await slept;
  expect(clock.now()).toBe(1_000);
  requests.close();
});

test("time passes again after a request that failed", async () => {
  const requests = new RequestsInFlight();
  const clock = new VirtualClock(0, requests);
  const url = await serve((request) => request.socket.destroy());

  get(url).on("error", () => {});
  await clock.sleep(1_000, never);

  expect(clock.now()).toBe(1_000);
  requests.close();
});
