import { unprovenError } from "../deploy/apply/absence.ts";
import type { Ending } from "../ending.ts";
import type { RunContext } from "../events.ts";
import { originOf } from "../github/deployment-records.ts";
import type { ControlPlane } from "../platform/control-plane.ts";
import type { ActionContext } from "../report/run-report.ts";
import { observeComment, type Preview, previewRecord } from "./preview-subject.ts";
import { deleteRecorded, findObstacle, newestActive, retireRecords } from "./recorded-preview.ts";
import { readRecords } from "./start-record.ts";
import { previewsOf, type RecordedPreview } from "./sweep-plan.ts";

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
  preview: Preview,
  former: RecordedPreview,
  controlPlane: ControlPlane,
  context: ActionContext,
): Promise<Ending | undefined> {
  const { github, inputs } = preview;
  const { name, deploymentId, records } = former;
  const obstacle = await findObstacle(former, controlPlane);
  if (obstacle?.kind === "renamed") return undefined;
  if (github) observeComment(named(preview, name), github, context);
  const result =
    obstacle ?? (await deleteRecorded(former, inputs.deleteTracingProject, controlPlane, context));
  if (result.kind === "unproven") throw unprovenError(name, result.reason);
  const deployment = { controlPlaneDigest: controlPlane.digest, deploymentId };
  if (github) await retireRecords(records, deployment, github, context);
  return result.kind === "deleted" ? await reportFormer(former, context) : undefined;
}

async function reportFormer(
  { name, deploymentId }: RecordedPreview,
  { emit, log }: RunContext,
): Promise<Ending> {
  const headline = `Deployment ${name}, which an older version of this action made, was deleted.`;
  log.notice(headline);
  await emit({ kind: "deployment_identified", deploymentId });
  return { outcome: "deleted", headline };
}

function named(preview: Preview, name: string): Preview {
  return { ...preview, inputs: { ...preview.inputs, name } };
}
