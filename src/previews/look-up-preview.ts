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
import type { Report } from "../report/report.ts";
import { code, inputName, text } from "../text/message.ts";

/** The preview of one pull request. */
export interface Preview extends PreviewInputs {
  /** Undefined without a token. */
  readonly github: GitHubClient | undefined;
}

/**
 * Returns the records of the preview, newest first. Another pull request may have records with the same name.
 *
 * @throws Failure if they can't be read, and only a record could lead to the preview's deployment
 */
export async function listPreviewRecords(
  { github, record, nameHasNumber }: Preview,
  report: Report,
): Promise<readonly ActionRecord[]> {
  const records =
    github === undefined || nameHasNumber
      ? await listRecordsOrWarn(github, record, report)
      : await github.untilCancelled(() => listActionRecords(github, record));
  return records.filter(({ payload }) => payload.pull_request === record.pullRequest);
}

/**
 * Returns the preview's deployment: the one in its newest record, or else the one with its name. Undefined if there is none.
 * `records`: those that `listPreviewRecords` returns.
 *
 * @throws Failure if the deployment may not be the preview, NoListError if there is no list to search, RequestError
 */
export async function lookUpPreview(
  context: PlatformContext,
  { name, nameHasNumber, github }: Preview,
  [newest]: readonly ActionRecord[],
): Promise<Deployment | undefined> {
  const { controlPlane } = context;
  if (newest !== undefined && isOfControlPlane(newest, controlPlane.digest)) {
    const { deployment_id: id } = newest.payload;
    const recorded = await undefinedIf(() => controlPlane.getDeployment(id), isNotFound);
    if (recorded !== undefined) {
      requireName(recorded, name);
      return recorded;
    }
  } else if (newest !== undefined) {
    const state = github && (await readState(github, newest));
    if (state !== "inactive") throw otherControlPlaneFailure(name);
  }
  const found = await lookUpByName(context, name);
  if (found !== undefined && !nameHasNumber) throw unrecordedFailure(name);
  return found;
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
