import { conclude } from "../after/conclude.ts";
import { interruptOnCancel } from "../after/on-cancel.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { Ending } from "../progress/ending.ts";
import type { WrittenRevision } from "../revisions/written.ts";
import { watchRevision } from "../watch/watch.ts";
import { writeDeployment } from "../write/write.ts";
import { describeDryRun } from "./dry-run.ts";

/** Does what was announced, up to the end of this run's revision. */
export async function carryOut(deployment: DeploymentRun): Promise<Ending> {
  const { inputs, plane, progress, ports } = deployment;
  const { mode } = inputs;
  if (mode.dryRun) return await describeDryRun(deployment);
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

function write(deployment: DeploymentRun): Promise<WrittenRevision> {
  const { plan, plane, progress, ports, until, yieldsToOlder = false } = deployment;
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
