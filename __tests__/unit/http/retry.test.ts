import { describe, expect, test } from "@jest/globals";
import { ActionError, CancelledError } from "../../../src/errors.ts";
import { backoffMs, withRetry } from "../../../src/http/retry.ts";
import { recordingContext } from "../../support/recording-context.ts";

describe("the pause grows, and half of it is left to chance", () => {
  test.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [3, 1_000, 2_000],
    [4, 2_000, 4_000],
    [5, 4_000, 8_000],
    [6, 5_000, 10_000],
    [50, 5_000, 10_000],
    [5_000, 5_000, 10_000],
  ])("after attempt %d: from %d to %d ms", (attempt, least, most) => {
    expect(backoffMs(attempt, () => 0)).toBe(least);
    expect(backoffMs(attempt, () => 1)).toBe(most);
  });
});

async function attempts(
  outcomes: readonly (Error | string)[],
  repeatable = true,
  until = Number.POSITIVE_INFINITY,
) {
  const context = recordingContext({});
  let calls = 0;
  const call = async () => {
    const outcome = outcomes[calls++];
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const patience = { attempts: 3, until: context.clock.now() + until };
  const result = await withRetry(call, () => (repeatable ? {} : undefined), patience, context).catch(
    (error) => error,
  );
  return { calls, result, context };
}

class Boom extends ActionError {
  readonly hint = "Mend it.";
}

const boom = new Boom("boom");

test("what succeeds is called once", async () => {
  expect(await attempts(["yes"])).toMatchObject({ calls: 1, result: "yes" });
});

test("what fails is called again, and each pause is told", async () => {
  const { calls, result, context } = await attempts([boom, boom, "yes"]);
  expect({ calls, result }).toEqual({ calls: 3, result: "yes" });
  expect(context.clock.elapsed()).toBe(375 + 750);
  expect(context.recorded.lines).toHaveLength(2);
});

test("the last attempt's error is what is thrown", async () => {
  expect(await attempts([boom, boom, new Boom("last"), "late"])).toMatchObject({
    calls: 3,
    result: new Boom("last"),
  });
});

test("what another attempt won't help is called once", async () => {
  expect(await attempts([boom, "late"], false)).toMatchObject({ calls: 1, result: boom });
});

test("nor is a defect called again, and none is told of", async () => {
  const defect = new TypeError("x is not a function");
  const { calls, result, context } = await attempts([defect, "late"]);
  expect({ calls, result }).toEqual({ calls: 1, result: defect });
  expect(context.recorded.lines).toEqual([]);
});

test("no attempt begins after the deadline", async () => {
  const { calls, result, context } = await attempts([boom, boom, "late"], true, 500);
  expect({ calls, result }).toEqual({ calls: 2, result: boom });
  expect(context.clock.elapsed()).toBe(375);
});

test("the server's pause counts where it is longer", async () => {
  const context = recordingContext({});
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls < 3) throw boom;
    return calls;
  };
  const pauses = [{ pauseMs: 7_000 }, { pauseMs: 10 }];
  await withRetry(call, () => pauses[calls - 1], { attempts: 3, until: Number.POSITIVE_INFINITY }, context);
  expect(context.clock.elapsed()).toBe(7_000 + 750);
});

test("a cancelled run doesn't wait", async () => {
  const context = recordingContext({});
  const cancelled = new CancelledError("SIGINT");
  context.clock.at(100, () => context.cancel(cancelled));
  const call = () => Promise.reject(boom);
  const patience = { attempts: 3, until: Number.POSITIVE_INFINITY };
  await expect(withRetry(call, () => ({ pauseMs: 60_000 }), patience, context)).rejects.toBe(cancelled);
  expect(context.clock.elapsed()).toBe(100);
});
