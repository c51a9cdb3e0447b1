import { requestDigest } from "../deployment/request-digest.ts";
import { findPendingRevision } from "../deployment/resume.ts";
import type { DeploymentRun } from "../deployment-run.ts";
import type { GitHub } from "../github/client.ts";
import { type OwnRecord, ownRecords } from "../github/records.ts";
import { RecordReporter, type RecordSubject } from "../report/github-record.ts";

/** This action's records of a task, newest first; undefined, with a warning, where GitHub doesn't tell. */
export async function readRecords(
  { environment, task }: Pick<RecordSubject, "environment" | "task">,
  github: GitHub | undefined,
): Promise<readonly OwnRecord[] | undefined> {
  return await github?.tolerate(() => ownRecords(github, environment, task));
}

/**
 * From here on the run is recorded on GitHub. Answers with the deployment, which resumes the revision that an earlier
 * attempt or step of this run started, where that is still pending: its record is then gone on with. `records`: newest
 * first.
 */
export async function startRecording(
  subject: RecordSubject,
  records: readonly OwnRecord[],
  { github, ...deployment }: DeploymentRun & { readonly github: GitHub },
): Promise<DeploymentRun> {
  const { plan, inputs, plane, run, progress, context } = deployment;
  const attempt = { runId: run.runId, requestDigest: requestDigest(plan, inputs.controlPlane) };
  const resumed = await findPendingRevision(records, attempt, plane, context);
  const record = {
    ...subject,
    requestDigest: attempt.requestDigest,
    resumedId: resumed?.record.id,
    earlier: resumed === undefined ? records : records.slice(records.indexOf(resumed.record) + 1),
  };
  progress.tell(new RecordReporter(record, run, github, context));
  return { ...deployment, resumed: resumed?.written };
}
