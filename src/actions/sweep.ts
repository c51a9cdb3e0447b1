import { ControlPlane, ifThere } from "../control-plane/client.ts";
import { ActionError } from "../errors.ts";
import { GitHub } from "../github/client.ts";
import { RateLimitError } from "../github/errors.ts";
import { makeInactive, ownRecords } from "../github/records.ts";
import { InputReader } from "../inputs/reader.ts";
import { readSweepInputs, type SweepInputs } from "../inputs/sweep.ts";
import { readWorkflowRun, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { previewsOf, reasonToSweep, type SweptPreview } from "../plan/sweep.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../report/ending.ts";
import { logReporter } from "../report/log.ts";
import type { Progress } from "../report/progress.ts";
import { type SweepResult, sweepReporter } from "../report/sweep.ts";
import { endingAtLimit, sweepEnding } from "../report/sweep-ending.ts";
import { removeDeployment } from "../write/remove.ts";
import { deletePatienceMs } from "./delete.ts";

interface Sweep {
  readonly inputs: SweepInputs;
  readonly run: WorkflowRun;
  readonly github: GitHub;
  readonly result: SweepResult;
  readonly progress: Progress;
  readonly ports: Ports;
}

/** The sweep action: deletes previews whose pull request is closed, or which are too old (contract, 5). */
export async function sweep(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  const result: SweepResult = {
    deleted: [],
    kept: [],
    failed: [],
    found: undefined,
    notSeen: 0,
    dryRun: false,
  };
  progress.tell(sweepReporter(result, ports), logReporter(ports));
  const reader = new InputReader(ports.env);
  const inputs = readSweepInputs(reader);
  result.dryRun = inputs.dryRun;
  reader.finish();
  const { githubToken: token, controlPlane } = inputs;
  const { requestTimeoutMs } = controlPlane;
  const github = new GitHub({ token, repository: run.repository, requestTimeoutMs }, ports);
  try {
    await sweepAll({ inputs, run, github, result, progress, ports });
  } catch (error) {
    ports.cancelled.throwIfAborted();
    if (error instanceof RateLimitError) return endingAtLimit(result, error);
    throw error;
  }
  return sweepEnding(result);
}

async function sweepAll(sweep: Sweep): Promise<void> {
  const { github, inputs, result } = sweep;
  const previews = previewsOf(await ownRecords(github, inputs.environment));
  result.found = previews.length;
  result.notSeen = previews.length;
  const left = await withoutTheDead(previews, github);
  for (const [index, preview] of left.entries()) {
    result.notSeen = left.length - index;
    await sweepOne(preview, sweep);
  }
  result.notSeen = 0;
}

/**
 * Up to so many previews each one's state is asked for by itself: it needs nothing of GitHub but REST, and at most a
 * twentieth of the 1,000 requests an hour of a workflow's token (docs.github.com, Rate limits for the REST API).
 */
const mostAskedSingly = 50;

/**
 * Leaves out previews whose newest record is inactive. A busy repository has hundreds of them, and REST's list shows no
 * states. The others are asked about again when their turn comes: until then a push may have replaced the record.
 */
async function withoutTheDead(previews: readonly SweptPreview[], github: GitHub) {
  if (previews.length <= mostAskedSingly) return previews;
  const ids = previews.map(({ newest }) => newest.nodeId).filter((id) => id !== undefined);
  const states = await github.newestStates(ids);
  const dead = new Set(ids.filter((_id, index) => states[index] === "inactive"));
  return previews.filter(({ newest }) => newest.nodeId === undefined || !dead.has(newest.nodeId));
}

/**
 * One failing preview doesn't stop the others; it fails the step at the end.
 *
 * @throws RateLimitError, for then GitHub is to be left alone.
 */
async function sweepOne(preview: SweptPreview, sweep: Sweep): Promise<void> {
  const { inputs, github, result, ports } = sweep;
  const { log, cancelled } = ports;
  try {
    cancelled.throwIfAborted();
    if ((await github.newestState(preview.newest.id)) === "inactive") return;
    const reason = await reasonFor(preview, sweep);
    const plane = planeForOne(sweep);
    if (reason === undefined || !(await bearsItsName(preview, plane, ports))) {
      result.kept.push(preview.name);
      return;
    }
    log.info(`${inputs.dryRun ? "Would delete" : "Deleting"} ${preview.name}: ${reason}.`);
    if (!inputs.dryRun) await remove(preview, plane, sweep);
    result.deleted.push(preview.name);
  } catch (error) {
    cancelled.throwIfAborted();
    if (!(error instanceof ActionError) || error instanceof RateLimitError) throw error;
    log.error(`${preview.name}: ${error.message} ${error.hint}`);
    result.failed.push(preview.name);
  }
}

/** Why the preview goes; undefined where it stays. */
async function reasonFor(
  preview: SweptPreview,
  { github, inputs, ports }: Sweep,
): Promise<string | undefined> {
  const { pullRequest } = preview;
  const state = pullRequest === undefined ? undefined : await github.pullRequest(pullRequest);
  return reasonToSweep(preview, state?.open, inputs.maxAgeDays, ports.clock.now());
}

/** The control plane for one preview, which has its own time however long those before it took. */
function planeForOne({ inputs, ports }: Sweep): ControlPlane {
  const until = ports.clock.now() + deletePatienceMs;
  return new ControlPlane(inputs.controlPlane, ports, { attempts: 5, until });
}

/** False where the deployment shows another name than the preview's, and so isn't to be touched (contract, 5). */
async function bearsItsName(preview: SweptPreview, plane: ControlPlane, ports: Ports): Promise<boolean> {
  const deployment = await ifThere(plane.getDeployment(preview.deploymentId));
  if (deployment?.name === undefined || deployment.name === preview.name) return true;
  ports.log.warning(
    `${preview.name} is left alone: its record's deployment goes by the name ${deployment.name} now.`,
  );
  return false;
}

async function remove(preview: SweptPreview, plane: ControlPlane, sweep: Sweep): Promise<void> {
  const { github, run, progress, ports } = sweep;
  progress.deleting(preview.name);
  const removed = await removeDeployment(preview.deploymentId, plane, ports);
  if (!removed)
    ports.log.notice(`The deployment of ${preview.name} is gone: there was nothing left to delete.`);
  const why = { logUrl: runUrl(run), description: "The preview was swept" };
  await github.tolerate(() => makeInactive(github, preview.records, why));
}
