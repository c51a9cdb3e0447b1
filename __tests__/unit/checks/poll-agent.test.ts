import { expect, test } from "@jest/globals";
import { pollAgent } from "../../../src/checks/check.ts";
import { phrase } from "../../../src/text/message.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

test.each([
  ["is over during an attempt, which is the last then", 10_000, 1],
  ["is over between two attempts, with one more right then", 4_000, 2],
])("the time to poll %s", async (_when, attemptMs, expected) => {
  const clock = new VirtualClock();
  const context = recordingContext({}, clock);
  let attempts = 0;

  const last = await pollAgent(context, 5_000, phrase`Not yet`, async () => {
    attempts += 1;
    await clock.sleep(attemptMs, context.cancelled);
    return { endsPolling: false, description: phrase`no`, number: attempts };
  });

  expect(attempts).toBe(expected);
  expect(last.number).toBe(expected);
});
