import { describe, expect, test } from "@jest/globals";
import { CancelledError, Failure } from "../../../src/errors.ts";
import { retryIdempotent, retryIfNoEffect, type ShouldRetry, withRetry } from "../../../src/http/retry.ts";
import { text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { badResponse, noResponse } from "./support/failed.ts";

const failure = new Failure(text`The call failed.`, { hint: text`Fix it.` });
const always: ShouldRetry = () => true;

/** Calls what has these outcomes, one after the other, with retries. */
async function retried(
  outcomes: readonly (Error | string)[],
  { shouldRetry = always, retryMs = Number.POSITIVE_INFINITY, random = 0.5 } = {},
) {
  const context = { ...recordingContext({}), random: () => random };
  let calls = 0;
  const call = async () => {
    const outcome = outcomes[calls++];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const result = await withRetry(call, shouldRetry, retryMs, context).catch((error: unknown) => error);
  const lines = context.recorded.lines.map(({ text }) => text);
  return { calls, result, elapsedMs: context.clock.elapsed(), lines };
}

describe("a call", () => {
  test("that succeeds is made once", async () => {
    expect(await retried(["yes"])).toEqual({ calls: 1, result: "yes", elapsedMs: 0, lines: [] });
  });

  test("that fails is retried, and each delay is logged with the reason", async () => {
    const { lines, ...retries } = await retried([failure, failure, "yes"]);

    expect(retries).toEqual({ calls: 3, result: "yes", elapsedMs: 375 + 750 });
    expect(lines).toEqual(["The call failed. Retrying in 0.4 s.", "The call failed. Retrying in 0.8 s."]);
  });

  test("that never succeeds fails with the last attempt's error", async () => {
    const last = new Failure(text`Last.`, { hint: text`` });

    const outcomes = [failure, failure, failure, failure, last, "late"];

    expect(await retried(outcomes)).toMatchObject({ calls: 5, result: last });
  });

  test("that a retry can't help is made once", async () => {
    const shouldRetry = () => false;

    expect(await retried([failure, "late"], { shouldRetry })).toMatchObject({ calls: 1, result: failure });
  });

  test("that fails because of a bug is made once, without a line in the log", async () => {
    const bug = new TypeError("x is not a function");

    expect(await retried([bug, "late"])).toEqual({ calls: 1, result: bug, elapsedMs: 0, lines: [] });
  });

  test("without time for retries is made once", async () => {
    expect(await retried([failure, "late"], { retryMs: 0 })).toMatchObject({ calls: 1, result: failure });
  });

  test("is not retried after its time", async () => {
    const retryMs = 375 + 750;

    expect(await retried([failure, failure, "in time"], { retryMs })).toMatchObject({ result: "in time" });
    expect(await retried([failure, failure, "late"], { retryMs: retryMs - 1 })).toEqual({
      calls: 2,
      result: failure,
      elapsedMs: 375,
      lines: [expect.anything()],
    });
  });

  test("is retried after the delay that the server asks for, if that is longer", async () => {
    const limited = (retryAfterMs: number) => badResponse(429, { retryAfterMs });

    const { elapsedMs, lines } = await retried([limited(7000), limited(10), "yes"]);

    expect(elapsedMs).toBe(7000 + 750);
    expect(lines[0]).toContain("in 7.0 s");
  });

  test("is not retried once the run is cancelled", async () => {
    const context = recordingContext({});
    const cancellation = new CancelledError("SIGINT");
    context.clock.at(100, () => context.cancel(cancellation));
    const retrying = withRetry(() => Promise.reject(failure), always, 10_000, context);

    await expect(retrying).rejects.toBe(cancellation);
    expect(context.clock.elapsed()).toBe(100);
  });
});

test.each([
  [0, 250 + 500 + 1000 + 2000],
  [1, 500 + 1000 + 2000 + 4000],
])(
  "delays double, and half of each is random: with random number %d they sum up to %d ms",
  async (random, sumMs) => {
    const outcomes = Array<Error>(9).fill(failure);

    const { calls, elapsedMs } = await retried(outcomes, { random });

    expect({ calls, elapsedMs }).toEqual({ calls: 5, elapsedMs: sumMs });
  },
);

const responseError = (status: number, isFromApi = true) => badResponse(status, { isFromApi });

test.each<[string, Failure, boolean, boolean]>([
  ["a connection error before the request was sent", noResponse(false), true, true],
  ["a connection error after the request was sent", noResponse(true), true, false],
  ["400", responseError(400), false, false],
  ["404", responseError(404), false, false],
  ["the refusal of a proxy", noResponse(false, "proxy"), false, false],
  ["408", responseError(408), true, false],
  ["429", responseError(429), true, true],
  ["500", responseError(500), true, false],
  ["501 of the API", responseError(501, true), false, false],
  ["501 of something else", responseError(501, false), true, false],
  ["503", responseError(503), true, false],
  ["an unexpected success", responseError(200, false), false, false],
  ["any other error", failure, false, false],
])("after %s a read is retried: %p; a write: %p", (_what, error, read, write) => {
  expect(retryIdempotent(error)).toBe(read);
  expect(retryIfNoEffect(error)).toBe(write);
});
