import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";
import { newestStates } from "../record/support.ts";
import { commitOfMain } from "../unchanged/support.ts";

const inputs: Inputs = { name: "agent", environment: "staging", deployment_type: "dev" };

function deploy({ run }: Scenario, more: Inputs = {}): Promise<ScenarioRun> {
  return run("deploy", { inputs: { ...inputs, ...more } });
}

/** How a deploy over a live revision ends whose own revision goes through these statuses. */
function deployAs(...statuses: string[]) {
  return async (scenario: Scenario, more: Inputs = {}) => {
    await scenario.existing();
    const sequence = statuses.map((status) => ({ status, seconds: 1 }));
    scenario.emulator.addFault({ kind: "statuses", sequence });
    return await deploy(scenario, { timeout_seconds: "60", ...more });
  };
}

const failedTest: Inputs = { smoke_tests: "- { name: greets, request: GET /missing }" };

/** Output values with revisions as `r1`, `r2` by their age, and other ids and addresses by what they are. */
function named({ outputs }: ScenarioRun, { emulator }: Scenario): Record<string, string> {
  const [deployment] = emulator.deployments();
  const revisions = deployment?.revisions.toReversed() ?? [];
  const names = new Map(revisions.map(({ id }, index) => [id, `r${index + 1}`]));
  if (deployment !== undefined) names.set(deployment.id, "d").set(deployment.url ?? "", "url");
  const { server_version, duration_seconds, smoke_tests, commit_sha, message, ...others } = outputs;
  const shown = Object.entries(others).filter(([, value]) => value !== "");
  return Object.fromEntries(shown.map(([name, value]) => [name, names.get(value) ?? value]));
}

const agent = { name: "agent", deployment_id: "d", deployment_url: "url" };
const created = { ...agent, created: "true" };
const updated = { ...agent, created: "false", revision_id: "r2", previous_revision_id: "r1" };

interface Expected {
  readonly succeeds: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  /** The newest state of each record, newest record first. */
  readonly records: readonly string[];
}

