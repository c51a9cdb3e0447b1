import { describe, expect, test } from "@jest/globals";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { problem, readDeploy, reading, type Texts } from "./support/reading.ts";

const read = (inputs: Texts) => reading({ ...access, ...inputs }, readDeploy);

const defaults = {
  settings: { ...controlPlane, publicValues: [] },
  given: {
    sourceKind: undefined,
    upload: undefined,
    integrationId: undefined,
    listenerId: undefined,
    k8sNamespace: undefined,
    repoUrl: undefined,
    deploymentType: undefined,
    buildOnPush: undefined,
    customUrl: undefined,
    resourceSpec: undefined,
    content: { repoRef: undefined, appConfigPath: undefined, imageUri: undefined },
    secrets: [],
    envVars: [],
  },
  options: {
    wait: true,
    dryRun: false,
    onlyIfChanged: false,
    timeoutMs: 1_800_000,
    pollIntervalMs: 3_000,
    buildLog: "failure",
    checks: { healthPath: undefined, serving: "auto", smokeTests: [], healthTimeoutMs: 60_000 },
    verifyCommit: false,
    compare: undefined,
    agent: { headers: {}, requestTimeoutMs: 30_000, allowHttp: false },
    rollbackOnFailure: false,
    interruptOnCancel: false,
  },
};
test.each<[string, Texts]>([
  ["missing", {}],
  ["turned off", { wait: "true", verify_commit: "false", rollback_on_failure: "false", on_cancel: "leave" }],
])("a deploy has defaults for inputs that are %s", (_what, inputs) => {
  expect(read(inputs)).toStrictEqual({ result: defaults, problems: [], notes: [] });
});

test("every input of a deploy is read", () => {
  const inputs = {
    source: "github",
    integration_id: "integration-1",
    listener_id: "listener-1",
    k8s_namespace: "agents",
    repo_url: "https://github.com/octo-org/octo-repo",
    deployment_type: "prod",
    build_on_push: "true",
    custom_url: "https://custom.example",
    resource_spec: '{"cpu": 2}',
    repo_ref: "main",
    app_config_path: "app.json",
    image_uri: "registry.example/agent:1",
    secrets: "A_KEY=value",
    env_vars: "A_MODE=fast",
    dry_run: "true",
    only_if_changed: "true",
    timeout_seconds: "60",
    poll_interval_seconds: "1.5",
    build_log: "off",
    verify_commit: "true",
    health_check_path: "/ok",
    health_check_timeout_seconds: "5",
    serving_check: "require",
    agent_headers: "X-Key: value",
    allow_http: "true",
    compare_with: "staging",
    breaking_changes: "warn",
    rollback_on_failure: "true",
    on_cancel: "interrupt",
  };

  expect(read(inputs)).toStrictEqual({
    result: {
      settings: { ...controlPlane, publicValues: ["fast"] },
      given: {
        sourceKind: "github",
        upload: undefined,
        integrationId: "integration-1",
        listenerId: "listener-1",
        k8sNamespace: "agents",
        repoUrl: "https://github.com/octo-org/octo-repo",
        deploymentType: "prod",
        buildOnPush: true,
        customUrl: "https://custom.example",
        resourceSpec: { cpu: 2 },
        content: { repoRef: "main", appConfigPath: "app.json", imageUri: "registry.example/agent:1" },
        secrets: [{ name: "A_KEY", value: "value" }],
        envVars: [{ name: "A_MODE", value: "fast" }],
      },
      options: {
        wait: true,
        timeoutMs: 60_000,
        pollIntervalMs: 1_500,
        dryRun: true,
        onlyIfChanged: true,
        buildLog: "off",
        checks: { healthPath: "/ok", serving: "require", smokeTests: [], healthTimeoutMs: 5_000 },
        verifyCommit: true,
        compare: { comparedWith: "staging", isGate: false },
        agent: { headers: { "x-key": "value" }, requestTimeoutMs: 30_000, allowHttp: true },
        rollbackOnFailure: true,
        interruptOnCancel: true,
      },
    },
    problems: [],
    notes: [{ kind: "warning", text: expect.stringContaining("a rollback may fail") }],
  });
});

