import { findStartedRevision, type ResumedRevision, type WorkflowAttempt } from "../deploy/apply/resume.ts";
import type { DeployJob, PlatformJob } from "../deploy/job.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import type { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord, previewRecordTask } from "../github/deployment-records.ts";
import { headSha, type WorkflowRun } from "../github/workflow-run.ts";
import { type Target, titleOf } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";
import { type RecordTarget, RecordWriter } from "../report/writers/record.ts";
import type { Preview } from "./preview-event.ts";

/** The record of a deployment that is no preview. */
export function deployRecord(target: Target, record: RecordInputs, workflow: WorkflowRun): RecordTarget {
  return {
    ref: headSha(workflow),
    task: `deploy:${titleOf(target)}`,
    environment: record.environment,
    production: record.production,
    transient: false,
    pullRequest: undefined,
  };
}

export function previewRecord({ inputs, pullRequest }: Preview): RecordTarget {
  return {
    ref: pullRequest.headSha,
    task: previewRecordTask(inputs.name),
    environment: inputs.environment,
    transient: true,
    production: false,
    pullRequest: pullRequest.number,
  };
}

/** This action's records of a task, newest first; undefined, with a warning, if GitHub does not show them. */
export async function readRecords(
  { environment, task }: Pick<RecordTarget, "environment" | "task">,
  github: GitHubClient | undefined,
): Promise<readonly OwnRecord[] | undefined> {
  return await github?.warnOnFailure(() => listOwnRecords(github, environment, task));
}

/**
 * From here on the deploy is recorded on GitHub, unless it is a dry run. The job gets the revision that an earlier attempt
 * or step of this run started, if that one is still pending.
 */
export async function recordDeploy(job: DeployJob, target: RecordTarget): Promise<DeployJob> {
  const { github, options, records = [], plan, settings, upload } = job;
  if (github === undefined || options.dryRun) return job;
  const attempt = {
    requestDigest: requestDigest(plan, settings, upload?.digest),
    resumes: ["pending"],
  } as const;
  const resumed = await startRecord(job, github, { target, records, attempt });
  return { ...job, resumed: resumed?.revision, isRecorded: true };
}

interface RecordStart {
  readonly target: RecordTarget;
  /** Those of the target's task, newest first. */
  readonly records: readonly OwnRecord[];
  readonly attempt: WorkflowAttempt;
}

/**
 * From here on the run is recorded on GitHub. Returns the revision that an earlier attempt or step of this run started, if
 * it is not to be made again: its record is continued.
 */
export async function startRecord(
  job: PlatformJob,
  github: GitHubClient,
  { target, records, attempt }: RecordStart,
): Promise<ResumedRevision | undefined> {
  const resumed = await findStartedRevision(job, records, attempt);
  const plan = {
    target,
    controlPlaneDigest: job.controlPlane.digest,
    requestDigest: attempt.requestDigest,
    resumedId: resumed?.record.id,
    earlier: resumed === undefined ? records : records.slice(records.indexOf(resumed.record) + 1),
  };
  job.report.add(new RecordWriter(plan, github, job));
  return resumed;
}
