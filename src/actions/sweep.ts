import { ControlPlane, ifThere } from "../control-plane/client.ts";
import { ActionError } from "../errors.ts";
import { GitHub } from "../github/client.ts";
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
import { removeDeployment } from "../write/remove.ts";
import { deletePatienceMs } from "./delete.ts";

interface Sweep {
  readonly inputs: SweepInputs;
  readonly run: WorkflowRun;
  readonly github: GitHub;
  readonly plane: ControlPlane;
  readonly progress: Progress;
  readonly ports: Ports;
}

/** The sweep action: deletes previews whose pull request is closed, or which are too old (contract, 5). */
export async function sweep(progress: Progress, ports: Ports): Promise<Ending> {
  const run = readWorkflowRun(ports.env);
  const result: SweepResult = { deleted: [], kept: [], failed: [], dryRun: false };
  progress.tell(sweepReporter(result, ports), logReporter(ports));
  const reader = new InputReader(ports.env);
  const inputs = readSweepInputs(reader);
  result.dryRun = inputs.dryRun;
  reader.finish();
  const { githubToken: token, controlPlane } = inputs;
  const { requestTimeoutMs } = controlPlane;
  const github = new GitHub({ token, repository: run.repository, requestTimeoutMs }, ports);
  const plane = new ControlPlane(controlPlane, ports, {
    attempts: 5,
    until: ports.clock.now() + deletePatienceMs,
  });
  const previews = previewsOf(await ownRecords(github, inputs.environment));
  for (const preview of previews)
    await sweepOne(preview, result, { inputs, run, github, plane, progress, ports });
  return endingOf(result);
}

/** One failing preview doesn't stop the others; it fails the step at the end. */
async function sweepOne(preview: SweptPreview, result: SweepResult, sweep: Sweep): Promise<void> {
  const { log, cancelled } = sweep.ports;
  try {
    cancelled.throwIfAborted();
    if ((await sweep.github.newestState(preview.newest.id)) === "inactive") return;
    const reason = await reasonFor(preview, sweep);
    if (reason === undefined) {
      result.kept.push(preview.name);
      return;
    }
    log.info(`${sweep.inputs.dryRun ? "Would delete" : "Deleting"} ${preview.name}: ${reason}.`);
    if (!sweep.inputs.dryRun) await remove(preview, sweep);
    result.deleted.push(preview.name);
  } catch (error) {
    cancelled.throwIfAborted();
    if (!(error instanceof ActionError)) throw error;
    log.error(`${preview.name}: ${error.message} ${error.hint}`);
    result.failed.push(preview.name);
  }
}

/** Why the preview goes; undefined where it stays. */
async function reasonFor(preview: SweptPreview, sweep: Sweep): Promise<string | undefined> {
  const { github, inputs, plane, ports } = sweep;
  const { pullRequest } = preview;
  const state = pullRequest === undefined ? undefined : await github.pullRequest(pullRequest);
  const reason = reasonToSweep(preview, state?.open, inputs.maxAgeDays, ports.clock.now());
  if (reason === undefined) return undefined;
  const deployment = await ifThere(plane.getDeployment(preview.deploymentId));
  if (deployment?.name === undefined || deployment.name === preview.name) return reason;
  ports.log.warning(
    `${preview.name} is left alone: its record's deployment goes by the name ${deployment.name} now.`,
  );
  return undefined;
}

async function remove(preview: SweptPreview, { github, run, plane, progress, ports }: Sweep): Promise<void> {
  progress.deleting(preview.name);
  const removed = await removeDeployment(preview.deploymentId, plane, ports);
  if (!removed)
    ports.log.notice(`The deployment of ${preview.name} is gone: there was nothing left to delete.`);
  const why = { logUrl: runUrl(run), description: "The preview was swept" };
  await github.tolerate(() => makeInactive(github, preview.records, why));
}

function endingOf({ deleted, kept, failed, dryRun }: SweepResult): Ending {
  const counts = `${deleted.length} deleted, ${kept.length} kept`;
  if (failed.length > 0) {
    return {
      outcome: "failed",
      message: `${failed.length} of the previews could not be swept: ${failed.join(", ")} (${counts}).`,
      hint: "Each has an error of its own in the log; the next sweep tries again.",
    };
  }
  if (dryRun)
    return {
      outcome: "planned",
      message: `Would be ${counts}; nothing was changed, because dry_run is true.`,
    };
  return { outcome: "deleted", message: `Previews: ${counts}.` };
}
