import { get } from "node:http";
import { setImmediate as macrotask } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { RequestsInFlight } from "../support/requests-in-flight.ts";
import { serve } from "../support/serve.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

const never = new AbortController().signal;

test("a sleep moves time on by its length", async () => {
  const clock = new VirtualClock(1_000);

  await clock.sleep(1_800_000, never);
  await clock.sleep(5, never);

  expect(clock.now()).toBe(1_801_005);
  expect(clock.elapsed()).toBe(1_800_005);
});

test("time stands still while nobody sleeps", async () => {
  const clock = new VirtualClock(1_000);

  await macrotask();

  expect(clock.now()).toBe(1_000);
});

test("appointments within a sleep run in order, are awaited, and see their own time", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.at(700, () => seen.push(`second at ${clock.elapsed()}`));
  clock.at(300, async () => {
    await macrotask();
    seen.push(`first at ${clock.elapsed()}`);
  });
  clock.at(1_000, () => seen.push(`third at ${clock.elapsed()}`));
  clock.at(1_001, () => seen.push("too late"));

  await clock.sleep(1_000, never);
  seen.push(`awake at ${clock.elapsed()}`);

  expect(seen).toEqual(["first at 300", "second at 700", "third at 1000", "awake at 1000"]);
});

test("an abort ends a sleep with the signal's reason, at the time of the abort, and leaves other sleepers alone", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  clock.at(100, () => controller.abort("enough"));

  const aborted = clock.sleep(9_000, controller.signal).catch((reason) => [reason, clock.elapsed()]);
  await clock.sleep(500, never);

  expect(await aborted).toEqual(["enough", 100]);
  expect(clock.elapsed()).toBe(500);
  await expect(clock.sleep(1_000, AbortSignal.abort("before"))).rejects.toBe("before");
  expect(clock.elapsed()).toBe(500);
});

test("concurrent sleepers wake in the order of their times", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const every = async (durationMs: number, times: number) => {
    for (let count = 0; count < times; count += 1) {
      await clock.sleep(durationMs, never);
      seen.push(clock.elapsed());
    }
  };

  await Promise.all([every(400, 5), every(1_000, 2)]);

  expect(seen).toEqual([400, 800, 1_000, 1_200, 1_600, 2_000, 2_000]);
});

test("all sleepers get the error of an appointment", async () => {
  const clock = new VirtualClock();
  clock.at(10, () => {
    throw new Error("bad appointment");
  });

  const sleeps = await Promise.allSettled([clock.sleep(20, never), clock.sleep(40, never)]);

  expect(sleeps.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("an interval calls back until it is stopped", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const stop = clock.every(60_000, () => seen.push(clock.elapsed()));

  await clock.sleep(150_000, never);
  await clock.sleep(40_000, never);
  stop();
  await clock.sleep(100_000, never);

  expect(seen).toEqual([60_000, 120_000, 180_000]);
});

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
