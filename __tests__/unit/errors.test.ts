import { describe, expect, test } from "@jest/globals";
import { CancelledError, Failure, toResult, undefinedIf } from "../../src/errors.ts";
import { text } from "../../src/text/message.ts";

const failure = new Failure(text`The call failed.`, { hint: text`Fix it.` });
test("a failure with more details stays of its class, which stages decide by", () => {
  const cancellation = new CancelledError("SIGINT");

  expect(cancellation.addDetails(text`One.`, undefined).addDetails(text`Two.`)).toBeInstanceOf(
    CancelledError,
  );
  expect(cancellation.ending.details).toEqual([text`One.`, text`Two.`]);
});

const running = new AbortController().signal;

describe("a call that may fail without harm", () => {
  test("returns its value", async () => {
    expect(await toResult(async () => 7, running)).toEqual({ value: 7 });
  });

  test("returns an error of the action", async () => {
    const cancellation = new CancelledError("SIGINT");

    expect(await toResult(() => Promise.reject(failure), running)).toEqual({ error: failure });
    expect(await toResult(() => Promise.reject(cancellation), running)).toEqual({ error: cancellation });
  });

  test.each([new TypeError("x is not a function"), "text", undefined])("throws a bug: %p", async (bug) => {
    await expect(toResult(() => Promise.reject(bug), running)).rejects.toBe(bug);
  });

  test("throws the reason of a cancellation, whatever the call threw", async () => {
    const cancellation = new CancelledError("SIGINT");
    const cancelled = AbortSignal.abort(cancellation);

    for (const thrown of [failure, new TypeError("x is not a function")]) {
      await expect(toResult(() => Promise.reject(thrown), cancelled)).rejects.toBe(cancellation);
    }
    expect(await toResult(async () => "in time", cancelled)).toEqual({ value: "in time" });
  });

  test("returns the reason of a cancellation only if asked to", async () => {
    const cancellation = new CancelledError("SIGINT");

    expect(await toResult(() => Promise.reject(cancellation), undefined)).toEqual({ error: cancellation });
  });

  test("returns undefined after an expected error", async () => {
    const isExpected = (error: unknown) => error === failure;
    const bug = new TypeError("x is not a function");

    expect(await undefinedIf(async () => "it", isExpected)).toBe("it");
    expect(await undefinedIf(() => Promise.reject(failure), isExpected)).toBeUndefined();
    await expect(undefinedIf(() => Promise.reject(bug), isExpected)).rejects.toBe(bug);
  });
});