test.each<[string, (scenario: Scenario) => Promise<ScenarioRun>, Expected]>([
  [
    "a first deploy",
    deploy,
    {
      succeeds: true,
      outputs: {
        ...created,
        outcome: "deployed",
        status: "DEPLOYED",
        revision_id: "r1",
        live_revision_id: "r1",
      },
      records: ["success"],
    },
  ],
  [
    "a further deploy",
    deployAs("DEPLOYED"),
    {
      succeeds: true,
      outputs: { ...updated, outcome: "deployed", status: "DEPLOYED", live_revision_id: "r2" },
      records: ["success"],
    },
  ],
  [
    "a deploy that does not wait",
    (scenario) => deployAs("BUILDING")(scenario, { wait: "false" }),
    {
      succeeds: true,
      outputs: { ...updated, outcome: "started", status: "BUILDING" },
      records: ["queued"],
    },
  ],
  [
    "a deploy that does not wait, and whose revision has failed already",
    (scenario) => deployAs("BUILD_FAILED")(scenario, { wait: "false" }),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "failed", status: "BUILD_FAILED", live_revision_id: "r1" },
      records: ["failure"],
    },
  ],
  [
    "a dry run",
    (scenario) => deploy(scenario, { dry_run: "true" }),
    { succeeds: true, outputs: { name: "agent", created: "false", outcome: "planned" }, records: [] },
  ],
  [
    "a deploy of what is live",
    async (scenario) => {
      const unlessChanged = { only_if_changed: "true" };
      await deploy(scenario, unlessChanged);
      return await deploy(scenario, unlessChanged);
    },
    {
      succeeds: true,
      outputs: {
        ...agent,
        created: "false",
        outcome: "unchanged",
        status: "DEPLOYED",
        revision_id: "r1",
        live_revision_id: "r1",
      },
      records: ["success"],
    },
  ],
  [
    "a build that fails",
    deployAs("BUILDING", "BUILD_FAILED"),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "failed", status: "BUILD_FAILED", live_revision_id: "r1" },
      records: ["failure"],
    },
  ],
  [
    "a smoke test that fails",
    (scenario) => deployAs("DEPLOYED")(scenario, failedTest),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "failed", status: "DEPLOYED", live_revision_id: "r2" },
      records: ["failure"],
    },
  ],
  [
    "a smoke test that fails, with a rollback",
    (scenario) => deployAs("DEPLOYED")(scenario, { ...failedTest, rollback_on_failure: "true" }),
    {
      succeeds: false,
      outputs: {
        ...updated,
        outcome: "failed",
        status: "DEPLOYED",
        live_revision_id: "r3",
        rolled_back_to: "r1",
      },
      records: ["failure"],
    },
  ],
  [
    "a smoke test that fails in a first deploy, with nothing to roll back to",
    (scenario) => deploy(scenario, { ...failedTest, rollback_on_failure: "true" }),
    {
      succeeds: false,
      outputs: {
        ...created,
        outcome: "failed",
        status: "DEPLOYED",
        revision_id: "r1",
        live_revision_id: "r1",
      },
      records: ["failure"],
    },
  ],
  [
    "a write whose response is lost",
    async (scenario) => {
      scenario.emulator.addFault(answer("POST /revisions$", 502, { applied: true }));
      return await deployAs("DEPLOYED")(scenario);
    },
    {
      succeeds: false,
      outputs: {
        ...agent,
        created: "false",
        previous_revision_id: "r1",
        outcome: "failed",
      },
      records: [],
    },
  ],
  [
    "an input that is wrong",
    (scenario) => deploy(scenario, { wait: "maybe" }),
    { succeeds: false, outputs: { name: "agent", created: "false", outcome: "failed" }, records: [] },
  ],
  [
    "a revision that is skipped",
    deployAs("QUEUED", "SKIPPED"),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "superseded", status: "SKIPPED", live_revision_id: "r1" },
      records: ["inactive"],
    },
  ],
  [
    "a newer revision that is live",
    async (scenario) => {
      const { clock, emulator, stored } = scenario;
      emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
      clock.at(62_000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));
      return await deployAs("BUILDING", "BUILDING", "BUILDING", "DEPLOYED")(scenario);
    },
    {
      succeeds: false,
      outputs: { ...updated, outcome: "superseded", status: "DEPLOYED", live_revision_id: "r3" },
      records: ["inactive"],
    },
  ],
  [
    "a revision that is interrupted",
    deployAs("BUILDING", "INTERRUPTED"),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "interrupted", status: "INTERRUPTED", live_revision_id: "r1" },
      records: ["failure"],
    },
  ],
  [
    "a build that takes longer than timeout_seconds",
    deployAs("BUILDING"),
    {
      succeeds: false,
      outputs: { ...updated, outcome: "timed_out", status: "BUILDING", live_revision_id: "r1" },
      records: ["error"],
    },
  ],
  [
    "a run that is cancelled",
    async (scenario) => {
      await scenario.existing();
      scenario.emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILDING" }] });
      const started = scenario.start("deploy", { inputs });
      scenario.clock.at(scenario.clock.elapsed() + 10_000, started.cancel);
      return await started.ended;
    },
    {
      succeeds: false,
      outputs: { ...updated, outcome: "cancelled", status: "BUILDING" },
      records: ["error"],
    },
  ],
])("%s has its outcome, outputs and record", async (_what, start, expected) => {
  const commits = { main: commitOfMain };
  const scenario = await startScenario({ platform: "langsmith", ...immediate, commits });

  const run = await start(scenario);

  expect(run.succeeded).toBe(expected.succeeds);
  expect(named(run, scenario)).toEqual(expected.outputs);
  expect(newestStates(scenario)).toEqual(expected.records);
});
