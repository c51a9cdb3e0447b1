import type { PlatformContext } from "../context.ts";
import { deleteDeployment } from "../deployments/delete-deployment.ts";
import { MayStillExistError, requireGone } from "../deployments/look-up-deployment.ts";
import { type Failure, type SuccessEnding, toResult, undefinedIf } from "../errors.ts";
import {
  isActionRecord,
  isOfControlPlane,
  listAllRecords,
  nameOfTask,
  withStates,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { operations } from "../github/operations.ts";
import { readPullRequest } from "../github/repository.ts";
import type { AnyRecord } from "../github/schemas.ts";
import { isNotFound } from "../http/request-error.ts";
import type { SweepInputs } from "../inputs/read-preview-inputs.ts";
import type { DeploymentId } from "../platform/ids.ts";
import type { Report } from "../report/report.ts";
import { code, inputName, joined, type Phrase, phrase, text } from "../text/message.ts";
import { dayMs } from "../text/time.ts";
import { recordDeletion } from "./delete-preview.ts";
import { endingOfSweep, reportSwept, type SweepEnd, type SweptPreview } from "./sweep-report.ts";

interface SweepContext extends PlatformContext {
  readonly inputs: SweepInputs;
  readonly github: GitHubClient;
}

/** Deletes the previews whose pull request is closed, or which are too old, one after the other. */
export async function sweep(context: SweepContext): Promise<SuccessEnding> {
  const { cancelled, inputs, report } = context;
  const swept: SweptPreview[] = [];
  for (const [name, records] of await listPreviews(context)) {
    cancelled.throwIfAborted();
    const result = await toResult(() => sweepPreview(context, name, records));
    const end = result.error === undefined ? result.value : endOfFailure(name, result.error, report);
    swept.push({ name, ...end });
    // A run that is cancelled shows what it did too.
    reportSwept(swept, report);
  }
  return endingOfSweep(swept, inputs.dryRun);
}

function endOfFailure(name: string, error: Failure, report: Report): SweepEnd {
  const reason = joined([error.quoted, error.ending.hint]);
  if (!(error instanceof MayStillExistError)) return { result: "failed", reason };
  report.warning(text`${code(name)} was kept: ${reason}`);
  return { result: "kept", reason };
}

/** Returns the records that are not inactive, newest first, by the names of their previews. */
async function listPreviews({ inputs, github }: SweepContext): Promise<Map<string, AnyRecord[]>> {
  const all = await github.untilCancelled(() => listAllRecords(github, inputs.environment));
  const ofPreviews = all.filter(({ task }) => nameOfTask(task) !== undefined);
  const read = await github.untilCancelled(() => withStates(github, ofPreviews));
  const active = read.filter(({ state }) => state !== "inactive");
  return Map.groupBy(active, ({ task }) => nameOfTask(task) ?? "");
}

async function sweepPreview(
  context: SweepContext,
  name: string,
  allRecords: readonly AnyRecord[],
): Promise<SweepEnd> {
  const { inputs, github, clock, controlPlane } = context;
  const { maxAgeDays } = inputs;
  const records = allRecords
    .filter(isActionRecord)
    .filter((record) => isOfControlPlane(record, controlPlane.digest));
  const [newest] = records;
  const number = newest?.payload.pull_request;
  if (newest?.payload.name !== name || number === undefined) {
    const reason = phrase`its record belongs to a different login, control plane or workspace`;
    return { result: "leftAlone", reason };
  }
  const pullRequest = phrase`pull request ${code(`#${number}`)}`;
  const { state } = await github.untilCancelled(() =>
    readPullRequest(github, number, operations.readSweptPullRequest),
  );
  const isOld = maxAgeDays !== undefined && clock.now() - newest.created_at > maxAgeDays * dayMs;
  const isOpen = state === "open";
  if (isOpen && !isOld) return { result: "kept", reason: phrase`${pullRequest} is open` };
  const unwanted = isOpen
    ? phrase`its newest active record is older than ${inputName("max_age_days")} (${maxAgeDays})`
    : phrase`${pullRequest} is closed`;
  const end = await deleteSwept(context, name, newest.payload.deployment_id, unwanted);
  if (end.result === "deleted" || (end.result === "gone" && !inputs.dryRun)) {
    await recordDeletion(context, github, records);
  }
  return end;
}

/** Deletes the deployment of a preview, if it still has the preview's name. */
async function deleteSwept(
  context: SweepContext,
  name: string,
  id: DeploymentId,
  unwanted: Phrase,
): Promise<SweepEnd> {
  const { inputs, report, controlPlane } = context;
  const gone = { result: "gone", reason: phrase`its deployment no longer exists` } as const;
  const deployment = await undefinedIf(() => controlPlane.getDeployment(id), isNotFound);
  if (deployment === undefined) {
    await requireGone(context, id, name);
    return gone;
  }
  if (deployment.name !== undefined && deployment.name !== name) {
    return { result: "leftAlone", reason: phrase`its deployment is named ${code(deployment.name)}` };
  }
  if (inputs.dryRun) return { result: "planned", reason: unwanted };
  report.info(text`Deleting ${code(name)}: ${unwanted}.`);
  const deletion = await deleteDeployment(context, id, name);
  return deletion === "gone" ? gone : { result: "deleted", reason: unwanted };
}
