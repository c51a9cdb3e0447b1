import { expect, test } from "@jest/globals";
import { changesOutput } from "../../../../src/report/sections/comparison.ts";
import { text } from "../../../../src/text/message.ts";
import { recordingContext } from "../../../support/recording-context.ts";

test("the output of a comparison has at most 500 changes, so that it can be passed on", () => {
  const change = { graph: "g", kind: "input", severity: "breaking", path: "", threadCount: 0 } as const;
  const changes = Array.from({ length: 501 }, () => ({ ...change, message: text`Changed.` }));
  const facts = { kind: "comparison", name: "other", durationMs: 0, message: text`Compared.` } as const;

  const output = changesOutput(
    [{ ...facts, verdict: "passed", changes }],
    recordingContext({}).report.render,
  );

  expect(JSON.parse(output ?? "")).toHaveLength(500);
});
