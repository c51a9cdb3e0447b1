import { describe, expect, test } from "@jest/globals";
import type { Ending } from "../../../src/ending.ts";
import { type Observer, RunReport } from "../../../src/report/run-report.ts";
import { recordingContext } from "../../support/recording-context.ts";

const redact = {
  ...recordingContext({}).redact,
  text: (text: string) => text.replaceAll("secret", "(text)"),
  value: (text: string) => text.replaceAll("secret", "(value)"),
};

function newReport(): RunReport {
  return new RunReport({ ...recordingContext({}), redact });
}

const ending: Ending = { outcome: "failed", headline: "It failed." };

/** An observer that records the names of its calls. */
function recorder(calls: string[], name: string): Observer {
  return {
    onEvent: async ({ kind }) => {
      await Promise.resolve();
      calls.push(`${name} ${kind}`);
    },
    beforeEnd: () => void calls.push(`${name} ending`),
    onEnd: async () => {
      await Promise.resolve();
      calls.push(`${name} end`);
    },
  };
}

describe("observers of a run", () => {
  test("get each event one after the other, and all know the ending before the first reports it", async () => {
    const calls: string[] = [];
    const report = newReport();
    report.observe(recorder(calls, "a"), recorder(calls, "b"));

    await report.emit({ kind: "write_sent", at: 1 });
    await report.end(ending);

    expect(calls).toEqual(["a write_sent", "b write_sent", "a ending", "b ending", "a end", "b end"]);
  });

  test("get a state without secrets, while the run keeps it as it is", async () => {
    const report = newReport();
    const states: (string | undefined)[] = [];
    const note = (stage: string | undefined) => void states.push(stage);
    report.observe({
      onEvent: (_event, { stage }) => note(stage),
      beforeEnd: ({ stage }) => note(stage),
      onEnd: ({ stage }) => note(stage),
    });

    await report.emit({ kind: "stage_changed", stage: "a secret" });
    await report.end(ending);

    expect(states).toEqual(Array(3).fill("a (text)"));
    expect(report.state.stage).toBe("a secret");
  });

  test("get every part of the ending without secrets, and cut", async () => {
    const report = newReport();
    const endings: Ending[] = [];
    report.observe({
      beforeEnd: (_state, shown) => void endings.push(shown),
      onEnd: (_state, shown) => void endings.push(shown),
    });

    await report.end({
      outcome: "failed",
      headline: "a secret",
      details: ["a secret", "x".repeat(3001)],
      hint: "a secret",
      findings: ["a secret", "x".repeat(3001)],
    });

    const parts = ["a (text)", `${"x".repeat(2999)}…`];
    expect(endings).toEqual(
      Array(2).fill({
        outcome: "failed",
        headline: "a (text)",
        details: parts,
        hint: "a (value)",
        findings: parts,
      }),
    );
  });

  test("are all called at the end, even if some fail, of which the first error is thrown", async () => {
    const calls: string[] = [];
    const failing = (message: string): Observer => ({ onEnd: () => Promise.reject(new Error(message)) });
    const report = newReport();
    report.observe(failing("one"), recorder(calls, "a"), failing("two"), recorder(calls, "b"));

    await expect(report.end(ending)).rejects.toThrow("one");

    expect(calls).toEqual(["a ending", "b ending", "a end", "b end"]);
  });
});

test("a report starts now, without observers, who may observe only what they need", async () => {
  const context = recordingContext({});
  const report = new RunReport({ ...context, redact });
  expect(report.hasObservers).toBe(false);
  const endings: Ending[] = [];

  report.observe({}, { onEnd: (_state, shown) => void endings.push(shown) });
  await report.emit({ kind: "write_sent", at: 1 });
  await report.end(ending);

  expect(report.hasObservers).toBe(true);
  expect(report.state).toMatchObject({ startedAt: context.clock.now(), writtenAt: 1 });
  expect(endings).toStrictEqual([{ ...ending, details: [], findings: [] }]);
});
