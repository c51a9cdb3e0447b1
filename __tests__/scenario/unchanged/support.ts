import { expect } from "@jest/globals";
import { call } from "../../../emulator/__tests__/support/client.ts";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import {
  type Inputs,
  type RunOptions,
  type Scenario,
  type ScenarioRun,
  type StartedRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { newestStates } from "../record/support.ts";

/** The commit of `main` on GitHub. */
export const commitOfMain = "6dcb09b5b57875f334f61aebed695e2e4193db5e";

const inputs: Inputs = { name: "agent", environment: "staging", only_if_changed: "true" };

/** A platform that shows which commit it built, and on which a revision is live at once. */
export function startUnchangedScenario(options: EmulatorOptions = {}): Promise<Scenario> {
  return startScenario({
    statusSeconds: 0,
    platform: "langsmith",
    commits: { main: commitOfMain },
    ...options,
  });
}

/** Somebody else updates the deployment. */
export async function updateByOther({ emulator }: Scenario): Promise<void> {
  const [deployment] = emulator.deployments();
  const body = { source_revision_config: { repo_ref: "main" } };
  await call(emulator, `PATCH /v2/deployments/${deployment?.id}`, body);
}

/** Starts a deploy with `only_if_changed`. */
export function startIfChanged({ start }: Scenario, more: Inputs = {}, options: RunOptions = {}): StartedRun {
  return start("deploy", { inputs: { ...inputs, ...more }, ...options });
}

/** Deploys with `only_if_changed`. */
export function deployIfChanged(...given: Parameters<typeof startIfChanged>): Promise<ScenarioRun> {
  return startIfChanged(...given).ended;
}

/** Expects that a run sent nothing, because the revision of an earlier run is live. */
export function expectUnchanged(run: ScenarioRun, first: ScenarioRun): void {
  const { deployment_id, revision_id, deployment_url } = first.outputs;
  expect(first.outputs.outcome).toBe("deployed");
  expect(run.succeeded).toBe(true);
  expect(run.outputs).toMatchObject({
    outcome: "unchanged",
    status: "DEPLOYED",
    created: "false",
    deployment_id,
    revision_id,
    deployment_url,
    duration_seconds: "0",
  });
  expect(writes(run.requests)).toEqual([]);
  expectNoRecord(run);
}

/** Expects that a run left the records on GitHub as they were. */
export function expectNoRecord({ github }: ScenarioRun): void {
  expect(writes(github).filter(({ path }) => path.includes("/deployments"))).toEqual([]);
}

/** Expects that a run deployed, and that one line of its log says why. */
export function expectDeployed(run: ScenarioRun, why: RegExp): void {
  expect(run.outputs).toMatchObject({ outcome: "deployed" });
  const lines = run.infos.filter((line) => line.startsWith("only_if_changed: true does not apply:"));
  expect(lines).toEqual([expect.stringMatching(why)]);
}

/** The newest record, and how many there are. */
export function recordsAfter(scenario: Scenario): { state: string | undefined; count: number } {
  const states = newestStates(scenario);
  return { state: states[0], count: states.length };
}
