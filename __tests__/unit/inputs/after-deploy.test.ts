import { describe, expect, test } from "@jest/globals";
import { readAfterDeploy } from "../../../src/inputs/after-deploy.ts";
import { reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts, waits = true) => reading(inputs, (reader) => readAfterDeploy(reader, waits));
const nothing = { verifyCommit: false, healthCheck: undefined, rollsBack: false, interruptsOnCancel: false };

const empty = {
  verify_commit: "",
  health_check_path: " ",
  health_check_timeout_seconds: "",
  allow_http: "\n",
  rollback_on_failure: " ",
  on_cancel: "",
};

test.each<[string, Texts]>([
  ["any of them", {}],
  ["any that isn't empty", empty],
  [
    "any that asks for something",
    { verify_commit: "false", rollback_on_failure: "false", on_cancel: "leave" },
  ],
])("without %s nothing is to be done, whether the run waits or not", (_what, inputs) => {
  expect(read(inputs)).toEqual({ result: nothing, problems: [], remarks: [] });
  expect(read(inputs, false)).toEqual({ result: nothing, problems: [], remarks: [] });
});

test("all of them", () => {
  const inputs = {
    verify_commit: "true",
    health_check_path: " /ok ",
    health_check_timeout_seconds: "2.5",
    allow_http: "true",
    rollback_on_failure: "true",
    on_cancel: "interrupt",
  };
  expect(read(inputs)).toEqual({
    result: {
      verifyCommit: true,
      healthCheck: { path: "/ok", timeoutMs: 2500, allowHttp: true },
      rollsBack: true,
      interruptsOnCancel: true,
    },
    problems: [],
    remarks: [],
  });
});

test("a health check lasts a minute and asks no plain http address, where nothing else is said", () => {
  const { result } = read({ ...empty, health_check_path: "/ok" });
  expect(result.healthCheck).toEqual({ path: "/ok", timeoutMs: 60_000, allowHttp: false });
});

describe("the path of a health check", () => {
  test.each([
    "/",
    "/ok",
    "/a/b.c/..d/",
    "/a../b",
    "/ok?to=//x/../y",
    "/@user:x",
    "/%E2%9C%93",
    "/...",
    "/a//b",
  ])("%s is fine", (path) => {
    expect(read({ health_check_path: path }).problems).toEqual([]);
  });

  const start = "has to start with one /, such as /ok";
  const characters = "must not hold a blank, a \\, a # or a character beyond ASCII (encode it with %)";
  const dots = "must not hold . or .. between two /";
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
  ])("%j is refused: it %s", (path, problem) => {
    expect(read({ health_check_path: path }).problems).toEqual([`Input health_check_path ${problem}.`]);
  });
});

test("everything that is wrong is told at once", () => {
  const inputs = {
    verify_commit: "yes",
    health_check_path: "ok",
    health_check_timeout_seconds: "soon",
    allow_http: "no",
    rollback_on_failure: "on",
    on_cancel: "Interrupt",
  };
  expect(read(inputs).problems).toEqual([
    'Input verify_commit has to be true or false, not "yes".',
    'Input health_check_timeout_seconds has to be a number of seconds above 0 and up to 86400, not "soon".',
    "Input health_check_path has to start with one /, such as /ok.",
    'Input allow_http has to be true or false, not "no".',
    'Input rollback_on_failure has to be true or false, not "on".',
    'Input on_cancel has to be leave or interrupt, not "Interrupt".',
  ]);
});

test("what needs a run that waits is told of one that doesn't, all of it", () => {
  const inputs = { verify_commit: "true", health_check_path: "/ok", rollback_on_failure: "true" };
  const needsWait = "needs wait: true, because only then it is known how the revision ends";
  expect(read(inputs, false).problems).toEqual(
    Object.keys(inputs).map((input) => `Input ${input} ${needsWait}.`),
  );
});

test("a run that doesn't wait may stop a revision where it is cancelled", () => {
  const { result, problems } = read({ on_cancel: "interrupt" }, false);
  expect(problems).toEqual([]);
  expect(result).toEqual({ ...nothing, interruptsOnCancel: true });
});
