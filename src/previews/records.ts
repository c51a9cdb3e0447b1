import type { PlatformJob } from "../deploy/job.ts";
import { Failure } from "../errors.ts";
import type { GitHubClient } from "../github/client.ts";
import {
  deactivateNewest,
  isOfControlPlane,
  type OwnRecord,
  previewRecordTask,
  readState,
} from "../github/deployment-records.ts";
import type { RecordTarget } from "../github/record-follower.ts";
import { code, text } from "../text/message.ts";
import { runUrl } from "../workflow-run.ts";
import { addressInputs } from "./delete-deployment.ts";
import type { Preview } from "./event.ts";

/** How many records are read or written, the newest: each costs GitHub requests. */
const maxRecords = 5;

/** Where the preview's deployments are recorded on GitHub. */
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

/**
 * The id of the preview's deployment in its newest record; undefined if none leads to it. `records`: newest first. Under a
 * name that pull requests may share, only the records of this one count.
 *
 * @throws Failure if that record is of another control plane or workspace, and not inactive
 */
export async function recordedId(
  { inputs: { isOwnName, name }, pullRequest, github }: Preview,
  records: readonly OwnRecord[],
  controlPlaneDigest: string,
): Promise<string | undefined> {
  const counted = records.filter(({ payload }) => isOwnName || payload.pull_request === pullRequest.number);
  for (const record of counted.slice(0, maxRecords)) {
    if (isOfControlPlane(record, controlPlaneDigest)) return record.payload.deployment_id;
    const state = await github?.warnOnFailure(() => readState(github, record));
    if (state !== "inactive") throw otherControlPlaneError(name);
  }
  return undefined;
}

function otherControlPlaneError(name: string): Failure {
  return new Failure(
    text`The GitHub record of preview ${code(name)} belongs to a different control plane or workspace. The preview was left alone: it was neither changed nor deleted.`,
    {
      hint: text`Check ${addressInputs}. If the preview moved, delete the old deployment and set its GitHub deployment to inactive. To have previews in both places, give each its own ${code("environment")}.`,
    },
  );
}

/** Makes the newest records of a deployment inactive that was deleted or is gone. A failure of GitHub is a warning. */
export async function retireRecords(
  { workflow, controlPlane }: PlatformJob,
  github: GitHubClient | undefined,
  records: readonly OwnRecord[],
): Promise<void> {
  const retired = records.filter((record) => isOfControlPlane(record, controlPlane.digest));
  const why = { logUrl: runUrl(workflow), description: "The preview was deleted" };
  await github?.warnOnFailure(() => deactivateNewest(github, retired, why));
}
