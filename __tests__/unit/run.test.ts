import { describe, expect, test } from "@jest/globals";
import type { Context } from "../../src/context.ts";
import { run } from "../../src/run.ts";
import { type RecordingContext, recordingContext } from "../support/recording-context.ts";
import { parseCommand } from "../support/runner/command-parser.ts";

function linesOf(context: RecordingContext, kind: string): string[] {
  return context.recorded.lines.filter((line) => line.kind === kind).map(({ text }) => text);
}

test("a run that can't go on ends as failed, told to everyone", async () => {
  const context = recordingContext({});
  expect(await run("deploy", "main", context)).toBe(false);
  expect(context.recorded.outputs.outcome).toBe("failed");
  expect(context.recorded.summary).toContain("❌ Deployment: failed");
  expect(linesOf(context, "error").join("\n")).toContain("Input control_plane_url has to be given.");
});

describe("if a report can't be written, the others are, and the step fails with an annotation", () => {
  const full = () => {
    throw new Error("No space left on device");
  };
  const failing: [string, (context: RecordingContext) => Partial<Context>][] = [
    ["the summary", ({ files }) => ({ files: { ...files, appendSummary: async () => full() } })],
    ["an output", ({ files }) => ({ files: { ...files, setOutput: full } })],
  ];
  test.each(failing)("%s", async (_what, broken) => {
    const context = recordingContext({});
    expect(await run("deploy", "main", { ...context, ...broken(context) })).toBe(false);
    const errors = linesOf(context, "error");
    expect(errors.join("\n")).toContain("Input control_plane_url has to be given.");
    expect(errors.at(-1)).toContain("No space left on device");
    expect(context.recorded.summary + JSON.stringify(context.recorded.outputs)).toContain("failed");
  });
});

describe("a defect of the action ends it as failed, with where it is", () => {
  test.each<[string, unknown, string]>([
    ["an error", new TypeError("x is not a function"), "x is not a function"],
    ["what is no error", "just text", "Something that is no error was thrown: just text"],
    ["undefined", undefined, "Something that is no error was thrown: undefined"],
  ])("%s", async (_what, thrown, words) => {
    const context = recordingContext({});
    const mask = () => {
      throw thrown;
    };
    const env = { INPUT_API_KEY: "some-key" };
    expect(await run("deploy", "main", { ...context, env, log: { ...context.log, mask } })).toBe(false);
    expect(linesOf(context, "error")).toEqual([
      `This action has a defect: ${words} Please report it with the log of this step.`,
    ]);
    expect(linesOf(context, "group")).toEqual(["Where the defect is"]);
    for (const line of linesOf(context, "info")) {
      expect(line).not.toMatch(/[\r\n]/);
      expect(parseCommand(line, () => true)).toBeUndefined();
    }
  });
});
