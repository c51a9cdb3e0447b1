import { expect, test } from "@jest/globals";
import { changesOutput } from "../../../../src/report/sections/comparison.ts";
import { phrase, text } from "../../../../src/text/message.ts";
import { recordingContext } from "../../../support/recording-context.ts";

test("the output of a comparison has as many changes as fit in a variable of Linux, which has 128 KiB", () => {
  const change = {
    graph: "💥".repeat(100),
    kind: "input",
    severity: "breaking",
    path: "",
    threadCount: 0,
  } as const;
  const changes = Array.from({ length: 600 }, (_value, index) => ({
    ...change,
    message: text`Change ${index}.`,
  }));
  const facts = {
    kind: "comparison",
    name: "other",
    durationMs: 0,
    description: phrase`no breaking change`,
  } as const;

  const output = changesOutput(
    [{ ...facts, verdict: "passed", changes }],
    recordingContext({}).report.render,
  );

  expect(Buffer.byteLength(`contract_changes=${output}`)).toBeLessThan(128 * 1024);
  const items: readonly { readonly message: string }[] = JSON.parse(output ?? "");
  expect(items.length).toBeGreaterThan(200);
  expect(items.map(({ message }) => message)).toEqual(items.map((_item, index) => `Change ${index}.`));
});
