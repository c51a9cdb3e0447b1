import { describe, expect, test } from "@jest/globals";
import { ActionError, bestEffort, CancelledError, toError } from "../../src/errors.ts";

const failure = new ActionError("The call failed.", { code: "test", hint: "Fix it." });
const running = new AbortController().signal;

describe("a call that may fail without harm", () => {
  test("returns its value", async () => {
    expect(await bestEffort(async () => 7, running)).toEqual({ value: 7 });
  });

  test("returns an error of the action", async () => {
    const cancellation = new CancelledError("SIGINT");

    expect(await bestEffort(() => Promise.reject(failure), running)).toEqual({ error: failure });
    expect(await bestEffort(() => Promise.reject(cancellation), running)).toEqual({ error: cancellation });
  });

  test.each([new TypeError("x is not a function"), "text", undefined])("throws a bug: %p", async (bug) => {
    await expect(bestEffort(() => Promise.reject(bug), running)).rejects.toBe(bug);
  });

  test("throws the reason of a cancellation, whatever the call threw", async () => {
    const cancellation = new CancelledError("SIGINT");
    const cancelled = AbortSignal.abort(cancellation);

    for (const thrown of [failure, new TypeError("x is not a function")]) {
      await expect(bestEffort(() => Promise.reject(thrown), cancelled)).rejects.toBe(cancellation);
    }
    expect(await bestEffort(async () => "in time", cancelled)).toEqual({ value: "in time" });
  });
});

test("an error of the action has message, code, hint, findings and cause", () => {
  const cause = new Error("because");

  expect(
    new ActionError("No.", { code: "test", hint: "Fix it.", findings: ["a", "b"], cause }),
  ).toMatchObject({
    name: "ActionError",
    message: "No.",
    code: "test",
    hint: "Fix it.",
    findings: ["a", "b"],
    cause,
  });
  expect(failure).toMatchObject({ findings: [], cause: undefined });
});

test("a cancellation names the signal", () => {
  expect(new CancelledError("SIGTERM")).toMatchObject({
    name: "CancelledError",
    code: "cancelled",
    message: expect.stringContaining("SIGTERM"),
  });
});

test.each<[string, unknown, string]>([
  ["text", "just text", "just text"],
  ["undefined", undefined, "undefined"],
  ["an object without a prototype", Object.create(null), "object"],
])("%s that was thrown becomes an Error", (_what, thrown, fact) => {
  expect(toError(thrown)).toBeInstanceOf(Error);
  expect(toError(thrown).message).toContain(`was thrown: ${fact}`);
});

test("an Error that was thrown stays as it is", () => {
  expect(toError(failure)).toBe(failure);
});