describe("source_path", () => {
  const read = (inputs: Texts) => reading({ ...access, platform: "langsmith", ...inputs }, readDeploy);

  test.each<[string, Texts, object]>([
    ["alone", {}, {}],
    ["with the source that it means", { source: "internal_source" }, {}],
    [
      "with its commands",
      { install_command: "npm ci", build_command: "npm run build" },
      { installCommand: "npm ci", buildCommand: "npm run build" },
    ],
    ["with a configuration file", { app_config_path: "./a/b.json" }, { configPath: "a/b.json" }],
  ])("makes an upload, %s", (_what, inputs, upload) => {
    const { result, problems } = read({ source_path: "agent", ...inputs });

    const expected = { path: "agent", configPath: "langgraph.json", ...upload };
    expect(result.given).toMatchObject({ sourceKind: "internal_source", upload: expected });
    expect(result.given.content).toEqual({ appConfigPath: expected.configPath });
    expect(problems).toEqual([]);
  });

  test("rejects what describes another source, and what is for images only", () => {
    const inputs = {
      repo_ref: "main",
      repo_url: "https://github.com/octo-org/octo-repo",
      image_uri: "registry.example/agent:1",
      integration_id: "integration-1",
    };
    const imageInputs = { k8s_namespace: "agents" };

    expect(read({ source_path: "agent", source: "github", ...inputs, ...imageInputs }).problems).toEqual([
      ...Object.keys(inputs).map((input) => problem(input, "together with source_path, which deploys")),
      ...Object.keys(imageInputs).map((input) => problem(input, "together with source_path, which deploys")),
      problem("source", "must be internal_source", "with source_path"),
    ]);
  });

  test("is one problem on a platform without uploads, whatever else is set", () => {
    const inputs = { platform: "standard", source_path: ".", repo_ref: "main", build_command: "make" };

    expect(read(inputs).problems).toEqual([problem("source_path", "is not supported on this platform")]);
  });

  test("is needed for the source of uploads", () => {
    expect(read({ source: "internal_source" }).problems).toEqual([
      problem("source_path", "is missing or empty"),
    ]);
  });

  test("is needed for the commands of an upload", () => {
    const inputs = { install_command: "npm ci", build_command: "npm run build" };

    expect(read(inputs).problems).toEqual(
      Object.keys(inputs).map((input) => problem(input, "needs source_path: the platform")),
    );
  });
});

test.each([
  ["main", "main"],
  ["refs/heads/main", "main"],
  ["feature/refs/heads/x", "feature/refs/heads/x"],
  ["refs/tags/v1", "refs/tags/v1"],
])("the ref %s is deployed as %s", (repo_ref, ref) => {
  expect(read({ repo_ref })).toMatchObject({
    result: { given: { content: { repoRef: ref } } },
    problems: [],
  });
});

test.each(["refs/pull/1/merge", "refs/tags/", "refs/heads/", "refs/x/refs/tags/v1"])(
  "the ref %s is rejected",
  (repo_ref) => {
    expect(read({ repo_ref }).problems).toEqual([
      problem("repo_ref", "must be a branch name or refs/tags/NAME, not", `"${repo_ref}"`),
    ]);
  },
);

test("a rollback may fail only on a platform that describes none, which is a warning", () => {
  const inputs = { rollback_on_failure: "true" };

  expect(read(inputs).notes).toEqual([
    { kind: "warning", text: expect.stringContaining("rollback may fail") },
  ]);
  expect(read({ ...inputs, platform: "langsmith" })).toMatchObject({ problems: [], notes: [] });
});

test("build_on_push: false differs from no build_on_push", () => {
  expect(read({ build_on_push: "false" }).result.given.buildOnPush).toBe(false);
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

  expect(reading(inputs, readDeploy).problems).toEqual([
    ...noAccess,
    problem("build_on_push", "true or false", '"yes"'),
    problem("resource_spec", "JSON object"),
    "Input secrets has no = in line 1. Write each line as NAME=value.",
    problem("wait", "true or false", '"maybe"'),
    problem("timeout_seconds", "seconds", '"0"'),
    problem("poll_interval_seconds", "seconds", '"86401"'),
    problem("health_check_timeout_seconds", "seconds", '"soon"'),
    problem("health_check_path", "must be a path that starts with"),
    problem("serving_check", "auto, require or off", '"yes"'),
    problem("agent_headers", "line 1"),
    problem("verify_commit", "true or false", '"1"'),
    problem("on_cancel", "leave or interrupt", '"Interrupt"'),
    problem("dry_run", "true or false", '"no"'),
    problem("rollback_on_failure", "true or false", '"on"'),
  ]);
});

describe("a live build log", () => {
  test("is read on a platform with logs", () => {
    const { result, problems } = read({ platform: "langsmith", build_log: "live" });

    expect(result.options.buildLog).toBe("live");
    expect(problems).toEqual([]);
  });

  test("is rejected on a platform without logs, and without waiting", () => {
    expect(read({ build_log: "live" }).problems).toEqual([
      problem("build_log", "is not supported on this platform"),
    ]);
    expect(read({ platform: "langsmith", build_log: "live", wait: "false" }).problems).toEqual([
      problem("build_log", "needs wait: true"),
    ]);
  });
});

describe("with wait: false", () => {
  test("all inputs that need the end of the revision are rejected", () => {
    const inputs = {
      health_check_path: "/ok",
      smoke_tests: "- { name: x, request: GET /ok }",
      serving_check: "require",
      compare_with: "staging",
      verify_commit: "true",
      rollback_on_failure: "true",
      on_cancel: "interrupt",
    };

    expect(read({ wait: "false", ...inputs }).problems).toEqual(
      Object.keys(inputs).map((input) => problem(input, "needs wait: true")),
    );
  });

  test("a cancelled run may leave the revision running", () => {
    expect(read({ wait: "false", on_cancel: "leave" })).toEqual({
      result: { ...defaults, options: { ...defaults.options, wait: false } },
      problems: [],
      notes: [],
    });
  });
});
