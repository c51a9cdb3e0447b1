import { expect, test } from "@jest/globals";
import { poll } from "../../../src/http/poll.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

test.each([
  ["is over during an attempt, with one more right then", 10_000, 2],
  ["is over between two attempts, with one more right then", 4_000, 2],
])("the time to poll %s", async (_when, attemptMs, expected) => {
  const clock = new VirtualClock();
  const context = recordingContext({}, clock);
  let attempts = 0;

  const ask = async () => {
    attempts += 1;
    await clock.sleep(attemptMs, context.cancelled);
    return { endsPolling: false, number: attempts };
  };
  const last = await poll(ask, { deadline: clock.now() + 5_000, delayMs: 2_000 }, context);

  expect(attempts).toBe(expected);
  expect(last.number).toBe(expected);
});
