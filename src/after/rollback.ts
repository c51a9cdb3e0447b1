import type { DeploymentRun } from "../actions/deployment-run.ts";
import { ControlPlane, lacksEndpoint } from "../control-plane/client.ts";
import type { Deployment, Revision, RevisionSource } from "../control-plane/deployment.ts";
import { ActionError, toError } from "../errors.ts";
import { revisionConfig } from "../plan/requests.ts";
import { planRollback } from "../plan/rollback.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../report/ending.ts";
import { type Facts, Progress } from "../report/progress.ts";
import { inertExcerpt } from "../text/inert.ts";
import { deploys, knownRevisions } from "../watch/attribution.ts";
import { kindOfStatus } from "../watch/statuses.ts";
import { watchRevision } from "../watch/watch.ts";
import { makeRevision } from "../write/make-revision.ts";
import type { WrittenRevision } from "../write/write.ts";

/** A rollback to be looked into, and maybe made. */
interface Rollback {
  /** This run's revision, which ended badly. */
  readonly written: WrittenRevision;
  readonly run: DeploymentRun;
  readonly plane: ControlPlane;
}

/** Why what was live before can't be, or hasn't been, made live again; the message is all that is told of it. */
class RollbackError extends ActionError {
  override readonly name = "RollbackError";
  readonly hint = "";
}

/** This control plane can't deploy a revision again by its id. */
class NoRedeployError extends ActionError {
  override readonly name = "NoRedeployError";
  readonly hint = "";
}

/**
 * `rollback_on_failure`: deploys again what was live before, where it no longer is, and waits for it, for another
 * `timeout_seconds`. The run ends as it did, with what was done and what is live now told.
 *
 * @throws the cancellation's reason.
 */
export async function rollBack(ended: Ending, written: WrittenRevision, run: DeploymentRun): Promise<Ending> {
  const { inputs, progress, ports } = run;
  const { facts } = progress;
  const patience = { attempts: 5, until: ports.clock.now() + inputs.mode.timeoutMs };
  const rollback = { written, run, plane: new ControlPlane(inputs.controlPlane, ports, patience) };
  facts.stage = "still rolling back";
  const told = await sayHowItEnds(rollback);
  facts.stage = undefined;
  facts.unsettled = undefined;
  return { ...ended, message: `${ended.message} ${told}` };
}

async function sayHowItEnds(rollback: Rollback): Promise<string> {
  try {
    return await attempt(rollback);
  } catch (error) {
    rollback.run.ports.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    const why = error instanceof RollbackError ? "" : "The rollback failed: ";
    return [`${why}${error.message}`, error.hint, await sayWhatIsLive(rollback)]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }
}

async function attempt(rollback: Rollback): Promise<string> {
  const { written, run, plane } = rollback;
  const { deploymentId } = written;
  const { facts } = run.progress;
  const found = await plane.getDeployment(deploymentId);
  const listed = await plane.listRevisions(deploymentId);
  const wasDeployed = kindOfStatus(facts.statuses.at(-1)?.status ?? "") === "deployed";
  const plan = planRollback({ written, wasDeployed, deployment: found, listed });
  if (plan.kind === "leave") return plan.why;
  const earlier =
    listed.find(({ id }) => id === plan.revisionId) ??
    (await plane.getRevision(deploymentId, plan.revisionId));
  run.ports.log.info(`Rolling back to revision ${earlier.id}, which was live before.`);
  const progress = ownProgress(facts, earlier.id, run.ports);
  const again = await deployAgain(earlier, { found, listed }, rollback, progress);
  facts.unsettled = `The rollback of deployment ${deploymentId}, to revision ${earlier.id}, goes on on the platform as revision ${again.revisionId}.`;
  const ending = await watchRevision({
    written: again,
    mode: run.inputs.mode,
    plane,
    progress,
    ports: run.ports,
  });
  checkEnd(ending, earlier, progress.facts);
  facts.rolledBackTo = earlier.id;
  const done = `Rolled back: revision ${shown(earlier.id)}, which was live before, was deployed again as revision ${shown(again.revisionId)}.`;
  return `${done} ${await sayWhatIsLive(rollback)}`;
}

