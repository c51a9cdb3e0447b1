import type { PlatformJob, RunRecords } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import { isOfControlPlane, listOwnRecords } from "../github/deployment-records.ts";
import { RecordFollower, type RecordTarget } from "../github/record-follower.ts";
import { type Target, titleOf } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";

/** The record of a deployment that is no preview. `ref`: the commit that is deployed. */
export function deployRecord(
  target: Target,
  { environment, production }: RecordInputs,
  ref: string,
): RecordTarget {
  return {
    ref,
    task: `deploy:${titleOf(target)}`,
    environment,
    production,
    transient: false,
    pullRequest: undefined,
  };
}

/** What earlier runs recorded, for a run that records a request of this digest too. */
export async function readRunRecords(
  { controlPlane }: Pick<PlatformJob, "controlPlane">,
  { environment, task }: RecordTarget,
  github: GitHubClient,
  requestDigest: string,
): Promise<RunRecords> {
  const ofTask = await github.warnOnFailure(() => listOwnRecords(github, environment, task));
  const earlier = ofTask?.filter((record) => isOfControlPlane(record, controlPlane.digest));
  return { requestDigest, ofTask: ofTask ?? [], earlier };
}

/** From here on the run's record on GitHub follows it, once it has a revision. */
export function recordRun(
  job: PlatformJob,
  target: RecordTarget,
  github: GitHubClient,
  requestDigest: string,
): void {
  const controlPlaneDigest = job.controlPlane.digest;
  job.report.addFollower(new RecordFollower({ target, controlPlaneDigest, requestDigest }, github, job));
}
