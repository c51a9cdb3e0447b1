import { expect, test } from "@jest/globals";
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
  const clock = new VirtualClock();
  const before = clock.now();
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.now()).toBe(before);
});

test("appointments within a sleep run in order, awaited, each at its own time", async () => {
  const clock = new VirtualClock();
  const seen: string[] = [];
  clock.at(700, () => seen.push(`second at ${clock.elapsed()}`));
  clock.at(300, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(`first at ${clock.elapsed()}`);
  });
  clock.at(1_000, () => seen.push(`third at ${clock.elapsed()}`));
  clock.at(1_001, () => seen.push("not yet"));
  await clock.sleep(1_000, never);
  seen.push(`awake at ${clock.elapsed()}`);
  expect(seen).toEqual(["first at 300", "second at 700", "third at 1000", "awake at 1000"]);
});

test("an abort during a sleep rejects it with the signal's reason, at the time of the abort", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const reason = new Error("cancelled");
  clock.at(400, () => controller.abort(reason));
  await expect(clock.sleep(1_000, controller.signal)).rejects.toBe(reason);
  expect(clock.elapsed()).toBe(400);
});

test("a signal that is aborted already rejects at once", async () => {
  const clock = new VirtualClock();
  await expect(clock.sleep(1_000, AbortSignal.abort("before"))).rejects.toBe("before");
  expect(clock.elapsed()).toBe(0);
});

test("an aborted sleeper doesn't hold or move the others", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  clock.at(100, () => controller.abort("enough"));
  const aborted = expect(clock.sleep(9_000, controller.signal)).rejects.toBe("enough");
  await clock.sleep(500, never);
  await aborted;
  expect(clock.elapsed()).toBe(500);
});

test("sleepers side by side wake by their times, not one after the other", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const every = async (milliseconds: number, times: number) => {
    for (let count = 0; count < times; count += 1) {
      await clock.sleep(milliseconds, never);
      seen.push(clock.elapsed());
    }
  };
  await Promise.all([every(400, 5), every(1_000, 2)]);
  expect(seen).toEqual([400, 800, 1_000, 1_200, 1_600, 2_000, 2_000]);
});

test("what an appointment throws reaches the sleepers", async () => {
  const clock = new VirtualClock();
  clock.at(10, () => {
    throw new Error("bad appointment");
  });
  const other = expect(clock.sleep(40, never)).rejects.toThrow("bad appointment");
  await expect(clock.sleep(20, never)).rejects.toThrow("bad appointment");
  await other;
});

test("what is due every so often comes between, until it is stopped", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  const stop = clock.every(60_000, () => seen.push(clock.elapsed()));
  await clock.sleep(150_000, never);
  await clock.sleep(40_000, never);
  stop();
  await clock.sleep(100_000, never);
  expect(seen).toEqual([60_000, 120_000, 180_000]);
});
