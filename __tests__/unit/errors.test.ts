import { describe, expect, test } from "@jest/globals";
import { ActionError, CancelledError, toError, toResult } from "../../src/errors.ts";
import { quote, text } from "../../src/text/message.ts";

const failure = new ActionError(text`The call failed.`, { code: "test", hint: text`Fix it.` });
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
});

test("an error of the action has text, code, hint, problems and cause, and its message is raw", () => {
  const cause = new Error("because");
  const problems = [text`a`, text`b`];
  const message = text`It said ${quote("No")}.`;
  const hint = text`Fix it.`;

  const error = new ActionError(message, { code: "test", hint, problems, cause });

  expect(error).toMatchObject({ name: "ActionError", code: "test", text: message, hint, problems, cause });
  expect(error.message).toBe("It said No.");
  expect(failure).toMatchObject({ problems: [], cause: undefined });
});

test.each<[string, unknown, string]>([
  ["text", "just text", "just text"],
  ["undefined", undefined, "undefined"],
])("%s that was thrown becomes an Error", (_what, thrown, fact) => {
  expect(toError(thrown)).toBeInstanceOf(Error);
  expect(toError(thrown).message).toContain(`was thrown: ${fact}`);
});

test("an Error that was thrown stays as it is", () => {
  expect(toError(failure)).toBe(failure);
});
