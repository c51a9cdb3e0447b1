import { findStartedRevision, type ResumedRevision, type WorkflowAttempt } from "../deploy/apply/resume.ts";
import { requestDigest } from "../deploy/plan/request-digest.ts";
import type { PlannedDeployment } from "../deploy/planned-deployment.ts";
import type { GitHubClient } from "../github/client.ts";
import { listOwnRecords, type OwnRecord } from "../github/deployment-records.ts";
import { headSha, type WorkflowRun } from "../github/workflow-run.ts";
import type { RecordInputs } from "../inputs/github.ts";
import { type Target, titleOf } from "../inputs/target.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import { RecordReporter, type RecordTarget } from "../report/github-record.ts";
import type { ActionContext } from "../report/run-report.ts";

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

/** This action's records of a task, newest first; undefined, with a warning, if GitHub does not show them. */
export async function readRecords(
  { environment, task }: Pick<RecordTarget, "environment" | "task">,
  github: GitHubClient | undefined,
): Promise<readonly OwnRecord[] | undefined> {
  return await github?.warnOnFailure(() => listOwnRecords(github, environment, task));
}

type RecordedAttempt = Omit<WorkflowAttempt, "runId">;

/** A deployment makes a new revision unless its earlier one is pending. */
export function attemptOf({ plan, inputs, upload }: PlannedDeployment): RecordedAttempt {
  const digest = requestDigest(plan, inputs.controlPlane, upload?.archive.digest);
  return { requestDigest: digest, resumes: ["pending"] };
}

/**
 * From here on the run is recorded on GitHub. Returns the revision that an earlier attempt or step of this run started, if
 * it is not to be made again: its record is continued. `records`: newest first.
 */
export async function startRecord(
  target: RecordTarget,
  records: readonly OwnRecord[],
  attempt: RecordedAttempt,
  controlPlane: ControlPlane,
  github: GitHubClient,
  context: ActionContext,
): Promise<ResumedRevision | undefined> {
  const { runId } = context.workflow;
  const resumed = await findStartedRevision(records, { runId, ...attempt }, controlPlane, context);
  const record = {
    ...target,
    controlPlaneDigest: controlPlane.digest,
    requestDigest: attempt.requestDigest,
    resumedId: resumed?.record.id,
    earlier: resumed === undefined ? records : records.slice(records.indexOf(resumed.record) + 1),
  };
  context.observe(new RecordReporter(record, github, context));
  return resumed;
}
