import { describe, expect, test } from "@jest/globals";
import type { Effects } from "../../src/context.ts";
import { run } from "../../src/run.ts";
import { type RecordingContext, recordingContext } from "../support/recording-context.ts";
import { parseCommand } from "../support/runner/command-parser.ts";
import { serve } from "../support/serve.ts";

function linesOf({ recorded }: RecordingContext, kind: string): string[] {
  return recorded.lines.filter((line) => line.kind === kind).map(({ text }) => text);
}

test("the hint for several problems is in the line before their annotations, and in those that it is for", async () => {
  const context = recordingContext({ INPUT_WAIT: "maybe", INPUT_CREATE: "perhaps" });

  expect(await run("deploy", "main", context)).toBe(false);

  const corrections = linesOf(context, "info").filter((line) => line.includes("Correct "));
  expect(corrections).toEqual([expect.stringMatching(/Correct .*wait.* in the step's with: block\.$/)]);
  const errors = linesOf(context, "error");
  expect(errors.length).toBeGreaterThan(1);
  for (const error of errors) {
    expect(error.includes("secret or variable")).toBe(/is missing or empty|must be set/.test(error));
    expect(error).not.toContain("Correct ");
  }
});

describe("a report that can't be written", () => {
  const fail = () => {
    throw new Error("No space left on device");
  };

  test.each<[string, (context: RecordingContext) => Partial<Effects>]>([
    ["the summary", ({ files }) => ({ files: { ...files, appendSummary: fail } })],
    ["an output", ({ files }) => ({ files: { ...files, setOutput: fail } })],
  ])("(%s) fails the step with an annotation of its own, after that of the error", async (_what, broken) => {
    const context = recordingContext({});

    expect(await run("deploy", "main", { ...context, ...broken(context) })).toBe(false);

    const errors = linesOf(context, "error");
    expect(errors.join("\n")).toContain("control_plane_url");
    expect(errors.at(-1)).toMatch(/^Internal error: "No space left on device"\./);
  });
});

test("an internal error shows no value of a secret that the platform showed", async () => {
  const value = "value-of-a-secret-of-the-deployment";
  const deployment = { id: "d", status: "AWAITING_DELETE", secrets: [{ name: "KEY", value }] };
  const context = recordingContext({
    INPUT_CONTROL_PLANE_URL: await serve((_request, response) => response.end(JSON.stringify(deployment))),
    INPUT_API_KEY: "some-key",
    INPUT_WORKSPACE_ID: "workspace",
    INPUT_DEPLOYMENT_ID: "d",
    INPUT_REPO_REF: "main",
  });
  const appendSummary = () => {
    throw new Error(`could not write ${value}`);
  };

  expect(await run("deploy", "main", { ...context, files: { ...context.files, appendSummary } })).toBe(false);

  expect(linesOf(context, "error")).toEqual([
    expect.stringContaining("is being deleted"),
    expect.stringMatching(/^Internal error: "could not write \*\*\*"\./),
  ]);
  expect(JSON.stringify(context.recorded)).not.toContain(value);
});

test.each<[string, unknown, string]>([
  ["an error", new TypeError("x is not a function"), "x is not a function"],
  ["text", "just text", "just text"],
  ["undefined", undefined, "undefined"],
])("a bug that throws %s fails the run, and its stack is logged", async (_what, thrown, fact) => {
  const context = recordingContext({ INPUT_API_KEY: "some-key" });
  const get = () => {
    throw thrown;
  };
  const effects = Object.defineProperty({ ...context }, "files", { get, enumerable: true });

  expect(await run("deploy", "main", effects)).toBe(false);

  expect(linesOf(context, "error")).toEqual([
    expect.stringMatching(`^Internal error: ".*${fact}"\\. .*report it`),
  ]);
  expect(linesOf(context, "group")).toHaveLength(1);
  const stack = linesOf(context, "info");
  expect(stack[0]).toContain(fact);
  for (const line of stack) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(parseCommand(line, () => true)).toBeUndefined();
  }
});

describe("a bug before a run has a report", () => {
  const quoted = "some-key-of-a-user";
  const bug = new TypeError(`x is not a function of ${quoted}`);
  const crash = () => {
    throw bug;
  };

  test("fails the run, and its stack is logged without secrets", async () => {
    const context = recordingContext({ INPUT_API_KEY: quoted });
    const effects = Object.defineProperty({ ...context }, "files", { get: crash, enumerable: true });

    expect(await run("deploy", "main", effects)).toBe(false);

    expect(linesOf(context, "error")).toEqual([
      'Internal error: "x is not a function of ***". This is a bug of this action. Please report it with this log.',
    ]);
    expect(linesOf(context, "info")[0]).toBe("TypeError: x is not a function of ***");
    expect(JSON.stringify(context.recorded.lines)).not.toContain(quoted);
  });

  test("fails the run without its message if the secrets are not known", async () => {
    const context = recordingContext({});
    const env = new Proxy({}, { get: crash });

    expect(await run("deploy", "main", { ...context, env })).toBe(false);

    expect(linesOf(context, "error")).toEqual([
      expect.stringMatching(/^Internal error: TypeError before the secrets .* Please report it/),
    ]);
    expect(JSON.stringify(context.recorded)).not.toContain(quoted);
  });
});

test("the post step succeeds, even if there is nothing to clean up or the inputs are wrong", async () => {
  expect(await run("deploy", "post", recordingContext({}))).toBe(true);
  expect(await run("deploy", "post", recordingContext({ INPUT_REQUEST_TIMEOUT_SECONDS: "soon" }))).toBe(true);
});

test("a line for step debugging shows no secret that is encoded in a URL", async () => {
  const address = await serve((_request, response) => response.end());
  const context = recordingContext({
    INPUT_DEPLOYMENT_URL: address,
    INPUT_AGENT_HEADERS: "X-Key: a key with blanks",
    INPUT_HEALTH_CHECK_PATH: "/health/a%20key%20with%20blanks",
  });

  expect(await run("check", "main", context)).toBe(true);

  expect(context.recorded.debug).toContainEqual(expect.stringMatching(/^GET \/health\/\*\*\* 200 \d+ ms$/));
  expect(context.recorded.debug.join()).not.toContain("blanks");
});
