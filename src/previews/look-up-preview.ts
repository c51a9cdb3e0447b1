import type { PlatformContext } from "../context.ts";
import { lookUpByName, requireName } from "../deployments/look-up-deployment.ts";
import { Failure, undefinedIf } from "../errors.ts";
import {
  type ActionRecord,
  isOfControlPlane,
  listActionRecords,
  listRecordsOrWarn,
  readState,
} from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { isNotFound } from "../http/request-error.ts";
import type { PreviewInputs } from "../inputs/read-preview-inputs.ts";
import type { Deployment } from "../platform/deployment.ts";
import { urlInputs } from "../platform/hints.ts";
import type { DeploymentId } from "../platform/ids.ts";
import { code, inputName, text } from "../text/message.ts";

/** The preview of one pull request. */
export interface Preview extends PreviewInputs {
  /** Undefined without a token. */
  readonly github: GitHubClient | undefined;
}

/** Returns the records of the preview's task, newest first. @throws RequestError if only a record could lead to its deployment */
export async function listPreviewRecords({
  github,
  record,
  nameHasNumber,
}: Preview): Promise<readonly ActionRecord[]> {
  if (github === undefined || nameHasNumber) return await listRecordsOrWarn(github, record);
  return await github.untilCancelled(() => listActionRecords(github, record));
}

/**
 * Returns the preview's deployment: the one in its newest record, or else the one with its name. Undefined if there is none.
 * `records`: those that `listPreviewRecords` returns.
 *
 * @throws Failure if the deployment may not be the preview, NoListError if there is no list to search, RequestError
 */
export async function lookUpPreview(
  context: PlatformContext,
  preview: Preview,
  records: readonly ActionRecord[],
): Promise<Deployment | undefined> {
  const { name, nameHasNumber } = preview;
  const { controlPlane } = context;
  const id = await recordedId(preview, records, controlPlane.digest);
  const recorded =
    id === undefined ? undefined : await undefinedIf(() => controlPlane.getDeployment(id), isNotFound);
  if (recorded !== undefined) return requireName(recorded, name);
  const named = await lookUpByName(context, name);
  if (named !== undefined && !nameHasNumber) throw unrecordedFailure(name);
  return named;
}

/**
 * Returns the id of the preview's deployment in its newest record. If several pull requests may share the name, only the
 * records of this one count.
 *
 * @throws Failure if that record is of another control plane or workspace and not inactive, RequestError if GitHub does not say
 */
async function recordedId(
  { nameHasNumber, name, record, github }: Preview,
  records: readonly ActionRecord[],
  controlPlaneDigest: string,
): Promise<DeploymentId | undefined> {
  const newest = records.find(({ payload }) => nameHasNumber || payload.pull_request === record.pullRequest);
  if (newest === undefined) return undefined;
  if (isOfControlPlane(newest, controlPlaneDigest)) return newest.payload.deployment_id;
  const state = github && (await readState(github, newest));
  if (state !== "inactive") throw otherControlPlaneFailure(name);
  return undefined;
}

function otherControlPlaneFailure(name: string): Failure {
  return new Failure(
    text`The GitHub record of preview ${code(name)} belongs to a different control plane or workspace. The preview was left alone: it was neither changed nor deleted.`,
    {
      hint: text`Check ${urlInputs}. If the preview moved, delete the old deployment and set its GitHub deployment to inactive. To have previews in both places, give each its own ${code("environment")}.`,
    },
  );
}

/** A deployment without a record, and without the number of the pull request in its name, may be the one for production. */
function unrecordedFailure(name: string): Failure {
  return new Failure(
    text`Deployment ${code(name)} is not recorded on GitHub as the preview of this pull request, so it was neither changed nor deleted.`,
    {
      hint: text`Add the number of the pull request (${code("github.event.number")}) to ${inputName("name")}. A preview is deleted when its pull request is closed.`,
    },
  );
}
