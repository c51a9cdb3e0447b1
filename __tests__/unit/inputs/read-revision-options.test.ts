import { describe, expect, test } from "@jest/globals";
import { readRevisionOptions } from "../../../src/inputs/read-revision-options.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading(inputs, readRevisionOptions);

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
