import type { EmulatorOptions } from "../../../emulator/index.ts";
import {
  create,
  health,
  optional,
  optionalWhilePolling,
  read,
  repeatedCheck,
  sentOnce,
  update,
  upload,
} from "../expectations.ts";
import { platform as requests, type Scenario, type Setup } from "../scenario.ts";

/** The integration and the path of the configuration file are found. */
const inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };
const platform = { platform: "langsmith" } as const;

/** A live deployment, in the dialect of the platform. */
export async function liveDeployment({ request, pass }: Setup): Promise<void> {
  await request("POST /v2/deployments", {
    name: "agent",
    source: "github",
    source_config: {
      integration_id: "00000000-0000-4000-8000-000000000002",
      repo_url: "https://github.com/octo-org/octo-repo",
      deployment_type: "dev",
    },
    source_revision_config: { repo_ref: "good", langgraph_config_path: "langgraph.json" },
    secrets: [],
  });
  await pass(60);
}

/** Revisions of the branch `bad` fail to be deployed, and replace what was live before. */
const failsLate: EmulatorOptions = {
  ...platform,
  failRefs: { bad: "DEPLOY_FAILED" },
  faults: [{ kind: "failed_takes_over" }],
};

/** A platform that offers more: integrations, the health of a deployment, logs, and deploying a revision again. */
export const langsmithScenarios: readonly Scenario[] = [
  {
    name: "create that finds its integration",
    action: "deploy",
    usual: "deployed",
    emulator: platform,
    setUp: async () => ({
      inputs: { ...inputs, health_check_path: "/ok", health_check_timeout_seconds: "3" },
    }),
    targets: [
      { ...requests.integrations, name: "integrations", expected: read },
      { ...requests.repositories, name: "repositories", expected: read },
      { ...requests.health, name: "health", expected: health },
      { ...requests.info, name: "info", expected: optional },
    ],
  },
  {
    name: "create from an upload",
    action: "deploy",
    usual: "deployed",
    emulator: platform,
    setUp: async () => ({ inputs: { ...inputs, source_path: "." }, files: { "langgraph.json": "{}" } }),
    targets: [
      { ...requests.create, name: "POST before the upload", expected: create },
      { ...requests.uploadAddress, name: "POST upload-url", expected: read },
      { ...requests.upload, name: "PUT", expected: upload },
      { ...requests.update, name: "PATCH after the upload", expected: update },
    ],
  },
  {
    name: "checks of an agent",
    action: "deploy",
    usual: "deployed",
    emulator: platform,
    setUp: async () => ({
      inputs: {
        ...inputs,
        ...{ serving_check: "require", health_check_timeout_seconds: "3" },
        smoke_tests:
          "- { name: run, graph: agent, input: {}, expect: { contains: You said, max_seconds: 3 } }",
      },
    }),
    targets: [
      { ...requests.info, name: "required info", expected: repeatedCheck },
      { ...requests.run, name: "run", expected: sentOnce },
    ],
  },
  {
    name: "failed build",
    action: "deploy",
    usual: "failed",
    emulator: { ...platform, failRefs: { main: "BUILD_FAILED" } },
    setUp: async () => ({ inputs }),
    targets: [{ ...requests.log, name: "log", expected: optional }],
  },
  {
    name: "live log of a build",
    action: "deploy",
    usual: "deployed",
    emulator: platform,
    setUp: async () => ({ inputs: { ...inputs, build_log: "live" } }),
    targets: [{ ...requests.log, name: "log", expected: optionalWhilePolling }],
  },
  {
    name: "rollback",
    action: "deploy",
    usual: "failed",
    emulator: failsLate,
    // The rollback's.
    otherRevisions: 1,
    setUp: async (setup) => {
      await liveDeployment(setup);
      return { inputs: { ...inputs, repo_ref: "bad", rollback_on_failure: "true" } };
    },
    targets: [
      { ...requests.deployment, name: "deployment after the failure", expected: optional, from: 2 },
      { ...requests.revisions, name: "revisions after the failure", expected: optional, from: 2 },
      { ...requests.redeploy, name: "POST redeploy", expected: optional },
      {
        ...requests.revision,
        name: "revision of the rollback",
        expected: optional,
        route: (request, before) =>
          before.some((earlier) => requests.redeploy.route(earlier, [])) &&
          requests.revision.route(request, before),
      },
    ],
  },
];
