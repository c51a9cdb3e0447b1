import type { Context } from "../context.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import { ActionError } from "../errors.ts";
import { retryUntil } from "../http/retry.ts";
import { ControlPlane } from "../platform/control-plane.ts";
import type { Revision } from "../platform/deployment.ts";
import { kindOfStatus } from "../platform/status.ts";
import type { Ending } from "../progress/ending.ts";
import type { Facts } from "../progress/facts.ts";
import { Progress } from "../progress/progress.ts";
import { formatElapsed } from "../report/log.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { knownRevisions } from "./attribution.ts";
import { NotRedeployableError } from "./errors.ts";
import { deployAgain, type Redeployment } from "./redeploy.ts";
import { planRollback } from "./rollback-plan.ts";
import { watchRevision } from "./watch.ts";
import type { AppliedRevision } from "./written.ts";

/** A rollback to be looked into, and maybe made. */
interface Rollback {
  /** This run's revision, which ended badly. */
  readonly written: AppliedRevision;
  readonly run: DeploymentRun;
  readonly plane: ControlPlane;
}

/**
 * `rollback_on_failure`: deploys again what was live before, where it no longer is, and waits for it, for another
 * `timeout_seconds`. The run ends as it did, with what was done and what is live now told.
 *
 * @throws the cancellation's reason.
 */
export async function rollBack(ended: Ending, written: AppliedRevision, run: DeploymentRun): Promise<Ending> {
  const { inputs, progress, context } = run;
  const patience = retryUntil(context.clock.now() + inputs.mode.timeoutMs);
  const rollback = { written, run, plane: new ControlPlane(inputs.controlPlane, context, patience) };
  progress.note({ stage: "still rolling back" });
  const told = await sayHowItEnds(rollback);
  progress.note({ stage: undefined });
  progress.settled();
  return { ...ended, message: `${ended.message} ${told}` };
}

async function sayHowItEnds(rollback: Rollback): Promise<string> {
  try {
    return await attempt(rollback);
  } catch (error) {
    rollback.run.context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    const failed = error instanceof NotRedeployableError ? "" : "The rollback failed: ";
    return `${failed}${error.message} ${error.hint} ${await sayWhatIsLive(rollback)}`;
  }
}

async function attempt(rollback: Rollback): Promise<string> {
  const { written, run, plane } = rollback;
  const { deploymentId } = written;
  const { progress } = run;
  const deployment = await plane.getDeployment(deploymentId);
  const listed = await plane.listRevisions(deploymentId);
  const wasDeployed = kindOfStatus(progress.facts.statuses.at(-1)?.status ?? "") === "deployed";
  const plan = planRollback({ written, wasDeployed, deployment, listed });
  if (plan.kind === "leave") return plan.why;
  const earlier =
    listed.find(({ id }) => id === plan.revisionId) ??
    (await plane.getRevision(deploymentId, plan.revisionId));
  const shownIds = [deployment.latestRevisionId, deployment.activeRevisionId, written.revisionId];
  const redeployment = {
    earlier,
    deployment,
    before: knownRevisions(listed, shownIds),
    notThis: run.plan.source,
  };
  const again = await deployAndWatch(redeployment, rollback);
  if (again.failure === undefined) progress.note({ rolledBackTo: earlier.id });
  const done = `Rolled back: revision ${shown(earlier.id)}, which was live before, was deployed again as revision ${shown(again.id)}.`;
  return `${again.failure ?? done} ${await sayWhatIsLive(rollback)}`;
}

/** Answers with the new revision, and, where what was live before isn't live again by it, why, as a sentence. */
async function deployAndWatch(
  redeployment: Redeployment,
  { run, plane }: Rollback,
): Promise<{ readonly id: string; readonly failure: string | undefined }> {
  const { earlier, deployment } = redeployment;
  const { inputs, context } = run;
  context.log.info(`Rolling back to revision ${earlier.id}, which was live before.`);
  const progress = ownProgress(run.progress, earlier.id, context);
  run.progress.mayLeave(
    `Deployment ${deployment.id} may be on its way back to revision ${earlier.id}: that goes on on the platform.`,
  );
  const written = await deployAgain(redeployment, { plane, progress, context });
  run.progress.mayLeave(
    `The rollback of deployment ${deployment.id}, to revision ${earlier.id}, goes on on the platform as revision ${written.revisionId}.`,
  );
  const ending = await watchRevision({ written, mode: inputs.mode, plane, progress, context });
  return { id: written.revisionId, failure: failureOf(ending, earlier, progress.facts) };
}

/** The rollback's own course, so that the statuses and ids told of this run stay those of its own revision. */
function ownProgress(ofRun: Progress, earlierId: string, context: Context): Progress {
  const progress = new Progress(context);
  progress.tell({
    onStatus({ statuses }) {
      const status = statuses.at(-1)?.status;
      context.log.info(`[${formatElapsed(ofRun.facts, context.clock.now())}] Rollback: ${status}`);
      ofRun.note({ stage: `still rolling back to revision ${earlierId}: ${status}` });
    },
  });
  return progress;
}

function failureOf(ending: Ending, earlier: Revision, { commitSha }: Facts): string | undefined {
  const revision = `revision ${shown(earlier.id)}, which was live before,`;
  if (ending.outcome !== "deployed") return `The rollback to ${revision} didn't succeed. ${ending.message}`;
  if (commitSha === undefined || earlier.commitSha === undefined || commitSha === earlier.commitSha) {
    return undefined;
  }
  return `What ${revision} deployed was deployed again, but built from commit ${shown(commitSha)} in place of ${shown(earlier.commitSha)}.`;
}

async function sayWhatIsLive({ written, run, plane }: Rollback): Promise<string> {
  try {
    const { activeRevisionId } = await plane.once().getDeployment(written.deploymentId);
    if (typeof activeRevisionId === "string") return `Live now is revision ${shown(activeRevisionId)}.`;
    return "The platform doesn't show which revision is live now.";
  } catch (error) {
    run.context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return `Which revision is live now can't be told: ${error.message}`;
  }
}

function shown(text: string): string {
  return sanitizeExcerpt(text, 100);
}
