import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LogEntry } from "../../../src/platform/revision-log.ts";
import type { FailureLog } from "../../../src/progress/facts.ts";
import {
  failureLogForComment,
  failureLogOf,
  failureLogSection,
  tellFailureLog,
} from "../../../src/report/failure-log.ts";
import { createRedactor } from "../../../src/text/redact.ts";
import { hostileText } from "../../injection/support/hostile-text.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { outputLines, parseCommand } from "../../support/runner/command-parser.ts";
import { elements, outsideCode } from "../support/rendered.ts";

const asItIs = (text: string) => text;

function entry(message: string, others: Partial<LogEntry> = {}): LogEntry {
  return { at: undefined, level: undefined, message, ...others };
}

function linesOf(messages: readonly string[], redact = asItIs): readonly string[] {
  return (
    failureLogOf(
      "build",
      messages.map((message) => entry(message)),
      redact,
    )?.lines ?? []
  );
}

describe("lines", () => {
  test("begin with the time and the level where these are known", () => {
    const at = Date.parse("2026-03-02T09:08:07.654Z");
    const entries = [
      entry("a", { at, level: "INFO" }),
      entry("b", { at }),
      entry("c", { level: "x".repeat(99) }),
    ];
    expect(failureLogOf("build", entries, asItIs)?.lines).toEqual([
      "09:08:07 INFO a",
      "09:08:07 b",
      `${"x".repeat(19)}… c`,
    ]);
  });

  test.each([
    ["several in an entry", "a\nb\r\nc", ["a", "b", "c"]],
    ["indented ones", "a\n  b\n\tc", ["a", "  b", "  c"]],
    ["none for blank ones", "\n \n\na\n\n", ["a"]],
    ["of one that is drawn anew, the last state", " 1 %\r 50 %\r100 %\r\nb", ["100 %", "b"]],
    ["without colours", "\u001b[31mred\u001b[0m", ["red"]],
    ["nothing", "\u200b\n \r\t", []],
  ])("are %s", (_what, message, lines) => {
    expect(linesOf([message])).toEqual(lines);
  });

  test("are the last 50, of however many entries", () => {
    const messages = Array.from({ length: 200 }, (_, index) => `${index}`);
    expect(linesOf(messages)).toEqual(messages.slice(-50));
    expect(linesOf([messages.join("\n")])).toEqual(messages.slice(-50));
    expect(linesOf([...messages, "x\ny"])).toHaveLength(50);
  });

  test("are cut", () => {
    expect(linesOf(["x".repeat(5_000_000)])).toEqual([`${"x".repeat(1999)}…`]);
  });
});

describe("secrets", () => {
  const secret = "s3cr3t-of-more-than-a-few-letters";
  const secrets = [secret, "first line of two\nsecond line of two"];

  test.each([
    ["in a message", `a ${secret} b`],
    ["in several places", `${secret}\n${secret}\t${secret}`],
    [
      "at each place where a line may be cut",
      Array.from({ length: 50 }, (_, index) => `${"x".repeat(1900 + index * 3)}${secret}`).join("\n"),
    ],
    ["over two lines", "a first line of two\nsecond line of two b"],
    ["in an item that is no text", JSON.stringify({ env: { KEY: secret } })],
    ["in Base64", Buffer.from(secret).toString("base64")],
  ])("are hidden %s", (_where, message) => {
    const shown = linesOf([message], createRedactor(secrets)).join("\n");
    expect(shown).toContain("***");
    for (let length = 6; length <= secret.length; length++)
      expect(shown).not.toContain(secret.slice(0, length));
    expect(shown).not.toContain("second line");
  });

  test("are hidden as a level", () => {
    const log = failureLogOf("build", [entry("a", { level: "TOKEN-12" })], createRedactor(["TOKEN-12"]));
    expect(log?.lines).toEqual(["*** a"]);
  });
});

test("of entries that say nothing there is no log", () => {
  expect(failureLogOf("build", [], asItIs)).toBeUndefined();
  expect(failureLogOf("build", [entry(" \n")], asItIs)).toBeUndefined();
});

test("the job's log has it in a group, all of it", () => {
  const { log, recorded } = recordingContext({});
  tellFailureLog({ type: "deploy", lines: ["a", "  b"] }, log);
  expect(recorded.lines).toEqual([
    { kind: "group", text: "The end of the deploy log" },
    { kind: "info", text: "a" },
    { kind: "info", text: "  b" },
    { kind: "endgroup", text: "" },
  ]);
});

test("summary and comment have less of it, as code", () => {
  const lines = Array.from({ length: 50 }, (_, index) => `${index} ${"x".repeat(1000)}`);
  const log: FailureLog = { type: "build", lines };
  const cut = (length: number) => (line: string) => `${line.slice(0, length - 1)}…`;
  expect(failureLogSection(log).split("\n")).toEqual([
    "### The end of the build log",
    "",
    "```text",
    ...lines.slice(-20).map(cut(500)),
    "```",
  ]);
  expect(failureLogForComment(log).split("\n")).toEqual([
    "**The end of the build log:**",
    "",
    "```text",
    ...lines.slice(-8).map(cut(200)),
    "```",
  ]);
});

test("nothing of it is live, whatever it holds", () => {
  const line = fc.oneof(
    hostileText,
    fc.constantFrom(
      "```",
      "````text",
      "~~~",
      "</details>",
      "<img src=x>",
      "@octocat #1",
      "[a](b)",
      "# a",
      "<!-- -->",
    ),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (messages) => {
      const log = failureLogOf("build", [entry("always"), ...messages.map((text) => entry(text))], asItIs);
      if (log === undefined) throw new Error("there is always a line");
      for (const shown of log.lines) {
        expect(outputLines(`${shown}\n`)).toHaveLength(1);
        expect(parseCommand(shown, () => true)).toBeUndefined();
      }
      for (const markdown of [failureLogSection(log), failureLogForComment(log)]) {
        expect(
          outsideCode(`${markdown}\n\nafter`)
            .replace(/<[^>]*>/g, "")
            .replace(/\s+/g, " ")
            .trim(),
        ).toMatch(/^The end of the build log:? after$/);
        expect(elements(markdown).filter((name) => !["h3", "p", "pre", "strong"].includes(name))).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );
});
