import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { noRevisions } from "../../../src/deployment/attribution.ts";
import { lastLines, readFailureLog } from "../../../src/deployment/failure-log.ts";
import { redactorFor } from "../../../src/inputs/masks.ts";
import type { LogEntry } from "../../../src/platform/revision-log.ts";
import { hostileText } from "../../security/support/hostile-text.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { outputLines, parseCommand } from "../../support/runner/command-parser.ts";
import { type Script, scriptedPlatform } from "./support/scripted-platform.ts";

const entry = (message: string, others: Partial<LogEntry> = {}): LogEntry => ({
  id: undefined,
  at: undefined,
  level: undefined,
  message,
  ...others,
});

const withoutSecrets = redactorFor({});

function linesOfMessages(messages: readonly string[], redact = withoutSecrets): string[] {
  return lastLines(
    messages.map((message) => entry(message)),
    redact,
  );
}

test("lines start with time and level, as far as these are known", () => {
  const at = Date.parse("2026-03-02T09:08:07.654Z");
  const entries = [
    entry("a", { at, level: "INFO" }),
    entry("b", { at }),
    entry("c", { level: "x".repeat(99) }),
  ];

  expect(lastLines(entries, withoutSecrets)).toEqual([
    "09:08:07 INFO a",
    "09:08:07 b",
    `${"x".repeat(19)}… c`,
  ]);
});

test.each([
  ["several lines", "a\nb\r\nc", ["a", "b", "c"]],
  ["indented lines", "a\n  b\n\tc", ["a", "  b", "  c"]],
  ["blank lines, which are dropped", "\n \n\na\n\n", ["a"]],
  ["a progress bar, of which the last state is shown", " 1 %\r 50 %\r100 %\r\nb", ["100 %", "b"]],
  ["colours, which are dropped", "\u001b[31mred\u001b[0m", ["red"]],
  ["nothing visible", "\u200b\n \r\t", []],
])("an entry may have %s", (_what, message, lines) => {
  expect(linesOfMessages([message])).toEqual(lines);
});

test("the last 50 lines are shown, of however many entries, each cut", () => {
  const messages = Array.from({ length: 200 }, (_, index) => `${index}`);

  expect(linesOfMessages(messages)).toEqual(messages.slice(-50));
  expect(linesOfMessages([messages.join("\n")])).toEqual(messages.slice(-50));
  expect(linesOfMessages([...messages, "x\ny"])).toHaveLength(50);
  expect(linesOfMessages(["x".repeat(5_000_000)])).toEqual([`${"x".repeat(1999)}…`]);
});

const secret = "s3cr3t-of-more-than-a-few-letters";

test.each([
  ["in a message", `a ${secret} b`],
  ["in several places", `${secret}\n${secret}\t${secret}`],
  [
    "wherever a line is cut",
    Array.from({ length: 50 }, (_, index) => `${"x".repeat(1900 + index * 3)}${secret}`).join("\n"),
  ],
  ["over two lines", "a first line of two\nsecond line of two b"],
  ["in an entry that is no text", JSON.stringify({ env: { KEY: secret } })],
  ["in Base64", Buffer.from(secret).toString("base64")],
])("a secret is redacted %s", (_where, message) => {
  const redact = redactorFor({});
  redact.add([secret, "first line of two\nsecond line of two"]);

  const shown = linesOfMessages([message], redact).join("\n");

  expect(shown).toContain("***");
  expect(shown).not.toContain("second line");
  expect(shown).not.toContain(secret.slice(0, 6));
});

test("a secret is redacted as a level", () => {
  const redact = redactorFor({ INPUT_API_KEY: "TOKEN-12" });

  expect(lastLines([entry("a", { level: "TOKEN-12" })], redact)).toEqual(["*** a"]);
});

test("a line is one line without commands, whatever it contains", () => {
  fc.assert(
    fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (messages) => {
      for (const line of linesOfMessages(messages)) {
        expect(outputLines(`${line}\n`)).toHaveLength(1);
        expect(parseCommand(line, () => true)).toBeUndefined();
      }
    }),
    { numRuns: 200 },
  );
});

describe("the log of a failed deploy", () => {
  const path = "/revisions/ours/logs?type=deploy&limit=100&order=desc";
  const applied = {
    deploymentId: "agent",
    revisionId: "ours",
    writtenAt: 0,
    source: {},
    before: noRevisions,
    liveBefore: undefined,
  };

  async function read(script: Script) {
    const context = recordingContext({});
    const { settings, requests } = await scriptedPlatform({ [path]: script }, context);
    const failureLog = await readFailureLog(applied, "deploy", settings, context);
    return { failureLog, requests, lines: context.recorded.lines, events: context.recorded.events };
  }

  test("is read newest first with one request, and logged as a group", async () => {
    const { failureLog, requests, lines, events } = await read(() => ({ logs: ["  b", "a"] }));

    expect(failureLog).toEqual({ type: "deploy", lines: ["a", "  b"] });
    expect(Object.keys(requests)).toEqual([path]);
    expect(events).toEqual([{ kind: "failure_log_read", failureLog }]);
    expect(lines).toEqual([
      { kind: "group", text: "End of the deploy log" },
      { kind: "info", text: "a" },
      { kind: "info", text: "  b" },
      { kind: "endgroup", text: "" },
    ]);
  });

  test.each<[string, Script]>([
    ["is empty", () => ({ logs: [] })],
    ["shows nothing", () => ({ logs: [" \n"] })],
    ["can't be read", () => ({ code: 503 })],
  ])("is left out if it %s", async (_what, script) => {
    const { failureLog, requests, ...reported } = await read(script);

    expect(failureLog).toBeUndefined();
    expect(requests[path]).toHaveLength(1);
    expect(reported).toEqual({ lines: [], events: [] });
  });
});
