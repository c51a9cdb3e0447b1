import { describe, expect, test } from "@jest/globals";
import { findErrorLine } from "../../../../src/deploy/watch/logs/find-error-line.ts";
import { sourceFile } from "../../source/support/listing.ts";

const files = ["src/agent.py", "src/agent.ts", "langgraph.json"].map((path) => sourceFile(path));

function errorLineIn(lines: readonly string[], folder?: string) {
  const upload = folder === undefined ? undefined : { folder, files };
  return findErrorLine(lines, upload);
}

describe("the line of a log that says why", () => {
  test.each<[string, string[], string]>([
    ["is the last error", ["ValueError: a", "KeyError: 'b'", "done"], "KeyError: 'b'"],
    [
      "is not what ends every failed build",
      [
        "ModuleNotFoundError: No module named 'x'",
        "ERROR: process did not complete successfully: exit code: 1",
      ],
      "ModuleNotFoundError: No module named 'x'",
    ],
    [
      "is a compiler's error",
      ["src/agent.ts(7,20): error TS2304: Cannot find name 'x'", "Found 1 error."],
      "src/agent.ts(7,20): error TS2304: Cannot find name 'x'",
    ],
    [
      "is not a warning after it",
      ["a: TypeError: x", "WARNING: could not find a cache", "#9 1.2 npm warn cannot read y"],
      "a: TypeError: x",
    ],
    ["has the next line, if it ends with a colon", ["fatal: no way:", "  because"], "fatal: no way: because"],
    [
      "is any line that names an error, if none says why",
      ["Something failed here", "bye"],
      "Something failed here",
    ],
  ])("%s", (_what, lines, expected) => {
    expect(errorLineIn(lines).errorLine).toBe(expected);
  });

  test("is not known if no line names an error", () => {
    expect(errorLineIn(["Building", "Pushed the image"])).toEqual({});
  });
});

describe("the place in the upload that a log names", () => {
  test.each<[string, string[], number]>([
    ["in its line", ["src/agent.ts(7,20): error TS2304: no x"], 7],
    ["in a traceback above it", ['  File "src/agent.py", line 12, in <module>', "KeyError: 'x'"], 12],
    ["last, above it", ['File "src/agent.py", line 3', 'File "src/agent.py", line 12', "KeyError: 'x'"], 12],
    ["below /deps of the vendor's images", ['File "/deps/app/src/agent.py", line 12', "KeyError: 'x'"], 12],
  ])("is the one %s", (_what, lines, line) => {
    expect(errorLineIn(lines, "agents/a").place).toMatchObject({
      path: expect.stringMatching(/^agents\/a\/src\/agent\.(py|ts)$/),
      line,
    });
  });

  test.each<[string, string[]]>([
    ["a file that is not in the upload", ['File "src/other.py", line 12', "KeyError: 'x'"]],
    ["a file elsewhere on the builder", ['File "/usr/lib/src/agent.py", line 12', "KeyError: 'x'"]],
    ["a time", ["12:30 KeyError: 'x'"]],
  ])("is none if it is %s", (_what, lines) => {
    expect(errorLineIn(lines, ".").place).toBeUndefined();
  });

  test("is in the stack of JavaScript below the error, and not in a line before", () => {
    const stack = [
      "info: registered a route in langgraph.json:3",
      "Error: MODEL_API_KEY is missing",
      "    at load (node:internal/modules/run:12:3)",
      "    at makeModel (file:///deps/app/src/agent.ts:12:9)",
      "see src/agent.py:1",
    ];

    expect(errorLineIn(stack, "").place).toEqual({ path: "src/agent.ts", line: 12 });
    expect(errorLineIn(stack.slice(0, 3), "").place).toBeUndefined();
  });

  test("is none without an upload", () => {
    expect(errorLineIn(["src/agent.ts(7,20): error TS2304: no x"]).place).toBeUndefined();
  });
});
