import { commitProblem } from "../../checks/commit-check.ts";
import { toResult } from "../../errors.ts";
import { type OwnRecord, readState } from "../../github/deployment-records.ts";
import { isPinnedImage, isSameRepository, showsOtherSource } from "../../platform/compare-source.ts";
import { type Deployment, isSameId } from "../../platform/deployment.ts";
import { formatMinute } from "../../text/format.ts";
import { code, id, inputName, type Message, text, url, withoutFullStop } from "../../text/message.ts";
import { fullRef, headSha, refOfRun, repositoryUrl, runUrl } from "../../workflow-run.ts";
import type { DeployJob } from "../job.ts";
import type { LiveRevision } from "./history.ts";

/** The live revision, if this run would deploy the same again. */
export interface UnchangedRevision {
  readonly live: LiveRevision;
  /** Since when it is live, as a part of a sentence. */
  readonly since: Message;
}

/**
 * With `only_if_changed`: the live revision if nothing has changed since it was deployed
 * (docs/specification.md#only-if-changed). Otherwise undefined, and the log says why the run deploys.
 */
export async function findUnchanged(
  job: DeployJob,
  deployment: Deployment | undefined,
): Promise<UnchangedRevision | undefined> {
  if (!job.options.onlyIfChanged) return undefined;
  const found = await compareWithLive(job, deployment);
  if ("why" in found) {
    job.report.info(text`Deploying despite ${code("only_if_changed: true")}: ${withoutFullStop(found.why)}.`);
    return undefined;
  }
  const { revision } = found.same.live;
  job.report.set({
    revisionId: revision.id,
    liveRevisionId: revision.id,
    commitSha: revision.commitSha,
    statuses: [{ status: revision.status, at: job.clock.now() }],
  });
  return found.same;
}

/** What is the same as in the last deploy, or why this run deploys, as a part of a sentence. */
type SameOrWhy<T> = { readonly same: T } | { readonly why: Message };

async function compareWithLive(
  job: DeployJob,
  deployment: Deployment | undefined,
): Promise<SameOrWhy<UnchangedRevision>> {
  if (deployment === undefined) return { why: text`no deployment was found` };
  const record = await findSuccess(job, deployment);
  return "why" in record ? record : await findRecordedLive(job, deployment, record.same);
}

/** The newest record, if it says that the same request to this deployment succeeded. */
async function findSuccess(job: DeployJob, { id: deploymentId }: Deployment): Promise<SameOrWhy<OwnRecord>> {
  const { records, github, cancelled } = job;
  if (records === undefined || github === undefined) {
    return {
      why: text`${inputName("github_token")} is empty, so the record of the last deploy can't be read`,
    };
  }
  const { earlier, requestDigest } = records;
  if (earlier === undefined) return { why: text`the record of the last deploy could not be read on GitHub` };
  const [newest] = earlier;
  if (newest === undefined) return { why: text`GitHub has no record of an earlier deploy` };
  if (!isSameId(newest.payload.deployment_id, deploymentId)) {
    return { why: text`the newest record on GitHub belongs to a different deployment` };
  }
  if (newest.payload.request_digest !== requestDigest) {
    return {
      why: text`the last deploy sent something different, or used a different ${inputName("api_key")}`,
    };
  }
  const state = await toResult(() => readState(github, newest), cancelled);
  if ("error" in state) return { why: state.error.ending.message };
  if (state.value === "success") return { same: newest };
  return { why: text`the newest record on GitHub is not a ${code("success")}` };
}

/** The revision of a record, if it is live and the newest one. */
async function findRecordedLive(
  job: DeployJob,
  deployment: Deployment,
  { payload, createdAt }: OwnRecord,
): Promise<SameOrWhy<UnchangedRevision>> {
  const { controlPlane, cancelled, workflow } = job;
  const { deployment_id: deploymentId, revision_id: revisionId, run_id: runId } = payload;
  const { activeRevisionId: liveId, latestRevisionId: latestId } = deployment;
  if (typeof liveId !== "string") return { why: text`the platform does not report which revision is live` };
  if (!isSameId(liveId, revisionId)) {
    return { why: text`the live revision ${id(liveId)} is not the one from the last deploy` };
  }
  if (typeof latestId !== "string" || !isSameId(latestId, liveId)) {
    return { why: text`the live revision ${id(liveId)} is not the newest one` };
  }
  const read = await toResult(() => controlPlane.getRevision(deploymentId, revisionId), cancelled);
  if ("error" in read) return { why: read.error.ending.message };
  const live = { deployment, revision: read.value };
  const { status } = read.value;
  if (status.kind !== "deployed")
    return { why: text`the live revision ${id(liveId)} is ${code(status.raw)}` };
  if (showsOtherSource(read.value, job.plan.content)) {
    return { why: text`the live revision ${id(liveId)} shows a different source` };
  }
  const mayDiffer = findSourceChange(job, live);
  if (mayDiffer !== undefined) return { why: mayDiffer };
  const since = text`${code(formatMinute(createdAt))}`;
  // Outside of a workflow, the record names no run.
  return { same: { live, since: runId ? text`${since} (${url(runUrl({ ...workflow, runId }))})` : since } };
}

/** Why the same request may deploy another source: what it names may have changed. The digest of an upload covers its files. */
function findSourceChange(job: DeployJob, live: LiveRevision): Message | undefined {
  const { repoRef, imageUri } = job.plan.content;
  if (imageUri !== undefined && !isPinnedImage(imageUri)) {
    return text`${code(imageUri)} has no digest, so it may be a different image now`;
  }
  if (repoRef === undefined) return undefined;
  return deploysOwnRef(job, live.deployment)
    ? commitProblem(headSha(job.workflow), live.revision.commitSha)
    : text`${code(repoRef)} is not the ref of this run, so it may have moved`;
}

function deploysOwnRef({ plan, workflow }: DeployJob, deployment: Deployment): boolean {
  const { repoRef } = plan.content;
  const ownRef = refOfRun(workflow);
  const [repoUrl, ownUrl] = [deployment.repoUrl ?? plan.repoUrl, repositoryUrl(workflow)];
  if (repoRef === undefined || ownRef === undefined || repoUrl === undefined || ownUrl === undefined)
    return false;
  return isSameRepository(repoUrl, ownUrl) && fullRef(repoRef) === fullRef(ownRef);
}
