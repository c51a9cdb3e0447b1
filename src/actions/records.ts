import type { PlatformJob, RunRecords } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import { isOfControlPlane, listOwnRecords } from "../github/deployment-records.ts";
import { headSha, type WorkflowRun } from "../github/workflow-run.ts";
import { type Target, titleOf } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";
import { RecordFollower, type RecordTarget } from "../report/record.ts";

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

/** What earlier runs recorded, for a run that records a request of this digest too; undefined if there is no token. */
export async function readRunRecords(
  { controlPlane }: Pick<PlatformJob, "controlPlane">,
  { environment, task }: RecordTarget,
  github: GitHubClient | undefined,
  requestDigest: string,
): Promise<RunRecords | undefined> {
  if (github === undefined) return undefined;
  const ofTask = await github.warnOnFailure(() => listOwnRecords(github, environment, task));
  const earlier = ofTask?.filter((record) => isOfControlPlane(record, controlPlane.digest));
  return { github, requestDigest, ofTask: ofTask ?? [], earlier };
}

/** From here on the run's record on GitHub follows it, once it has a revision. */
export function followRecord(
  job: PlatformJob & { readonly records: RunRecords | undefined },
  target: RecordTarget,
): void {
  const { records, controlPlane, report } = job;
  if (records === undefined) return;
  const { github, requestDigest } = records;
  report.follow(
    new RecordFollower({ target, controlPlaneDigest: controlPlane.digest, requestDigest }, github, job),
  );
}
