import { expect, test } from "@jest/globals";
import { toLogLines } from "../../../../src/deploy/watch/log-lines.ts";
import { redactorFor } from "../../../../src/inputs/masks.ts";
import type { LogEntry } from "../../../../src/platform/logs.ts";
import { Renderer } from "../../../../src/report/renderer.ts";
import type { RunRedactor } from "../../../../src/text/redact.ts";

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
