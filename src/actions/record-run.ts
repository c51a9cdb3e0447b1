import type { PlatformJob } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import { RecordFollower, type RecordTarget } from "../github/record-follower.ts";
import { type Target, titleOf } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";

/** Where a deployment that is no preview is recorded on GitHub. `ref`: the commit that is deployed. */
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
