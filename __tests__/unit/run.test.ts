import { describe, expect, test } from "@jest/globals";
import type { Ports } from "../../src/ports.ts";
import { run } from "../../src/run.ts";
import { type RecordingPorts, recordingPorts } from "../support/recording-ports.ts";
import { parseCommand } from "../support/runner/command-parser.ts";

function linesOf(ports: RecordingPorts, kind: string): string[] {
  return ports.recorded.lines.filter((line) => line.kind === kind).map(({ text }) => text);
}

test("a run that can't go on ends as failed, told to everyone", async () => {
  const ports = recordingPorts({});
  expect(await run("deploy", "main", ports)).toBe(false);
  expect(ports.recorded.outputs.outcome).toBe("failed");
  expect(ports.recorded.summary).toContain("❌ Deployment: failed");
  expect(linesOf(ports, "error").join("\n")).toContain("Input control_plane_url has to be given.");
});

describe("if a report can't be written, the others are, and the step fails with an annotation", () => {
  const full = () => {
    throw new Error("No space left on device");
  };
  const failing: [string, (ports: RecordingPorts) => Partial<Ports>][] = [
    ["the summary", ({ files }) => ({ files: { ...files, appendSummary: async () => full() } })],
    ["an output", ({ files }) => ({ files: { ...files, setOutput: full } })],
  ];
  test.each(failing)("%s", async (_what, broken) => {
    const ports = recordingPorts({});
    expect(await run("deploy", "main", { ...ports, ...broken(ports) })).toBe(false);
    const errors = linesOf(ports, "error");
    expect(errors.join("\n")).toContain("Input control_plane_url has to be given.");
    expect(errors.at(-1)).toContain("No space left on device");
    expect(ports.recorded.summary + JSON.stringify(ports.recorded.outputs)).toContain("failed");
  });
});

describe("a defect of the action ends it as failed, with where it is", () => {
  test.each<[string, unknown, string]>([
    ["an error", new TypeError("x is not a function"), "x is not a function"],
    ["what is no error", "just text", "Something that is no error was thrown: just text"],
    ["undefined", undefined, "Something that is no error was thrown: undefined"],
  ])("%s", async (_what, thrown, words) => {
    const ports = recordingPorts({});
    const mask = () => {
      throw thrown;
    };
    const env = { INPUT_API_KEY: "some-key" };
    expect(await run("deploy", "main", { ...ports, env, log: { ...ports.log, mask } })).toBe(false);
    expect(linesOf(ports, "error")).toEqual([
      `This action has a defect: ${words} Please report it with the log of this step.`,
    ]);
    expect(linesOf(ports, "group")).toEqual(["Where the defect is"]);
    for (const line of linesOf(ports, "info")) {
      expect(line).not.toMatch(/[\r\n]/);
      expect(parseCommand(line, () => true)).toBeUndefined();
    }
  });
});
