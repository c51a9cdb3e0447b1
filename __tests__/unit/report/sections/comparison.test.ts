import { expect, test } from "@jest/globals";
import { changesOutput } from "../../../../src/report/sections/comparison.ts";
import { text } from "../../../../src/text/message.ts";
import { plainRenderer } from "../support/plain-renderer.ts";

test("contract_changes stays below a megabyte", () => {
  const long = "x".repeat(10_000);
  const change = {
    graph: long,
    kind: "node",
    severity: "note",
    path: long,
    message: text`Gone.`,
    threadCount: 0,
  } as const;
  const changes = Array.from({ length: 5000 }, () => change);

  const output = changesOutput(changes, plainRenderer);

  expect(Buffer.byteLength(output)).toBeLessThan(1_000_000);
});

test.each([
  [499, 499, undefined],
  [500, 500, undefined],
  [501, 500, "2 more changes are left out."],
  [4000, 500, "3,501 more changes are left out."],
])(
  "of %i changes, contract_changes has %i items, the last of which counts the others",
  (all, shown, message) => {
    const changes = Array.from({ length: all }, (_, index) => ({
      graph: "agent",
      kind: "node" as const,
      severity: "breaking" as const,
      path: `n${index}`,
      message: text`Gone.`,
      threadCount: 1,
    }));

    const items = JSON.parse(changesOutput(changes, plainRenderer));

    expect(items).toHaveLength(shown);
    const last =
      message === undefined ? { path: `n${all - 1}` } : { path: "", breaking: true, threads: 0, message };
    expect(items.at(-1)).toMatchObject(last);
  },
);
