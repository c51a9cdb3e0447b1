import type { EmulatorOptions } from "../../../emulator/index.ts";
import {
  defaultCreate,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  type StartedRun,
  startScenario,
} from "../../support/scenario.ts";

export interface RollbackScenario extends Scenario {
  readonly deploymentId: string;
  /** Of the revisions that were made, the oldest first. */
  readonly ids: readonly string[];
  startRollback(inputs?: Inputs): StartedRun;
  /** Rolls back the deployment `agent`. */
  rollBack(inputs?: Inputs): Promise<ScenarioRun>;
  /** Makes another revision of a ref, and lets a minute pass. Returns its id. */
  update(ref: string): Promise<string>;
}

/** A deployment with a revision of each of these refs, one a minute, in the dialect of platform langsmith. */
export async function startWithRevisions(
  [first, ...others]: readonly [string, ...string[]],
  options: EmulatorOptions = {},
): Promise<RollbackScenario> {
  const scenario = await startScenario({ platform: "langsmith", ...options });
  const { source_revision_config: config } = defaultCreate;
  const created = await scenario.existing("agent", {
    source_revision_config: { ...config, repo_ref: first },
  });
  const update = async (ref: string) => {
    const body = { source_revision_config: { repo_ref: ref } };
    await scenario.send(`PATCH /v2/deployments/${created.id}`, body);
    await scenario.pass(60);
    return String(scenario.stored().latest_revision_id);
  };
  const ids = [created.revisionId];
  for (const ref of others) ids.push(await update(ref));
  const startRollback = (inputs: Inputs = {}) =>
    scenario.start("rollback", { inputs: { name: "agent", ...inputs } });
  return {
    ...scenario,
    deploymentId: created.id,
    ids,
    startRollback,
    rollBack: (inputs) => startRollback(inputs).ended,
    update,
  };
}