/** The rollback's own course, so that the statuses and ids told of this run stay those of its own revision. */
function ownProgress(facts: Facts, earlierId: string, ports: Ports): Progress {
  const progress = new Progress(ports);
  progress.tell({
    onStatus({ statuses }) {
      const status = statuses.at(-1)?.status;
      ports.log.info(`Rollback: ${status}`);
      facts.stage = `still rolling back to revision ${earlierId}: ${status}`;
    },
  });
  return progress;
}

function checkEnd(ending: Ending, earlier: Revision, { commitSha }: Readonly<Facts>): void {
  if (ending.outcome !== "deployed") {
    throw new RollbackError(
      `The rollback to revision ${shown(earlier.id)}, which was live before, didn't succeed. ${ending.message}`,
    );
  }
  if (commitSha !== undefined && earlier.commitSha !== undefined && commitSha !== earlier.commitSha) {
    throw new RollbackError(
      `Revision ${shown(earlier.id)}, which was live before, was deployed again, but built from commit ${shown(commitSha)} in place of ${shown(earlier.commitSha)}.`,
    );
  }
}

/** Has the platform make a revision of what an earlier one deploys. @throws RollbackError where it can't. */
async function deployAgain(
  earlier: Revision,
  now: { readonly found: Deployment; readonly listed: readonly Revision[] },
  { written, run, plane }: Rollback,
  progress: Progress,
): Promise<WrittenRevision> {
  const { found, listed } = now;
  const shownIds = [found.latestRevisionId, found.activeRevisionId, written.revisionId];
  const what = `the rollback of deployment ${found.id} to revision ${earlier.id}`;
  const write = {
    deployment: found,
    before: knownRevisions(listed, shownIds),
    liveBefore: undefined,
    source: earlier.source ?? {},
    what,
  };
  const tools = { plane, progress, ports: run.ports };
  run.progress.facts.unsettled = `Deployment ${found.id} may be on its way back to revision ${earlier.id}: that goes on on the platform.`;
  try {
    return await makeRevision({ ...write, send: () => redeploy(earlier, found, plane) }, tools);
  } catch (error) {
    if (!(error instanceof NoRedeployError)) throw error;
    const source = lastingSource(earlier, run.plan.source, error);
    run.ports.log.info(`${error.message} Updating the deployment to what revision ${earlier.id} deployed.`);
    const request = { source_revision_config: revisionConfig(source) };
    return await makeRevision({ ...write, send: () => plane.updateDeployment(found.id, request) }, tools);
  }
}

async function redeploy(
  earlier: Revision,
  found: Deployment,
  plane: ControlPlane,
): Promise<Deployment | undefined> {
  try {
    return await plane.redeployRevision(found.id, earlier.id);
  } catch (error) {
    if (!lacksEndpoint(error)) throw error;
    const words = toError(error).message;
    throw new NoRedeployError(`This control plane can't deploy a revision again by its id: ${words}`, {
      cause: error,
    });
  }
}

/** What an update can name to get the same again. @throws RollbackError where there is no such thing. */
function lastingSource(earlier: Revision, own: RevisionSource, cause: NoRedeployError): RevisionSource {
  const { source } = earlier;
  const leave = (why: string) =>
    new RollbackError(`${cause.message} Nothing was rolled back, because ${why}.`, { cause });
  const revision = `revision ${shown(earlier.id)}`;
  if (source?.imageUri === undefined && source?.repoRef === undefined) {
    throw leave(`it isn't shown either what ${revision}, which was live before, deployed`);
  }
  if (source.imageUri === undefined && !source.repoRef?.startsWith("refs/tags/")) {
    throw leave(
      `${revision}, which was live before, is of the branch ${shown(source.repoRef ?? "")}, which would be built as it is now`,
    );
  }
  if (deploys(earlier, own) === true) {
    throw leave(`${revision}, which was live before, deployed the same as this run`);
  }
  return source.imageUri === undefined ? source : { ...source, repoRef: undefined };
}

async function sayWhatIsLive({ written, run, plane }: Rollback): Promise<string> {
  try {
    const { activeRevisionId } = await plane.once().getDeployment(written.deploymentId);
    if (typeof activeRevisionId === "string") return `Live now is revision ${shown(activeRevisionId)}.`;
    return "The platform doesn't show which revision is live now.";
  } catch (error) {
    run.ports.cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    return `Which revision is live now can't be told: ${error.message}`;
  }
}

function shown(text: string): string {
  return inertExcerpt(text, 100);
}
