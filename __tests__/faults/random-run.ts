import { call, deploymentIn } from "../../emulator/__tests__/support/client.ts";
import { type DeploymentSnapshot, type Emulator, startEmulator } from "../../emulator/index.ts";
import { recordingContext } from "../support/recording-context.ts";
import {
  defaultCreate,
  finish,
  type Inputs,
  langsmith,
  langsmithCreate,
  pushToMain,
  type ScenarioRun,
  scenarioClock,
} from "../support/scenario.ts";
import type { VirtualClock } from "../support/virtual-clock.ts";
import { canaries, type RandomPlan, refs } from "./random-plan.ts";

export const timeoutSeconds = 60;

/** A run, and what really happened on the platform meanwhile. */
export interface Truth {
  readonly run: ScenarioRun;
  readonly state: Readonly<Record<string, string>>;
  /** The revisions that this run's writes made, the oldest first. */
  readonly own: readonly string[];
  /** The number of deployments that it created. */
  readonly created: number;
  /** As it is at the end; undefined if there is none. */
  readonly deployment: DeploymentSnapshot | undefined;
}

/** Plays a plan against an emulator of its own, on virtual time. */
export async function playPlan(plan: RandomPlan): Promise<Truth> {
  const clock = scenarioClock();
  const { platform, statusSeconds } = plan;
  const emulator = await startEmulator({
    platform,
    statusSeconds,
    now: () => clock.now(),
    apiKey: canaries.apiKey,
  });
  try {
    return await play(plan, emulator, clock);
  } finally {
    await emulator.close();
  }
}

async function play(plan: RandomPlan, emulator: Emulator, clock: VirtualClock): Promise<Truth> {
  const before = await setUp(plan, emulator, clock);
  const known = new Set(emulator.deployments().flatMap(({ revisions }) => revisions.map(({ id }) => id)));
  const idsBefore = new Set(emulator.deployments().map(({ id }) => id));
  for (const rule of plan.faults) emulator.addFault(rule);
  if (plan.hidden.length > 0) emulator.addFault({ kind: "hide", fields: [...plan.hidden] });
  const foreign = addConcurrentRevisions(plan, emulator, clock);

  const context = recordingContext(environmentOf(plan, emulator, before), clock);
  const action = plan.write === "rollback" ? "rollback" : "deploy";
  const run = await finish({ context, emulator, clock, action });

  const [deployment] = emulator.deployments();
  const made = (deployment?.revisions ?? []).filter(({ id, source_revision_config: config }) => {
    const isForeign = foreign.has(id) || config.repo_ref === refs.foreign;
    return !known.has(id) && !isForeign;
  });
  return {
    run,
    state: context.recorded.state,
    own: made.map(({ id }) => id).toReversed(),
    created: emulator.deployments().filter(({ id }) => !idsBefore.has(id)).length,
    deployment,
  };
}

/** Returns the id of the deployment before the run, whose live revision is the second one. */
async function setUp(
  { platform, write }: RandomPlan,
  emulator: Emulator,
  clock: VirtualClock,
): Promise<string | undefined> {
  if (write === "create") return undefined;
  const source_revision_config = { ...defaultCreate.source_revision_config, repo_ref: refs.earlier };
  const create = { ...defaultCreate, source_revision_config };
  const request = platform === "langsmith" ? langsmithCreate(create) : create;
  const { id } = deploymentIn(await call(emulator, "POST /v2/deployments", request));
  const pass = () => clock.sleep(120_000, new AbortController().signal);
  await pass();
  const update = { source_revision_config: { repo_ref: refs.before } };
  await call(emulator, `PATCH /v2/deployments/${id}`, update);
  await pass();
  return id;
}

/** The ids of the revisions that others make, which grow during the run. */
function addConcurrentRevisions(plan: RandomPlan, emulator: Emulator, clock: VirtualClock): Set<string> {
  const ids = new Set<string>();
  for (const { at, isSameSource } of plan.foreign) {
    clock.at(clock.elapsed() + at * 1000, () => {
      const [deployment] = emulator.deployments();
      if (deployment === undefined) return;
      const ref = isSameSource ? ownRef(plan) : refs.foreign;
      ids.add(emulator.addConcurrentRevision(deployment.id, ref).id);
    });
  }
  return ids;
}

/** The ref that this run's revision deploys. */
export function ownRef({ write }: RandomPlan): string {
  return write === "rollback" ? refs.earlier : refs.own;
}

function environmentOf(
  { platform, write, wait }: RandomPlan,
  emulator: Emulator,
  deploymentId: string | undefined,
): Record<string, string> {
  const target: Inputs =
    write === "update by id" && deploymentId ? { deployment_id: deploymentId } : { name: "agent" };
  const deploy: Inputs = {
    ...(platform === "langsmith"
      ? langsmith
      : { integration_id: "integration-1", app_config_path: "app/config.json" }),
    repo_ref: refs.own,
    secrets: `A_SECRET=${canaries.secret}`,
  };
  const inputs: Inputs = {
    control_plane_url: emulator.url,
    api_key: canaries.apiKey,
    workspace_id: emulator.workspaceId,
    platform,
    request_timeout_seconds: "0.3",
    timeout_seconds: String(timeoutSeconds),
    wait: String(wait),
    ...target,
    ...(write !== "rollback" && deploy),
  };
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  return { ...pushToMain, ...Object.fromEntries(variables) };
}
