import { type DeploymentPlan, planDeployment } from "../deployment/plan.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { GitHub } from "../github/client.ts";
import { retryUntil } from "../http/retry.ts";
import type { DeployInputs } from "../inputs/deploy.ts";
import type { InputReader } from "../inputs/reader.ts";
import type { Target } from "../inputs/target.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { Progress } from "../progress/progress.ts";
import { describePlan, describeSource } from "../report/plan.ts";
import { noteTarget } from "./note-target.ts";
import { checkRepository } from "./preflight.ts";

/** The plan, of which the facts tell from here on; what is wrong with the inputs for it stays in the reader. */
export function planFromInputs(
  target: Target,
  inputs: DeployInputs,
  run: WorkflowRun,
  reader: InputReader,
  progress: Progress,
): DeploymentPlan {
  const { plan, problems } = planDeployment(target, inputs.desired, run, inputs.controlPlane.platform);
  for (const { input, problem } of problems) reader.refuse(input, problem);
  noteTarget(plan.target, progress);
  progress.note({ source: describeSource(plan) });
  return plan;
}

/** What a deployment is made ready from. */
type Planned = Pick<DeploymentRun, "plan" | "inputs" | "run" | "progress" | "context"> & {
  readonly github: GitHub | undefined;
};

/**
 * All that comes before a deployment's records are read: its time counts from here on, the repository is checked, and
 * what will be done is told. Throws like `checkRepository`.
 */
export async function prepare({ github, ...planned }: Planned): Promise<DeploymentRun> {
  const { plan, inputs, run, context } = planned;
  const until = context.clock.now() + inputs.mode.timeoutMs;
  const plane = new ControlPlane(inputs.controlPlane, context, retryUntil(until));
  await checkRepository(plan, { run, github, plane, context });
  const deployment = { ...planned, plane, until };
  announce(deployment);
  return deployment;
}

function announce({ plan, inputs, context }: DeploymentRun): void {
  context.log.info(describePlan(plan));
  for (const name of inputs.desired.secrets.quoted) {
    context.log.warning(
      `The value of the secret ${name} is wrapped in quotes, which are sent as part of it. Remove them if they aren't meant.`,
    );
  }
}
