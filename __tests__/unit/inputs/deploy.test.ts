import { expect, test } from "@jest/globals";
import { readDeployInputs } from "../../../src/inputs/deploy.ts";
import { access, controlPlane, noAccess } from "./support/control-plane.ts";
import { reading, type Texts } from "./support/reading.ts";

const texts = {
  source: "external_docker",
  integration_id: "integration-1",
  listener_id: "listener-1",
  repo_url: "https://github.com/octo-org/octo-repo",
  deployment_type: "prod",
  custom_url: "https://agent.example",
  repo_ref: "refs/tags/v1",
  app_config_path: "app/langgraph.json",
  image_uri: "registry.example/agent:1",
  github_token: "some-token",
};
const others = {
  build_on_push: "true",
  resource_spec: '{"cpu": 2, "more": {"memory": null}}',
  secrets: "TOKEN=value",
  wait: "false",
  dry_run: "true",
  timeout_seconds: "90",
  poll_interval_seconds: "0.5",
  on_cancel: "interrupt",
};
const names = [...Object.keys(texts), ...Object.keys(others)];

test.each<[string, Texts]>([
  ["without the others", {}],
  ["with empty ones", Object.fromEntries(names.map((name) => [name, " \n"]))],
])("what is needed is enough, %s", (_what, inputs) => {
  expect(reading({ ...access, ...inputs }, readDeployInputs)).toEqual({
    result: {
      controlPlane,
      desired: { secrets: { entries: [], quoted: [] } },
      mode: { wait: true, dryRun: false, timeoutMs: 1_800_000, pollIntervalMs: 4_000 },
      after: { verifyCommit: false, healthCheck: undefined, rollsBack: false, interruptsOnCancel: false },
      githubToken: undefined,
    },
    problems: [],
    remarks: [],
  });
});

test("everything that can be given", () => {
  expect(reading({ ...access, ...texts, ...others }, readDeployInputs)).toEqual({
    result: {
      controlPlane,
      desired: {
        source: "external_docker",
        integrationId: "integration-1",
        listenerId: "listener-1",
        repoUrl: "https://github.com/octo-org/octo-repo",
        deploymentType: "prod",
        buildOnPush: true,
        customUrl: "https://agent.example",
        resourceSpec: { cpu: 2, more: { memory: null } },
        repoRef: "refs/tags/v1",
        appConfigPath: "app/langgraph.json",
        imageUri: "registry.example/agent:1",
        secrets: { entries: [{ name: "TOKEN", value: "value" }], quoted: [] },
      },
      mode: { wait: false, dryRun: true, timeoutMs: 90_000, pollIntervalMs: 500 },
      after: { verifyCommit: false, healthCheck: undefined, rollsBack: false, interruptsOnCancel: true },
      githubToken: "some-token",
    },
    problems: [],
    remarks: [],
  });
});

test("false is not the same as not given", () => {
  const { desired } = reading({ build_on_push: "false" }, readDeployInputs).result;
  expect(desired.buildOnPush).toBe(false);
});

test("what is to follow the revision's end needs a run that waits for it", () => {
  expect(reading({ ...access, verify_commit: "true" }, readDeployInputs).problems).toEqual([]);
  const { problems } = reading({ ...access, wait: "false", verify_commit: "true" }, readDeployInputs);
  expect(problems).toEqual([
    "Input verify_commit needs wait: true, because only then it is known how the revision ends.",
  ]);
});

test("everything that is wrong is told at once", () => {
  const wrong = {
    wait: "maybe",
    build_on_push: "yes",
    resource_spec: "[1]",
    secrets: "TOKEN",
    dry_run: "no",
    timeout_seconds: "0",
    poll_interval_seconds: "86401",
    on_cancel: "stop",
  };
  expect(reading(wrong, readDeployInputs).problems).toEqual([
    'Input wait has to be true or false, not "maybe".',
    ...noAccess,
    'Input build_on_push has to be true or false, not "yes".',
    "Input resource_spec has to be a JSON object.",
    "Input secrets has no = in line 1.",
    'Input dry_run has to be true or false, not "no".',
    'Input timeout_seconds has to be a number of seconds above 0 and up to 86400, not "0".',
    'Input poll_interval_seconds has to be a number of seconds above 0 and up to 86400, not "86401".',
    'Input on_cancel has to be leave or interrupt, not "stop".',
  ]);
});
