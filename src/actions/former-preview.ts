import type { PlatformJob } from "../deploy/job.ts";
import { originOf } from "../github/deployment-records.ts";
import type { RunResult } from "../report/result.ts";
import { unprovenError } from "../report/sentences/deletion.ts";
import { code, text } from "../text/message.ts";
import type { Preview } from "./preview-event.ts";
import {
  deleteRecorded,
  findObstacle,
  newestActive,
  previewsOf,
  type RecordedPreview,
} from "./recorded-preview.ts";
import { previewRecord, readRecords } from "./records.ts";
import { addComment } from "./writers.ts";

/**
 * The preview that an older version made for this pull request under the default name of then. Only its record leads to
 * it: another repository of the same name may have given the same name to its own.
 */
export async function findFormerPreview(
  preview: Preview,
  controlPlaneDigest: string,
): Promise<RecordedPreview | undefined> {
  const { github, inputs, pullRequest } = preview;
  if (github === undefined || inputs.formerName === undefined) return undefined;
  const records = await readRecords(previewRecord(named(preview, inputs.formerName)), github);
  const ofPullRequest = records?.filter(
    (record) =>
      record.payload.pull_request === pullRequest.number && originOf(record, controlPlaneDigest) !== "other",
  );
  const [recorded] = previewsOf(ofPullRequest ?? []);
  return recorded && (await github.warnOnFailure(() => newestActive(recorded, github)));
}

/** Deletes it. Undefined if there was nothing to delete. @throws ActionError if it may exist although it was not found */
export async function deleteFormerPreview(
  job: PlatformJob,
  preview: Preview,
  former: RecordedPreview,
): Promise<RunResult | undefined> {
  const { github, inputs } = preview;
  const { name, deploymentId } = former;
  const { deleteTracingProject } = inputs;
  const obstacle = await findObstacle(job, former);
  if (github === undefined || obstacle?.kind === "renamed") return undefined;
  addComment(job, named(preview, name));
  const deletion = await deleteRecorded(job, github, former, { obstacle, deleteTracingProject });
  if (deletion.kind === "unproven") throw unprovenError(name, deletion.reason);
  if (deletion.kind !== "deleted") return undefined;
  const message = text`Deployment ${code(name)}, which an older version of this action made, was deleted.`;
  job.report.deploymentId(deploymentId);
  return { outcome: "deleted", message, special: "former_preview" };
}

function named(preview: Preview, name: string): Preview {
  return { ...preview, inputs: { ...preview.inputs, name } };
}
