import { optional, poll, read, redeployment, search } from "../expectations.ts";
import { platform as requests, type Scenario, type Setup } from "../scenario.ts";
import { liveDeployment } from "./langsmith.ts";

const emulator = { platform: "langsmith" } as const;

/** A deployment whose live revision is the second one. */
async function twoRevisions(setup: Setup) {
  await liveDeployment(setup);
  const [deployment] = setup.emulator.deployments();
  const body = { source_revision_config: { repo_ref: "better" } };
  await setup.request(`PATCH /v2/deployments/${deployment?.id}`, body);
  await setup.pass(60);
  return { inputs: { name: "agent" } };
}

/** The action rollback. */
export const rollbackScenarios: readonly Scenario[] = [
  {
    name: "rollback action",
    action: "rollback",
    usual: "deployed",
    emulator,
    setUp: twoRevisions,
    targets: [
      { ...requests.list, name: "list", expected: read },
      { ...requests.deployment, name: "deployment", expected: read },
      { ...requests.revisions, name: "revisions", expected: read },
      { ...requests.redeploy, name: "POST redeploy", expected: redeployment },
      { ...requests.revision, name: "revision", expected: poll, from: 2 },
      { ...requests.deployment, name: "deployment at the end", expected: poll, from: 2 },
    ],
  },
  {
    name: "rollback action with a lost response",
    action: "rollback",
    usual: "deployed",
    emulator: { ...emulator, faults: [{ kind: "reset", match: { path: "/redeploy$" }, applied: true }] },
    setUp: twoRevisions,
    targets: [{ ...requests.revisions, name: "revisions afterwards", expected: search, from: 2 }],
  },
  {
    name: "rollback action that fails",
    action: "rollback",
    usual: "failed",
    emulator: {
      ...emulator,
      faults: [{ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] }],
    },
    setUp: twoRevisions,
    targets: [{ ...requests.deployment, name: "deployment after the failure", expected: optional, from: 2 }],
  },
];
