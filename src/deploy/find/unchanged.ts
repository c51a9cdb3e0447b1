import { commitProblem } from "../../checks/commit-check.ts";
import { toResult } from "../../errors.ts";
import { isOfControlPlane, readState } from "../../github/deployment-records.ts";
import { isPinnedImage, showsOtherContent } from "../../platform/compare-content.ts";
import type { Deployment } from "../../platform/deployment.ts";
import { isSameId } from "../../platform/ids.ts";
import { formatMinute } from "../../text/format.ts";
import { code, inputName, link, type Phrase, phrase, text, withoutFullStop } from "../../text/message.ts";
import { fullRef, headSha, refOfRun, runUrl } from "../../workflow-run.ts";
import type { DeployContext } from "../deploy-context.ts";
import { deploysRepositoryOfRun } from "../plan/desired-on-create.ts";
import { requestDigest } from "../plan/request-digest.ts";
import type { LiveRevision } from "../snapshot.ts";

/** The live revision of a run that would deploy the same again. */
export interface UnchangedRevision extends LiveRevision {
  /** The time of the deploy, and maybe its run. */
  readonly since: Phrase;
}

/**
 * Returns the live revision if `only_if_changed` is set and nothing has changed since it was deployed
 * (docs/specification.md#only-if-changed). If something has changed, logs the reason.
 */
export async function findUnchanged(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<UnchangedRevision | undefined> {
  if (!context.options.onlyIfChanged) return undefined;
  const compared = await findUnchangedOrReason(context, existing);
  if ("reason" in compared) {
    context.report.info(text`${code("only_if_changed: true")} does not apply: ${compared.reason}.`);
    return undefined;
  }
  return compared;
}

async function findUnchangedOrReason(
  context: DeployContext,
  existing: Deployment | undefined,
): Promise<UnchangedRevision | { readonly reason: Phrase }> {
  const { github, records, controlPlane, workflow } = context;
  const newest = records.find((record) => isOfControlPlane(record, controlPlane.digest));
  if (existing === undefined) return { reason: phrase`no deployment was found` };
  if (github === undefined || newest === undefined) {
    return { reason: phrase`no record of an earlier deploy could be read on GitHub` };
  }
  const { deployment_id: deploymentId, revision_id: revisionId, run_id: runId } = newest.payload;
  if (!isSameId(deploymentId, existing.id)) {
    return { reason: phrase`the newest record on GitHub belongs to a different deployment` };
  }
  if (newest.payload.request_digest !== requestDigest(context)) {
    const isRollback = newest.payload.request_digest === undefined;
    return {
      reason: isRollback
        ? phrase`the newest record on GitHub is that of a rollback`
        : phrase`the last deploy sent something different, or used a different ${inputName("api_key")}`,
    };
  }
  const state = await toResult(() => readState(github, newest));
  if (state.value !== "success") {
    return { reason: phrase`the newest record on GitHub is not known to be a ${code("success")}` };
  }
  const { activeRevisionId, latestRevisionId } = existing;
  if (!isSameId(activeRevisionId, revisionId) || !isSameId(latestRevisionId, revisionId)) {
    return {
      reason: phrase`the revision from the last deploy is not known to be the live and the newest one`,
    };
  }
  const read = await toResult(() => controlPlane.getRevision(deploymentId, revisionId));
  if (read.error !== undefined) return { reason: withoutFullStop(read.error.ending.message) };
  const live = { deployment: existing, revision: read.value };
  const reason = reasonToDeploy(context, live, newest.payload.source_tarball_path);
  if (reason !== undefined) return { reason };
  const since = code(formatMinute(newest.created_at));
  // A record may name no run.
  return { ...live, since: runId ? phrase`${since} (${link(runUrl({ ...workflow, runId }))})` : since };
}

/**
 * Returns why the same request may deploy something else now: its branch or tag may have moved. The request of an upload is
 * the same only if its files are, because its digest covers them.
 */
function reasonToDeploy(
  context: DeployContext,
  { deployment, revision }: LiveRevision,
  tarballPath: string | undefined,
): Phrase | undefined {
  const { content } = context.plan.desired;
  const { repoRef, imageUri } = content;
  if (revision.status.kind !== "deployed") return phrase`the live revision is ${code(revision.status.raw)}`;
  if (showsOtherContent(revision, { ...content, tarballPath }))
    return phrase`the live revision shows a different source`;
  if (imageUri !== undefined && !isPinnedImage(imageUri)) {
    return phrase`${code(imageUri)} has no digest, so it may be a different image now`;
  }
  if (repoRef === undefined) return undefined;
  const isOfRun = deploysRepositoryOfRun(context, deployment);
  const runRef = refOfRun(context.workflow);
  return isOfRun && runRef !== undefined && fullRef(repoRef) === fullRef(runRef)
    ? commitProblem(headSha(context.workflow), revision.content?.commitSha)
    : phrase`${code(repoRef)} is not the ref of this run, so it may have moved`;
}
