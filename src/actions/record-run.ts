import type { PlatformJob } from "../deploy/job.ts";
import type { GitHubClient } from "../github/client.ts";
import { type RecordTarget, recordWriter } from "../github/record-writer.ts";
import { shownNameOf, type Target } from "../inputs/control-plane.ts";
import type { RecordInputs } from "../inputs/github.ts";

/** Where a deployment that is no preview is recorded on GitHub. `ref`: the commit that is deployed. */
export function deployRecord(
  target: Target,
  { environment, production }: RecordInputs,
  ref: string,
): RecordTarget {
  return {
    ref,
    task: `deploy:${shownNameOf(target)}`,
    environment,
    production,
    transient: false,
    pullRequest: undefined,
  };
}

/** Has the run recorded on GitHub as soon as it has a revision. */
export function recordRun(
  job: PlatformJob,
  target: RecordTarget,
  github: GitHubClient,
  requestDigest: string,
): void {
  const controlPlaneDigest = job.controlPlane.identityDigest;
  job.report.listeners.record = recordWriter({ target, controlPlaneDigest, requestDigest }, github, job);
}
