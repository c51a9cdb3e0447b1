import { describe, expect, test } from "@jest/globals";
import { readRevisionOptions } from "../../../src/inputs/read-revision-options.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts, breakingChanges: "fail" | "warn" = "fail") =>
  reading(inputs, (reader) => readRevisionOptions(reader, breakingChanges).checks);

describe("a breaking change", () => {
  const gateOf = (inputs: Texts, breakingChanges: "fail" | "warn") =>
    read({ compare_with: "staging", ...inputs }, breakingChanges).result.compare;

  test.each<["fail" | "warn", Texts, boolean]>([
    ["fail", {}, true],
    ["warn", {}, false],
    ["fail", { breaking_changes: "warn" }, false],
    ["warn", { breaking_changes: "fail" }, true],
  ])("has the effect %s of the action, unless %j says otherwise", (effect, inputs, isGate) => {
    expect(gateOf(inputs, effect)).toMatchObject({ comparedWith: "staging", isGate });
  });
});

test("a gate must have something to compare with, because an empty variable would open it", () => {
  expect(read({ compare_with: " ", breaking_changes: "fail" }).problems).toEqual([
    problem("compare_with", "is missing or empty, although breaking_changes is fail"),
  ]);
  expect(read({ compare_with: " ", breaking_changes: "warn" }).problems).toEqual([]);
});

describe("the path of a health check", () => {
  test.each([
    ...["/", "/ok", "/a/b.c/..d/", "/a../b", "/ok?to=//x/../y", "/@user:x", "/%E2%9C%93", "/...", "/a//b"],
  ])("may be %s", (path) => {
    expect(read({ health_check_path: path }).problems).toEqual([]);
  });

  const start = "must be a path that starts with exactly one /, such as /ok";
  const characters = "must not contain a space, a \\, a # or a non-ASCII character (percent-encode it)";
  const dots = "must not contain the segments . or ..";
  test.each([
    ["ok", start],
    ["https://evil.example/", start],
    ["@evil.example/", start],
    ["//evil.example/", start],
    ["\\\\evil.example", start],
    ["/\\evil.example/", characters],
    ["/a\\..\\b", characters],
    ["/ok#part", characters],
    ["/a b", characters],
    ["/a\nb", characters],
    ["/a\u0000b", characters],
    ["/✓", characters],
    ["/a/../../b", dots],
    ["/..", dots],
    ["/.", dots],
    ["/a/%2e%2E/b", dots],
    ["/a/.%2e", dots],
    ["/a%2f..%2fb", dots],
    ["/a%5C..", dots],
    ["/..?x", dots],
  ])("cannot be %j: it %s", (path, fact) => {
    expect(read({ health_check_path: path }).problems).toEqual([problem("health_check_path", fact)]);
  });
});
