import type { AppliedRevision } from "../deployment/attribution.ts";
import type { PlannedDeployment } from "../deployment/planned-deployment.ts";
import { requestDigest } from "../deployment/request-digest.ts";
import { findPendingRevision } from "../deployment/resume.ts";
import type { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord } from "../github/deployment-records.ts";
import { RecordReporter, type RecordSubject } from "../report/github-record.ts";
import type { ActionContext } from "../report/run-report.ts";

/** This action's records of a task, newest first; undefined, with a warning, if GitHub does not show them. */
export async function readRecords(
  { environment, task }: Pick<RecordSubject, "environment" | "task">,
  github: GitHubClient | undefined,
): Promise<readonly OwnRecord[] | undefined> {
  return await github?.warnOnFailure(() => listOwnRecords(github, environment, task));
}

/**
 * From here on the run is recorded on GitHub. Returns the pending revision that an earlier attempt or step of this run
 * started, if any: its record is continued. `records`: newest first.
 */
export async function startRecord(
  subject: RecordSubject,
  records: readonly OwnRecord[],
  { plan, inputs, controlPlane, upload }: PlannedDeployment,
  github: GitHubClient,
  context: ActionContext,
): Promise<AppliedRevision | undefined> {
  const digest = requestDigest(plan, inputs.controlPlane, upload?.archive.digest);
  const attempt = { runId: context.workflow.runId, requestDigest: digest };
  const resumed = await findPendingRevision(records, attempt, controlPlane, context);
  const record = {
    ...subject,
    requestDigest: digest,
    resumedId: resumed?.record.id,
    earlier: resumed === undefined ? records : records.slice(records.indexOf(resumed.record) + 1),
  };
  context.observe(new RecordReporter(record, github, context));
  return resumed?.applied;
}
