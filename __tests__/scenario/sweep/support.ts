import { create } from "../../../emulator/__tests__/support/client.ts";
import type { Emulator } from "../../../emulator/index.ts";
import { controlPlaneDigest } from "../../../src/platform/control-plane-settings.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  defaultCreate,
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";

export interface SweepRun extends ScenarioRun {
  /** The outputs of these names: names of previews. */
  readonly deleted: unknown;
  readonly kept: unknown;
}

export async function sweep({ run }: Scenario, inputs: Inputs = {}): Promise<SweepRun> {
  const result = await run("sweep", { inputs });
  const { deleted = "", kept = "" } = result.outputs;
  return { ...result, deleted: JSON.parse(deleted), kept: JSON.parse(kept) };
}

/** Pull requests with a recorded preview each. Some are closed, without a run of the preview action for that. */
export async function startWithPreviews(
  numbers: readonly number[],
  closed: readonly number[],
): Promise<Scenario> {
  const scenario = await startScenario(immediate);
  for (const number of numbers) {
    scenario.open({ number });
    const { id } = await create(scenario.emulator, { ...defaultCreate, name: nameOf(number) });
    const name = nameOf(number);
    const record = addRecord(scenario, { deploymentId: id, name, pullRequest: number });
    scenario.github.records.addStatus(record.id, { state: "success", auto_inactive: false }, actionsLogin);
  }
  for (const number of closed) scenario.shut(number);
  return scenario;
}

function digestOf({ url, workspaceId }: Emulator): string {
  return controlPlaneDigest({ url: new URL(url), workspaceId });
}

/** The name of a pull request's preview. */
export function nameOf(number: number): string {
  return `octo-repo-7739a-pr-${number}`;
}

/** The names of the deployments on the control plane. */
export function storedNames({ emulator }: Scenario): string[] {
  return emulator.deployments().map(({ name }) => name);
}

/** The newest state of a preview's newest record. */
export function newestState({ github }: Scenario, number: number): string | undefined {
  return github.deployments(`preview:${nameOf(number)}`)[0]?.statuses[0]?.state;
}

interface NewRecord {
  readonly deploymentId: string | undefined;
  /** In the payload, and in the task unless that is given. */
  readonly name: string;
  readonly pullRequest: number | undefined;
  readonly task?: string;
  readonly login?: string;
  /** By default of the scenario's own control plane. */
  readonly digest?: string;
}

/** Adds a deployment record to GitHub, without a state. */
export function addRecord({ emulator, github }: Scenario, record: NewRecord): { id: number } {
  const { deploymentId, name, pullRequest, task = `preview:${name}`, login = actionsLogin } = record;
  const { digest = digestOf(emulator) } = record;
  const payload = {
    deployment_id: deploymentId,
    revision_id: "r",
    name,
    pull_request: pullRequest,
    control_plane_digest: digest,
  };
  return github.records.add({ ref: "main", task, environment: "Preview", payload }, login);
}
