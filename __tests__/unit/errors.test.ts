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

describe("a call that may fail without harm", () => {
  test("returns its value", async () => {
    expect(await toResult(async () => 7)).toEqual({ value: 7 });
  });

  test("returns an error of the action", async () => {
    expect(await toResult(() => Promise.reject(failure))).toEqual({ error: failure });
  });

  test.each([new TypeError("x is not a function"), "text", undefined])("throws a bug: %p", async (bug) => {
    await expect(toResult(() => Promise.reject(bug))).rejects.toBe(bug);
  });

  test("throws a cancellation", async () => {
    const cancellation = new CancelledError("SIGINT");

    await expect(toResult(() => Promise.reject(cancellation))).rejects.toBe(cancellation);
  });

  test("returns undefined after an expected error", async () => {
    const isExpected = (error: unknown) => error === failure;
    const bug = new TypeError("x is not a function");

    expect(await undefinedIf(async () => "it", isExpected)).toBe("it");
    expect(await undefinedIf(() => Promise.reject(failure), isExpected)).toBeUndefined();
    await expect(undefinedIf(() => Promise.reject(bug), isExpected)).rejects.toBe(bug);
  });
});
