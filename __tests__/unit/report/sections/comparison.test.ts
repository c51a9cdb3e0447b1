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
    threads: 0,
  } as const;
  const changes = Array.from({ length: 5000 }, () => change);

  const output = changesOutput(changes, plainRenderer);

  expect(Buffer.byteLength(output)).toBeLessThan(1_000_000);
});
