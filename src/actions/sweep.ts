import type { ControlPlane } from "../control-plane/client.ts";
import { ifThere } from "../control-plane/failures.ts";
import { ActionError } from "../errors.ts";
import { GitHub } from "../github/client.ts";
import { RateLimitError } from "../github/errors.ts";
import { purposes } from "../github/purposes.ts";
import { makeInactive, type OwnRecord, ownRecords } from "../github/records.ts";
import { InputReader } from "../inputs/reader.ts";
import { readSweepInputs, type SweepInputs } from "../inputs/sweep.ts";
import { readWorkflowRun, runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import { previewsOf, reasonToSweep, type SweptPreview } from "../plan/sweep.ts";
import type { Ports } from "../ports.ts";
import type { Ending } from "../progress/ending.ts";
import type { Progress } from "../progress/progress.ts";
import { logReporter } from "../report/log.ts";
import { type SweepResult, sweepReporter } from "../report/sweep.ts";
import { endingAtLimit, sweepEnding } from "../report/sweep-ending.ts";
import { planeToRemove, removeTracked } from "./removal.ts";

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
  reader.finish(ports.log);
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
  const records = await ownRecords(github, inputs.environment);
  const previews = previewsOf(records);
  result.found = previews.length;
  result.notSeen = previews.length;
  const left =
    records.length <= mostAskedSingly ? previews : previewsOf(await withoutInactive(records, github));
  for (const [index, preview] of left.entries()) {
    result.notSeen = left.length - index;
    await sweepOne(preview, sweep);
  }
  result.notSeen = 0;
}

/**
 * Up to so many records each one's state is asked for by itself: it needs nothing of GitHub but REST, and at most a
 * twentieth of the 1,000 requests an hour of a workflow's token (docs.github.com, Rate limits for the REST API).
 */
const mostAskedSingly = 50;

/** A busy repository has thousands of records, nearly all of them inactive, and REST's list shows no states. */
async function withoutInactive(records: readonly OwnRecord[], github: GitHub): Promise<OwnRecord[]> {
  const ids = records.map(({ nodeId }) => nodeId).filter((id) => id !== undefined);
  const states = await github.records.newestStates(ids);
  const inactive = new Set(ids.filter((_id, index) => states[index] === "inactive"));
  return records.filter(({ nodeId }) => nodeId === undefined || !inactive.has(nodeId));
}

/**
 * The preview as its newest record tells that isn't inactive now, undefined where all are: a revision that came to
 * nothing leaves an inactive record, and the one before it may still be live. Where states were asked for before, they
 * are once more: until a preview's turn comes a push may have replaced its record.
 */
async function asActive({ records }: SweptPreview, github: GitHub): Promise<SweptPreview | undefined> {
  for (const [index, { id }] of records.entries()) {
    if ((await github.records.newestState(id)) !== "inactive") return previewsOf(records.slice(index))[0];
  }
  return undefined;
}

/**
 * One failing preview doesn't stop the others; it fails the step at the end.
 *
 * @throws RateLimitError, for then GitHub is to be left alone.
 */
async function sweepOne(seen: SweptPreview, sweep: Sweep): Promise<void> {
  const { inputs, github, result, ports } = sweep;
  const { log, cancelled } = ports;
  try {
    cancelled.throwIfAborted();
    const preview = await asActive(seen, github);
    if (preview === undefined) return;
    const reason = await reasonFor(preview, sweep);
    const plane = planeToRemove(inputs.controlPlane, ports);
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
    log.error(`${seen.name}: ${error.message} ${error.hint}`);
    result.failed.push(seen.name);
  }
}

/** Why the preview goes; undefined where it stays. */
async function reasonFor(
  preview: SweptPreview,
  { github, inputs, ports }: Sweep,
): Promise<string | undefined> {
  const { pullRequest } = preview;
  const { readSweptPullRequest: purpose } = purposes;
  const state =
    pullRequest === undefined ? undefined : await github.repository.pullRequest(pullRequest, purpose);
  return reasonToSweep(preview, state?.open, inputs.maxAgeDays, ports.clock.now());
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
  const subject = { id: preview.deploymentId, title: preview.name };
  const removed = await removeTracked(subject, plane, progress, ports);
  if (!removed)
    ports.log.notice(`The deployment of ${preview.name} is gone: there was nothing left to delete.`);
  const why = { logUrl: runUrl(run), description: "The preview was swept" };
  await github.tolerate(() => makeInactive(github, preview.records, why));
}
