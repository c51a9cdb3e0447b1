import { describe, expect, test } from "@jest/globals";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { problem, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading({ ...access, ...inputs }, readDeployInputs);

const defaults = {
  controlPlane,
  desired: { sourceKind: "github", secrets: { entries: [], quoted: [] } },
  options: {
    wait: true,
    dryRun: false,
    onlyIfChanged: false,
    timeoutMs: 1_800_000,
    pollIntervalMs: 3_000,
    buildLog: "failure",
    verifyCommit: false,
    checks: {
      healthPath: undefined,
      serving: "auto",
      smokeTests: [],
      timeoutMs: 60_000,
      headers: {},
      allowHttp: false,
    },
    rollbackOnFailure: false,
    interruptOnCancel: false,
  },
  githubToken: undefined,
};
test.each<[string, Texts]>([
  ["missing", {}],
  ["turned off", { wait: "true", verify_commit: "false", rollback_on_failure: "false", on_cancel: "leave" }],
])("a deploy has defaults for inputs that are %s", (_what, inputs) => {
  expect(read(inputs)).toEqual({ result: defaults, problems: [], notes: [] });
});

test("build_on_push: false differs from no build_on_push", () => {
  expect(read({ build_on_push: "false" }).result.desired.buildOnPush).toBe(false);
});

test("all problems are reported at once", () => {
  const inputs = {
    wait: "maybe",
    build_on_push: "yes",
    resource_spec: "[1]",
    secrets: "TOKEN",
    dry_run: "no",
    timeout_seconds: "0",
    poll_interval_seconds: "86401",
    verify_commit: "1",
    health_check_timeout_seconds: "soon",
    health_check_path: "ok",
    serving_check: "yes",
    agent_headers: "key",
    rollback_on_failure: "on",
    on_cancel: "Interrupt",
  };

  expect(reading(inputs, readDeployInputs).problems).toEqual([
    problem("wait", "true or false", '"maybe"'),
    problem("timeout_seconds", "seconds", '"0"'),
    problem("poll_interval_seconds", "seconds", '"86401"'),
    ...noAccess,
    problem("build_on_push", "true or false", '"yes"'),
    problem("resource_spec", "JSON object"),
    problem("secrets", "line 1"),
    problem("dry_run", "true or false", '"no"'),
    problem("verify_commit", "true or false", '"1"'),
    problem("health_check_timeout_seconds", "seconds", '"soon"'),
    problem("health_check_path", "must start with"),
    problem("serving_check", "auto, require or off", '"yes"'),
    problem("agent_headers", "line 1"),
    problem("rollback_on_failure", "true or false", '"on"'),
    problem("on_cancel", "leave or interrupt", '"Interrupt"'),
  ]);
});

describe("a live build log", () => {
  test("is read on a platform with logs", () => {
    const { result, problems } = read({ platform: "langsmith", build_log: "live" });

    expect(result.options.buildLog).toBe("live");
    expect(problems).toEqual([]);
  });

  test("is rejected on a platform without logs, and without waiting", () => {
    expect(read({ build_log: "live" }).problems).toEqual([problem("build_log", "no logs", "input platform")]);
    expect(read({ platform: "langsmith", build_log: "live", wait: "false" }).problems).toEqual([
      problem("build_log", "needs wait: true"),
    ]);
  });
});

describe("with wait: false", () => {
  test("all inputs that need the end of the revision are rejected", () => {
    const inputs = {
      verify_commit: "true",
      health_check_path: "/ok",
      serving_check: "require",
      smoke_tests: "- { name: x, request: GET /ok }",
      rollback_on_failure: "true",
    };

    expect(read({ wait: "false", ...inputs }).problems).toEqual(
      Object.keys(inputs).map((input) => problem(input, "needs wait: true")),
    );
  });

  test("a cancelled run may interrupt the revision", () => {
    expect(read({ wait: "false", on_cancel: "interrupt" })).toEqual({
      result: {
        ...defaults,
        options: { ...defaults.options, wait: false, interruptOnCancel: true },
      },
      problems: [],
      notes: [],
    });
  });
});

describe("the path of a health check", () => {
  test.each([
    ...["/", "/ok", "/a/b.c/..d/", "/a../b", "/ok?to=//x/../y", "/@user:x", "/%E2%9C%93", "/...", "/a//b"],
  ])("may be %s", (path) => {
    expect(read({ health_check_path: path }).problems).toEqual([]);
  });

  const start = "must start with exactly one /, such as /ok";
  const characters = "must not contain a blank, a \\, a # or a character beyond ASCII (encode it with %)";
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
