import { describe, expect, test } from "@jest/globals";
import { readAfterDeploy } from "../../../src/inputs/after-deploy.ts";
import { InputErrors } from "../../../src/inputs/errors.ts";
import { InputReader } from "../../../src/inputs/reader.ts";
import { recordingPorts } from "../../support/recording-ports.ts";

function read(inputs: Readonly<Record<string, string>>, waits = true) {
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const reader = new InputReader(Object.fromEntries(variables));
  return { after: readAfterDeploy(reader, waits), finish: () => reader.finish(recordingPorts({}).log) };
}

function refused(inputs: Readonly<Record<string, string>>, waits = true): string {
  try {
    read(inputs, waits).finish();
  } catch (error) {
    if (error instanceof InputErrors) return [error.message, ...error.items].join(" ");
    throw error;
  }
  return "";
}

test("without any of them nothing is to be done", () => {
  const { after, finish } = read({});
  expect(finish).not.toThrow();
  expect(after).toEqual({
    verifyCommit: false,
    healthCheck: undefined,
    rollsBack: false,
    interruptsOnCancel: false,
  });
});

test("all of them", () => {
  const { after, finish } = read({
    verify_commit: "true",
    health_check_path: "/ok",
    health_check_timeout_seconds: "2.5",
    allow_http: "true",
    rollback_on_failure: "true",
    on_cancel: "interrupt",
  });
  expect(finish).not.toThrow();
  expect(after).toEqual({
    verifyCommit: true,
    healthCheck: { path: "/ok", timeoutMs: 2500, allowHttp: true },
    rollsBack: true,
    interruptsOnCancel: true,
  });
});

test.each(["/", "/ok", "/a/b.c/..d/", "/ok?to=//x/../y", "/@user:x", "/%E2%9C%93", "/...", "/a//b"])(
  "the path %s is fine",
  (path) => {
    expect(refused({ health_check_path: path })).toBe("");
  },
);

describe("a path that leads elsewhere, or isn't one, is refused:", () => {
  test.each([
    "ok",
    "https://evil.example/",
    "@evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "/a/../../b",
    "/..",
    "/.",
    "/a/%2e%2E/b",
    "/a/.%2e",
    "/a%2f..%2fb",
    "/a\\..\\b",
    "/ok#part",
    "/a b",
    "/a\nb",
    "/a\u0000b",
    "/✓",
  ])("%j", (path) => {
    expect(refused({ health_check_path: path })).toContain("Input health_check_path");
  });
});

test.each([
  ["health_check_timeout_seconds", "0"],
  ["health_check_timeout_seconds", "soon"],
  ["rollback_on_failure", "yes"],
  ["on_cancel", "stop"],
  ["on_cancel", "Interrupt"],
])("%s can't be %s", (input, value) => {
  expect(refused({ [input]: value })).toContain(`Input ${input}`);
});

test("what on_cancel may be is told where it is something else", () => {
  expect(refused({ on_cancel: "stop" })).toBe('Input on_cancel has to be leave or interrupt, not "stop".');
});

test.each([
  ["verify_commit", "true"],
  ["health_check_path", "/ok"],
  ["rollback_on_failure", "true"],
])("%s needs a run that waits", (input, value) => {
  expect(refused({ [input]: value }, false)).toContain(`Input ${input} needs wait: true`);
});

test("a run that doesn't wait may say what it doesn't ask for", () => {
  const unasked = { verify_commit: "false", rollback_on_failure: "false", on_cancel: "interrupt" };
  expect(refused(unasked, false)).toBe("");
});
