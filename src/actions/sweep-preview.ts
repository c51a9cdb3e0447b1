import type { Context } from "../context.ts";
import type { Removal } from "../deployment/remove.ts";
import { ActionError } from "../errors.ts";
import type { GitHub } from "../github/client.ts";
import { GitHubError, ProxyRefusedError, RateLimitError } from "../github/errors.ts";
import { purposes } from "../github/purposes.ts";
import { makeInactive } from "../github/records.ts";
import { ConnectionError } from "../http/errors.ts";
import { ResponseError } from "../http/response-error.ts";
import type { SweepInputs } from "../inputs/sweep.ts";
import { runUrl, type WorkflowRun } from "../inputs/workflow-run.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { ifFound } from "../platform/failures.ts";
import type { Progress } from "../progress/progress.ts";
import { type SweepResult, sweptAs } from "../report/sweep.ts";
import { describeMissing, planeToRemove, removeTracked } from "./removal.ts";
import { judge, previewsOf, type SweptPreview, type Verdict } from "./sweep-plan.ts";

/** What the sweep of each preview needs. */
export interface Sweep {
  readonly inputs: SweepInputs;
  readonly run: WorkflowRun;
  readonly github: GitHub;
  readonly result: SweepResult;
  readonly progress: Progress;
  readonly context: Context;
  /** What the preview that was looked at last failed with, undefined where it didn't. */
  lastFailure: ActionError | undefined;
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
 * @throws ActionError where what failed would befall the others as well.
 */
export async function sweepOne(seen: SweptPreview, sweep: Sweep): Promise<void> {
  const { github, result, context } = sweep;
  try {
    context.cancelled.throwIfAborted();
    const preview = await asActive(seen, github);
    if (preview === undefined) return;
    await sweepActive(preview, sweep);
    sweep.lastFailure = undefined;
  } catch (error) {
    context.cancelled.throwIfAborted();
    if (!(error instanceof ActionError) || befallsAll(error, sweep.lastFailure)) throw error;
    sweep.lastFailure = error;
    tellFailure(`${seen.name}: ${error.message} ${error.hint}`, sweep);
    result.swept.push({ name: seen.name, fate: "failed", why: error.message, hint: error.hint });
  }
}

/**
 * Whether the next preview would meet the same: a key or a permission is missing, or GitHub is to be left alone. Where
 * it may be this preview's own trouble, such as a workspace that is another, it takes two previews in a row.
 */
function befallsAll(error: ActionError, lastFailure: ActionError | undefined): boolean {
  if (error instanceof RateLimitError || error instanceof ProxyRefusedError) return true;
  const status = error instanceof ResponseError || error instanceof GitHubError ? error.status : undefined;
  if (status === 401 || (status === 403 && error instanceof GitHubError)) return true;
  const trouble = troubleOfMany(error);
  return trouble !== undefined && lastFailure !== undefined && trouble === troubleOfMany(lastFailure);
}

/** What may befall the others as well, the same for errors of one kind; undefined for what is surely one preview's own. */
function troubleOfMany(error: ActionError): "no connection" | "forbidden" | "no API" | undefined {
  if (error instanceof ConnectionError) return "no connection";
  if (!(error instanceof ResponseError)) return undefined;
  if (error.status === 403) return "forbidden";
  return error.status === 404 && !error.json ? "no API" : undefined;
}

/** Of the nine annotations that a step has (contract, 3.4) the last is for how the sweep ended. */
const maxAnnotated = 8;

/** To be called before the result knows of it. */
function tellFailure(text: string, { result, context: { log } }: Sweep): void {
  if (sweptAs("failed", result).length < maxAnnotated) log.error(text);
  else log.info(text);
}

async function sweepActive(preview: SweptPreview, sweep: Sweep): Promise<void> {
  const { inputs, result, context } = sweep;
  const { name } = preview;
  const { goes, why } = await verdictOn(preview, sweep);
  if (!goes) return void result.swept.push({ name, fate: "kept", why });
  const plane = planeToRemove(inputs.controlPlane, context);
  const otherName = await nameShown(preview, plane);
  if (otherName !== undefined) {
    const mismatch = `its record's deployment goes by the name ${otherName} now`;
    context.log.warning(`${name} is left alone: ${mismatch}.`);
    return void result.swept.push({ name, fate: "kept", why: mismatch });
  }
  context.log.info(`${inputs.dryRun ? "Would delete" : "Deleting"} ${name}: ${why}.`);
  if (!inputs.dryRun) await remove(preview, plane, sweep);
  result.swept.push({ name, fate: "deleted", why });
}

async function verdictOn(preview: SweptPreview, { github, inputs, context }: Sweep): Promise<Verdict> {
  const { pullRequest } = preview;
  const { readSweptPullRequest: purpose } = purposes;
  const state =
    pullRequest === undefined ? undefined : await github.repository.pullRequest(pullRequest, purpose);
  return judge(preview, state?.open, inputs.maxAgeDays, context.clock.now());
}

/** The name that the deployment shows, where it is another than the preview's: it isn't to be touched (contract, 5). */
async function nameShown(preview: SweptPreview, plane: ControlPlane): Promise<string | undefined> {
  const deployment = await ifFound(plane.getDeployment(preview.deploymentId));
  return deployment?.name === preview.name ? undefined : deployment?.name;
}

async function remove(preview: SweptPreview, plane: ControlPlane, sweep: Sweep): Promise<void> {
  const { github, run, context } = sweep;
  if ((await removeOrDoubt(preview, plane, sweep)) === undefined)
    context.log.notice(describeMissing(`The deployment of ${preview.name}`));
  const why = { logUrl: runUrl(run), description: "The preview was swept" };
  await github.tolerate(() => makeInactive(github, preview.records, why));
}

/** Answers and throws like `removeTracked`, and keeps in the result what a cancel leaves in doubt. */
async function removeOrDoubt(
  { name, deploymentId: id }: SweptPreview,
  plane: ControlPlane,
  { result, progress, context }: Sweep,
): Promise<Removal | undefined> {
  try {
    return await removeTracked({ id, title: name }, plane, progress, context);
  } catch (error) {
    if (context.cancelled.aborted)
      result.swept.push({ name, fate: "doubtful", why: "the run was cancelled while it was being deleted" });
    throw error;
  }
}
