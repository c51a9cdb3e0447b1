import type { EmulatorOptions } from "../../../emulator/server.ts";
import { platform as requests } from "../requests.ts";
import type { Scenario, Stage } from "../scenario.ts";

/** What a team that uses that platform gives: the integration and the file's path are found. */
const inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };
const platform = { platform: "langsmith" } as const;

/** A deployment that is live, in that platform's own words. */
async function liveDeployment({ elsewhere, pass }: Stage): Promise<void> {
  await elsewhere("POST /v2/deployments", {
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

/** Revisions of the branch `bad` fail to be deployed, and what was live before is gone by then. */
const failsLate: EmulatorOptions = {
  ...platform,
  failRefs: { bad: "DEPLOY_FAILED" },
  misbehave: [{ kind: "failed_takes_over" }],
};

/** What a platform that offers more is asked: integrations, the deployment's health, logs, and to go back. */
export const langsmithScenarios: readonly Scenario[] = [
  {
    name: "create that finds its integration",
    action: "deploy",
    healthy: "deployed",
    emulator: platform,
    setUp: async () => ({
      inputs: { ...inputs, health_check_path: "/ok", health_check_timeout_seconds: "3" },
    }),
    targets: [
      { ...requests.integrations, name: "integrations", role: "read" },
      { ...requests.repositories, name: "repositories", role: "read" },
      { ...requests.health, name: "health", role: "health" },
    ],
  },
  {
    name: "failed build",
    action: "deploy",
    healthy: "failed",
    emulator: { ...platform, failRefs: { main: "BUILD_FAILED" } },
    setUp: async () => ({ inputs }),
    targets: [{ ...requests.log, name: "log", role: "tolerated" }],
  },
  {
    name: "rollback",
    action: "deploy",
    healthy: "failed",
    emulator: failsLate,
    // The rollback's.
    furtherRevisions: 1,
    setUp: async (stage) => {
      await liveDeployment(stage);
      return { inputs: { ...inputs, repo_ref: "bad", rollback_on_failure: "true" } };
    },
    targets: [
      { ...requests.deployment, name: "deployment after the failure", role: "tolerated", from: 2 },
      { ...requests.revisions, name: "revisions after the failure", role: "tolerated", from: 2 },
      { ...requests.redeploy, name: "POST redeploy", role: "tolerated" },
      {
        ...requests.revision,
        name: "revision of the rollback",
        role: "tolerated",
        route: (request, before) =>
          before.some((earlier) => requests.redeploy.route(earlier, [])) &&
          requests.revision.route(request, before),
      },
    ],
  },
];
