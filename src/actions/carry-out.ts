import { conclude } from "../deployment/conclude.ts";
import { interruptOnCancel } from "../deployment/interrupt-on-cancel.ts";
import { watchRevision } from "../deployment/watch.ts";
import { writeDeployment } from "../deployment/write.ts";
import type { AppliedRevision } from "../deployment/written.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { Ending } from "../progress/ending.ts";
import { describeDryRun } from "./dry-run.ts";

/** Does what was announced, up to the end of this run's revision. */
export async function applyPlan(deployment: DeploymentRun): Promise<Ending> {
  const { inputs, plane, progress, context } = deployment;
  const { mode } = inputs;
  if (mode.dryRun) return await describeDryRun(deployment);
  if (inputs.after.interruptsOnCancel) {
    progress.lastAct = () => interruptOnCancel(progress.facts, inputs.controlPlane, context);
  }
  const written = deployment.resumed ? resume(deployment, deployment.resumed) : await write(deployment);
  progress.note({ typicalMs: typicalMs(deployment, written) });
  await progress.revision(written.revisionId);
  const overtaken = await deployment.overtaken?.();
  if (overtaken) return overtaken;
  if (!mode.wait) {
    return {
      outcome: "started",
      message: `Revision ${written.revisionId} was started; this run doesn't wait for it (wait: false).`,
    };
  }
  const watch = { written, mode, plane, progress, context, typicalMs: progress.facts.typicalMs };
  const ending = await conclude(await watchRevision(watch), written, deployment);
  return (await deployment.overtaken?.()) ?? ending;
}

/** How long this run's revision will usually take, where the platform tells; of a resumed one the start isn't seen. */
function typicalMs({ inputs, resumed }: DeploymentRun, { before }: AppliedRevision): number | undefined {
  return resumed === undefined && inputs.controlPlane.platform.offers.durations
    ? before.typicalMs
    : undefined;
}

function write(deployment: DeploymentRun): Promise<AppliedRevision> {
  const { plan, plane, progress, context, until, yieldsToOlder = false } = deployment;
  return writeDeployment(plan, { plane, progress, context, until, yieldsToOlder });
}

function resume({ progress, context }: DeploymentRun, resumed: AppliedRevision): AppliedRevision {
  context.log.info(
    `An earlier attempt or step of this run started revision ${resumed.revisionId}, which hasn't ended: watching that one.`,
  );
  progress.identified(resumed.deploymentId);
  progress.note({ resumed: true });
  progress.writing();
  return resumed;
}
