import { describe, expect, test } from "@jest/globals";
import { CancelledError, Failure } from "../../../src/errors.ts";
import { pollUntil } from "../../../src/http/poll.ts";
import { code, text } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { badResponse } from "./support/failed.ts";

const failure = (name: string) => new Failure(text`${code(name)}.`, { hint: text`` });
const timeout = failure("Timeout");
const limited = (retryAfterMs: number) => badResponse(429, { retryAfterMs });

interface Polled {
  /** In milliseconds from the start. */
  readonly deadline?: number;
  readonly mayKeepPolling?: boolean;
  /** Milliseconds that each attempt takes. */
  readonly attemptMs?: number;
}

/** Polls every two seconds what has these outcomes, the last one for ever. */
async function polled(outcomes: readonly (Error | string | undefined)[], options: Polled = {}) {
  const context = recordingContext({});
  const { clock, recorded } = context;
  const { deadline = 60_000, mayKeepPolling = true, attemptMs = 0 } = options;
  const attempts: number[] = [];
  const attempt = async () => {
    const outcome = outcomes[Math.min(attempts.length, outcomes.length - 1)];
    attempts.push(clock.elapsed());
    if (attemptMs > 0) await clock.sleep(attemptMs, context.cancelled);
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const policy = {
    deadline: clock.now() + deadline,
    delayMs: 2000,
    mayContinueAfter: () => mayKeepPolling,
    onTimeout: (lastFailure: Failure | undefined) => lastFailure ?? timeout,
  };
  return {
    result: await pollUntil(attempt, policy, context).catch((error: unknown) => error),
    attempts,
    lines: recorded.lines.map(({ text }) => text),
  };
}

describe("polling", () => {
  test("returns the first value", async () => {
    expect(await polled([undefined, undefined, "yes", "late"])).toEqual({
      result: "yes",
      attempts: [0, 2000, 4000],
      lines: [],
    });
  });

  test("makes a last attempt at the deadline, and ends with a failure if nothing was found", async () => {
    expect(await polled([undefined], { deadline: 5000 })).toMatchObject({
      result: timeout,
      attempts: [0, 2000, 4000, 5000],
    });
    expect(await polled([undefined, undefined, undefined, "at last"], { deadline: 5000 })).toMatchObject({
      result: "at last",
    });
  });

  test("passes on why the last attempt failed, if it did", async () => {
    const last = failure("Last");

    expect(await polled([last], { deadline: 1000 })).toMatchObject({ result: last });
    expect(await polled([last, undefined], { deadline: 1000 })).toMatchObject({ result: timeout });
  });

  test("makes one attempt if the deadline has passed", async () => {
    expect(await polled([undefined], { deadline: -1 })).toMatchObject({ result: timeout, attempts: [0] });
  });

  test("makes a last attempt if the deadline passes during one", async () => {
    expect(await polled([undefined], { deadline: 1000, attemptMs: 3000 })).toMatchObject({
      attempts: [0, 3000],
    });
  });

  test("continues after a transient error, and logs it once as long as it stays the same", async () => {
    const outcomes = [failure("One"), failure("One"), failure("Two"), undefined, failure("Two"), "yes"];

    const { result, lines } = await polled(outcomes);

    expect(result).toBe("yes");
    expect(lines).toEqual(["One. Retrying.", "Two. Retrying.", "Two. Retrying."]);
  });

  test("ends with an error that is not transient", async () => {
    const error = failure("Refused");

    expect(await polled([undefined, error], { mayKeepPolling: false })).toMatchObject({
      result: error,
      attempts: [0, 2000],
      lines: [],
    });
  });

  test("ends with a bug, whatever counts as transient", async () => {
    const bug = new TypeError("x is not a function");

    expect(await polled([bug])).toMatchObject({ result: bug, attempts: [0] });
  });

  test("waits as long as a failed response asks for, but not beyond the deadline", async () => {
    expect((await polled([limited(9000), "yes"])).attempts).toEqual([0, 9000]);
    expect((await polled([limited(500), "yes"])).attempts).toEqual([0, 2000]);
    expect((await polled([limited(9000), "yes"], { deadline: 5000 })).attempts).toEqual([0, 5000]);
  });

  test("ends with the reason of a cancellation, during a delay and during an attempt", async () => {
    for (const attemptMs of [0, 60_000]) {
      const context = recordingContext({});
      const { clock } = context;
      const cancellation = new CancelledError("SIGINT");
      clock.at(500, () => context.cancel(cancellation));
      const attempt = async () => await clock.sleep(attemptMs, context.cancelled).then(() => undefined);
      const policy = { deadline: clock.now() + 60_000, delayMs: 2000, onTimeout: () => timeout };

      await expect(pollUntil(attempt, policy, context)).rejects.toBe(cancellation);
      expect(clock.elapsed()).toBe(500);
    }
  });
});
