import { deleteDeployment } from "../deployments/delete-deployment.ts";
import { requireGone } from "../deployments/require-gone.ts";
import { type Failure, type SuccessEnding, toResult, undefinedIf } from "../errors.ts";
import {
  type ActionRecord,
  type AnyRecord,
  isActionRecord,
  isOfControlPlane,
  listRecords,
  nameOfTask,
  readStates,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { operations } from "../github/operations.ts";
import { readPullRequest } from "../github/repository.ts";
import { isNotFound } from "../http/error-kinds.ts";
import type { SweepInputs } from "../inputs/read-sweep-inputs.ts";
import type { PlatformJob } from "../platform-job.ts";
import { code, inputName, joined, type Message, text } from "../text/message.ts";
import { dayMs } from "../text/time.ts";
import { retireRecords } from "./delete-preview.ts";
import type { SweepReport } from "./sweep-report.ts";

interface SweepJob extends PlatformJob {
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
export async function sweep(job: SweepJob, swept: SweepReport): Promise<SuccessEnding> {
  for (const preview of await listPreviews(job, swept)) {
    job.cancelled.throwIfAborted();
    const result = await toResult(() => sweepPreview(job, preview, swept), job.cancelled);
    if ("error" in result) swept.add("failed", preview.name, messageWithHint(result.error));
  }
  return swept.ending(job.inputs.dryRun);
}

/** Returns the previews of this control plane and workspace with an active record of this action. */
async function listPreviews(
  { inputs, github, controlPlane }: SweepJob,
  swept: SweepReport,
): Promise<RecordedPreview[]> {
  const all = await github.untilCancelled(() => listRecords(github, inputs.environment));
  const ofPreviews = all.filter(({ task }) => nameOfTask(task) !== undefined);
  const states = await github.untilCancelled(() => readStates(github, ofPreviews));
  const active = ofPreviews.filter(({ id }) => states.get(id) !== "inactive");
  const previews: RecordedPreview[] = [];
  for (const [task, records] of Map.groupBy(active, (record: AnyRecord) => record.task)) {
    const name = nameOfTask(task);
    const own = records
      .filter(isActionRecord)
      .filter((record) => isOfControlPlane(record, controlPlane.digest));
    const [newest] = own;
    if (newest === undefined || name === undefined || newest.payload.name !== name) swept.addForeign();
    else previews.push({ name, newest, records: own });
  }
  return previews;
}

async function sweepPreview(job: SweepJob, preview: RecordedPreview, swept: SweepReport): Promise<void> {
  const { inputs, github, report, controlPlane } = job;
  const { dryRun, deleteTracingProject } = inputs;
  const { name, newest, records } = preview;
  const { isWanted, reason } = await decide(job, preview);
  if (isWanted) return swept.add("kept", name, reason);

  const { deployment_id: id } = newest.payload;
  const deployment = await undefinedIf(() => controlPlane.getDeployment(id), isNotFound);
  if (deployment === undefined) return await sweepMissing(job, preview, swept);
  if (deployment.name !== undefined && deployment.name !== name) return swept.addForeign();
  if (dryRun) return swept.add("planned", name, reason);

  report.info(text`Deleting ${code(name)}: ${reason}.`);
  const deletion = await deleteDeployment(job, id, { nameOrId: name, deleteTracingProject });
  swept.add(deletion, name, deletion === "deleted" ? reason : goneReason);
  await retireRecords(job, github, records);
}

/** Reports a preview whose deployment was not found. It counts as gone only if the list of the API confirms that. */
async function sweepMissing(
  job: SweepJob,
  { name, newest, records }: RecordedPreview,
  swept: SweepReport,
): Promise<void> {
  const { deployment_id: id } = newest.payload;
  const confirmed = await toResult(() => requireGone(job, id, name), job.cancelled);
  if ("error" in confirmed) {
    const reason = messageWithHint(confirmed.error);
    job.report.warning(text`${code(name)} was kept: ${reason}`);
    return swept.add("kept", name, reason);
  }
  swept.add("gone", name, goneReason);
  if (!job.inputs.dryRun) await retireRecords(job, job.github, records);
}

const goneReason = text`its deployment no longer exists`;

function messageWithHint({ ending: { message, hint } }: Failure): Message {
  return joined([message, hint]);
}

/** Returns whether a preview is still wanted. `reason`: a part of a sentence. */
async function decide(
  { inputs: { maxAgeDays }, github, clock }: SweepJob,
  { newest: { payload, createdAt } }: RecordedPreview,
): Promise<{ isWanted: boolean; reason: Message }> {
  const { pull_request: number } = payload;
  const pullRequest =
    number === undefined
      ? undefined
      : await github.untilCancelled(() => readPullRequest(github, number, operations.readSweptPullRequest));
  if (pullRequest?.isOpen === false)
    return { isWanted: false, reason: text`pull request #${number} is closed` };
  if (maxAgeDays !== undefined && clock.now() - createdAt > maxAgeDays * dayMs) {
    const reason = text`its newest active record is older than ${inputName("max_age_days")} (${maxAgeDays})`;
    return { isWanted: false, reason };
  }
  const reason =
    number === undefined ? text`its record names no pull request` : text`pull request #${number} is open`;
  return { isWanted: true, reason };
}
