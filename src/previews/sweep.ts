import { deleteDeployment } from "../deployments/delete-deployment.ts";
import { requireGone } from "../deployments/look-up-deployment.ts";
import { type Failure, type SuccessEnding, toResult, undefinedIf } from "../errors.ts";
import {
  type ActionRecord,
  type AnyRecord,
  isActionRecord,
  isOfControlPlane,
  listAllRecords,
  nameOfTask,
  readStates,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { operations } from "../github/operations.ts";
import { readPullRequest } from "../github/repository.ts";
import { isNotFound } from "../http/request-error.ts";
import type { SweepInputs } from "../inputs/read-sweep-inputs.ts";
import type { PlatformContext } from "../platform-context.ts";
import { code, inputName, joined, type Message, type Phrase, phrase, text } from "../text/message.ts";
import { dayMs } from "../text/time.ts";
import { deactivateRecords } from "./delete-preview.ts";
import type { SweepReport } from "./sweep-report.ts";

interface SweepContext extends PlatformContext {
  readonly inputs: SweepInputs;
  readonly github: GitHubClient;
}

/** A preview as its newest record describes it. */
interface RecordedPreview {
  readonly name: string;
  readonly newest: ActionRecord;
  /** Its records that are not inactive, newest first. */
  readonly records: readonly ActionRecord[];
}

/** Deletes the previews whose pull request is closed, or which are too old, one after the other. */
export async function sweep(context: SweepContext, sweepReport: SweepReport): Promise<SuccessEnding> {
  try {
    for (const preview of await listPreviews(context, sweepReport)) {
      context.cancelled.throwIfAborted();
      const result = await toResult(() => sweepPreview(context, preview, sweepReport), context.cancelled);
      if (result.error !== undefined) sweepReport.add("failed", preview.name, messageWithHint(result.error));
    }
  } finally {
    // A run that is cancelled shows what it did too.
    sweepReport.showTable();
  }
  return sweepReport.toEnding(context.inputs.dryRun);
}

/** Returns the previews of this control plane and workspace with an active record of this action. */
async function listPreviews(
  { inputs, github, controlPlane }: SweepContext,
  sweepReport: SweepReport,
): Promise<RecordedPreview[]> {
  const all = await github.untilCancelled(() => listAllRecords(github, inputs.environment));
  const ofPreviews = all.filter(({ task }) => nameOfTask(task) !== undefined);
  const states = await github.untilCancelled(() => readStates(github, ofPreviews));
  const active = ofPreviews.filter(({ id }) => states.get(id) !== "inactive");
  const previews: RecordedPreview[] = [];
  for (const [task, records] of Map.groupBy(active, (record: AnyRecord) => record.task)) {
    const name = nameOfTask(task);
    const ofControlPlane = records
      .filter(isActionRecord)
      .filter((record) => isOfControlPlane(record, controlPlane.digest));
    const [newest] = ofControlPlane;
    if (newest === undefined || name === undefined || newest.payload.name !== name) sweepReport.addForeign();
    else previews.push({ name, newest, records: ofControlPlane });
  }
  return previews;
}

async function sweepPreview(
  context: SweepContext,
  preview: RecordedPreview,
  sweepReport: SweepReport,
): Promise<void> {
  const { inputs, github, report, controlPlane } = context;
  const { dryRun, deleteTracingProject } = inputs;
  const { name, newest, records } = preview;
  const { isWanted, reason } = await decide(context, preview);
  if (isWanted) return sweepReport.add("kept", name, reason);

  const { deployment_id: id } = newest.payload;
  const deployment = await undefinedIf(() => controlPlane.getDeployment(id), isNotFound);
  if (deployment === undefined) return await sweepMissing(context, preview, sweepReport);
  if (deployment.name !== undefined && deployment.name !== name) return sweepReport.addForeign();
  if (dryRun) return sweepReport.add("planned", name, reason);

  report.info(text`Deleting ${code(name)}: ${reason}.`);
  const deletion = await deleteDeployment(context, id, { nameOrId: name, deleteTracingProject });
  sweepReport.add(deletion, name, deletion === "deleted" ? reason : goneReason);
  await deactivateRecords(context, github, records);
}

/** Reports a preview whose deployment was not found. It counts as gone only if the list of the API confirms that. */
async function sweepMissing(
  context: SweepContext,
  { name, newest, records }: RecordedPreview,
  sweepReport: SweepReport,
): Promise<void> {
  const { deployment_id: id } = newest.payload;
  const confirmed = await toResult(() => requireGone(context, id, name), context.cancelled);
  if (confirmed.error !== undefined) {
    const reason = messageWithHint(confirmed.error);
    context.report.warning(text`${code(name)} was kept: ${reason}`);
    return sweepReport.add("kept", name, reason);
  }
  sweepReport.add("gone", name, goneReason);
  if (!context.inputs.dryRun) await deactivateRecords(context, context.github, records);
}

const goneReason = phrase`its deployment no longer exists`;

function messageWithHint({ quoted, ending }: Failure): Message {
  return joined([quoted, ending.hint]);
}

async function decide(
  { inputs: { maxAgeDays }, github, clock }: SweepContext,
  { newest: { payload, createdAt } }: RecordedPreview,
): Promise<{ isWanted: boolean; reason: Phrase }> {
  const { pull_request: number } = payload;
  const pullRequest =
    number === undefined
      ? undefined
      : await github.untilCancelled(() => readPullRequest(github, number, operations.readSweptPullRequest));
  if (pullRequest?.isOpen === false)
    return { isWanted: false, reason: phrase`pull request ${code(`#${number}`)} is closed` };
  if (maxAgeDays !== undefined && clock.now() - createdAt > maxAgeDays * dayMs) {
    const reason = phrase`its newest active record is older than ${inputName("max_age_days")} (${maxAgeDays})`;
    return { isWanted: false, reason };
  }
  const reason =
    number === undefined
      ? phrase`its record names no pull request`
      : phrase`pull request ${code(`#${number}`)} is open`;
  return { isWanted: true, reason };
}
