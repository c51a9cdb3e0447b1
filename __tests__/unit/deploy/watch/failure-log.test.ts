import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { showFailureLog } from "../../../../src/deploy/watch/failure-log.ts";
import { toLogLines } from "../../../../src/deploy/watch/log-lines.ts";
import { redactorFor } from "../../../../src/inputs/masks.ts";
import { platforms, standard } from "../../../../src/platform/platforms.ts";
import type { LogEntry } from "../../../../src/platform/revision-log.ts";
import { classifyStatus } from "../../../../src/platform/status.ts";
import { Renderer } from "../../../../src/report/renderer.ts";
import type { RunRedactor } from "../../../../src/text/redact.ts";
import { hostileText } from "../../../security/support/hostile-text.ts";
import { recordingContext } from "../../../support/recording-context.ts";
import { outputLines, parseCommand } from "../../../support/runner/command-parser.ts";
import { type Script, scriptedPlatform } from "../support/scripted-platform.ts";
import { ours, watchOptions } from "../support/watching.ts";

const entry = (message: string, others: Partial<LogEntry> = {}): LogEntry => ({
  id: undefined,
  at: undefined,
  level: undefined,
  message,
  ...others,
});

const withoutSecrets = redactorFor({});

/** The end of a log as the step's log shows it. */
function lastLines(entries: readonly LogEntry[], redact: RunRedactor): string[] {
  return new Renderer(redact).endOfLog(toLogLines(entries), 50, 2000);
}

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
    entry("c", { level: "a level of nobody's" }),
  ];

  expect(lastLines(entries, withoutSecrets)).toEqual(["09:08:07 INFO a", "09:08:07 b", "c"]);
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

test("a secret that one entry begins and the next one ends is redacted in both", () => {
  const redact = redactorFor({ INPUT_API_KEY: secret });
  const at = Date.parse("2026-03-02T09:08:07.654Z");
  const entries = [entry("a s3cr3t-of-more-", { at }), entry("than-a-few-letters b", { at })];

  expect(lastLines(entries, redact)).toEqual(["09:08:07 a ***", "09:08:07 *** b"]);
});

test("the end of a secret is redacted if its start stands before the lines that are shown", () => {
  const redact = redactorFor({ INPUT_API_KEY: secret });
  const lines = ["s3cr3t-of-more-", "than-a-few-letters", ...Array<string>(49).fill("x")];

  expect(linesOfMessages(lines, redact)[0]).toBe("***");
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

  async function show(script: Script, buildLog: "failure" | "off" = "failure") {
    const context = recordingContext({});
    const { controlPlane, requests, ...platform } = await scriptedPlatform({ [path]: script }, context);
    const settings = { ...platform.settings, platform: platforms.langsmith ?? standard };
    const job = { ...context, controlPlane, settings, options: { ...watchOptions, buildLog } };
    const shown = await showFailureLog(job, ours, classifyStatus("DEPLOY_FAILED"), undefined);
    return { shown, requests, lines: context.recorded.lines, log: context.report.facts.failureLog };
  }

  test("is read newest first with one request, and logged as a group", async () => {
    const { shown, requests, lines, log } = await show(() => ({ logs: ["  b", "a"] }));

    expect(shown).toEqual(log);
    expect(log).toMatchObject({ type: "deploy", lines: [{ text: "a" }, { text: "  b" }] });
    expect(Object.keys(requests)).toEqual([path]);
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
    const { shown, requests, lines, log } = await show(script);

    expect(requests[path]).toHaveLength(1);
    expect({ shown, lines, log }).toEqual({ shown: undefined, lines: [], log: undefined });
  });

  test("is not requested with build_log: off", async () => {
    const { shown, requests } = await show(() => ({ logs: ["a"] }), "off");

    expect({ shown, requests }).toEqual({ shown: undefined, requests: {} });
  });
});
