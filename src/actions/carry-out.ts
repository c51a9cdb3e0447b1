import { conclude } from "../after/conclude.ts";
import { interruptOnCancel } from "../after/on-cancel.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { DeployInputs } from "../inputs/deploy.ts";
import type { InputReader } from "../inputs/reader.ts";
import { type Target, titleOf } from "../inputs/target.ts";
import type { WorkflowRun } from "../inputs/workflow-run.ts";
import { type DeploymentPlan, planDeployment } from "../plan/deployment-plan.ts";
import { withoutFixedFields } from "../plan/platform-rules.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { showableRequest, spellPlan, spellSource } from "../report/plan.ts";
import type { WrittenRevision } from "../revisions/written.ts";
import { watchRevision } from "../watch/watch.ts";
import { creatable } from "../write/create.ts";
import { locate, warnOfNoList } from "../write/locate.ts";
import { checkFixedInputs } from "../write/update.ts";
import { writeDeployment } from "../write/write.ts";

/** Does what was announced, up to the end of this run's revision. */
export async function carryOut(deployment: DeploymentRun): Promise<Ending> {
  const { inputs, plane, progress, ports } = deployment;
  const { mode } = inputs;
  if (mode.dryRun) return await describe(deployment);
  if (inputs.after.interruptsOnCancel) {
    progress.lastAct = () => interruptOnCancel(progress.facts, inputs.controlPlane, ports);
  }
  const written = deployment.resumed ? resume(deployment, deployment.resumed) : await write(deployment);
  progress.note({ usualMs: usualMs(deployment, written) });
  await progress.revision(written.revisionId);
  const overtaken = await deployment.overtaken?.();
  if (overtaken) return overtaken;
  if (!mode.wait) {
    return {
      outcome: "started",
      message: `Revision ${written.revisionId} was started; this run doesn't wait for it (wait: false).`,
    };
  }
  const watch = { written, mode, plane, progress, ports, usualMs: progress.facts.usualMs };
  const ending = await conclude(await watchRevision(watch), written, deployment);
  return (await deployment.overtaken?.()) ?? ending;
}

/** How long this run's revision will usually take, where the platform tells; of a resumed one the start isn't seen. */
function usualMs({ inputs, resumed }: DeploymentRun, { before }: WrittenRevision): number | undefined {
  return resumed === undefined && inputs.controlPlane.platform.offers.durations ? before.usualMs : undefined;
}

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
  notePlan(plan, progress);
  return plan;
}

function notePlan(plan: DeploymentPlan, progress: Progress): void {
  const { target } = plan;
  const name = target.kind === "name" ? target.name : undefined;
  progress.note({ title: titleOf(target), name, source: spellSource(plan) });
}

/** Tells what will be done. */
export function announce({ plan, inputs, ports }: DeploymentRun): void {
  ports.log.info(spellPlan(plan));
  for (const name of inputs.desired.secrets.quoted) {
    ports.log.warning(
      `The value of the secret ${name} is wrapped in quotes, which are sent as part of it. Remove them if they aren't meant.`,
    );
  }
}

function write({ yieldsToOlder = false, ...deployment }: DeploymentRun): Promise<WrittenRevision> {
  const { plan, inputs, plane, progress, ports } = deployment;
  const until = ports.clock.now() + inputs.mode.timeoutMs;
  return writeDeployment(plan, { plane, progress, ports, until, yieldsToOlder });
}

function resume({ progress, ports }: DeploymentRun, resumed: WrittenRevision): WrittenRevision {
  ports.log.info(
    `An earlier attempt or step of this run started revision ${resumed.revisionId}, which hasn't ended: watching that one.`,
  );
  progress.identified(resumed.deploymentId);
  progress.note({ resumed: true });
  progress.writing();
  return resumed;
}

/** `dry_run`: looks up what would be changed, and shows what would be sent, as the platform names its fields. */
async function describe({ plan, inputs, plane, progress, ports }: DeploymentRun): Promise<Ending> {
  const located = await locate(plan, plane);
  const found = located.kind === "found" ? located.deployment : undefined;
  if (found) {
    progress.deployment(found, false);
    checkFixedInputs(plan, found);
  }
  if (located.kind === "missing" && !located.listed) warnOfNoList(progress.facts.title, ports.log);
  const request = found
    ? withoutFixedFields(plan.update, plan.fixed, found)
    : await creatable(plan, { plane, ports });
  const shown = showableRequest(request, inputs.controlPlane.platform);
  const what = found ? `update deployment ${found.id}` : `create deployment ${progress.facts.title}`;
  progress.note({ request: shown });
  ports.log.group(`What would be sent to ${what}`);
  for (const line of shown.split("\n")) ports.log.info(line);
  ports.log.endGroup();
  return {
    outcome: "planned",
    message: `This run would ${what}; nothing was sent, because dry_run is true.`,
  };
}
