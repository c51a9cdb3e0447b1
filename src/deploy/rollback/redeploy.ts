import { toResult } from "../../errors.ts";
import { isSameCommit } from "../../platform/compare-source.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { describeUpdateInstead } from "../../report/sentences/rollback.ts";
import type { LiveNow, NotRedeployable, NotRepeatable, RedeployResult } from "../../results/rollback.ts";
import { code, id, text } from "../../text/message.ts";
import { deploysSource } from "../apply/match-revision.ts";
import { requestIfSupported, requestRevision } from "../apply/request-revision.ts";
import { liveRevision, type RevisionBaseline, type RunRevision } from "../apply/revision-history.ts";
import type { PlatformJob, RevisionJob } from "../job.ts";
import { revisionConfig } from "../plan/requests.ts";
import { watch } from "../watch/watch.ts";

/** An earlier revision to deploy again. */
export interface Redeployment {
  readonly earlier: Revision;
  readonly deployment: Deployment;
  readonly baseline: RevisionBaseline;
  /** What is live now, or failed. */
  readonly replacedSource: RevisionSource;
}

/** The revision that deploys an earlier one again. */
export interface Redeployed {
  readonly kind: "redeployed";
  readonly run: RunRevision;
}

/**
 * Makes a revision with the content of an earlier one: by its ID, or by an update to the same source on a control plane
 * that can't do that.
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError if no revision can be identified, and the errors of the requests.
 */
export async function redeploy(
  job: RevisionJob,
  redeployment: Redeployment,
): Promise<Redeployed | NotRedeployable> {
  const { earlier, deployment, baseline } = redeployment;
  const { controlPlane, report } = job;
  const request = {
    what: text`the rollback of deployment ${code(deployment.id)} to revision ${id(earlier.id)}`,
    deployment,
    source: earlier.source ?? {},
    baseline,
    liveBefore: liveRevision(deployment, []),
    isProof: (revision: Revision) => isRepetition(revision, earlier),
  };
  const send = () => controlPlane.redeployRevision(deployment.id, earlier.id);
  const made = await requestIfSupported(job, request, send);
  if (!("unsupported" in made)) return { kind: "redeployed", run: made };
  const error = made.unsupported;
  const reason = whyNotRepeatable(redeployment);
  if (reason !== undefined) return { kind: "not_redeployable", earlierId: earlier.id, reason, error };
  report.info(describeUpdateInstead(earlier.id, error));
  const source = repeatedSource(earlier);
  const update = { source_revision_config: revisionConfig(source) };
  const divided = job.settings.platform.divideUpdate(update, deployment.source ?? "");
  return { kind: "redeployed", run: await requestRevision(job, divided, { ...request, source }) };
}

/** What an update names to deploy the same again: an image or a tag. */
function repeatedSource({ source = {} }: Revision): RevisionSource {
  return source.imageUri === undefined ? source : { ...source, repoRef: undefined };
}

/** Why an update can't deploy the same again; undefined if it can. */
function whyNotRepeatable({ earlier, replacedSource }: Redeployment): NotRepeatable | undefined {
  const { source = {} } = earlier;
  const { tarballPath, imageUri, repoRef: ref } = source;
  if (tarballPath !== undefined) return { kind: "upload" };
  if (imageUri === undefined && ref === undefined) return { kind: "source_unknown" };
  if (isBranch(source)) return { kind: "branch", ref: ref ?? "" };
  return deploysSource(earlier, replacedSource) === true ? { kind: "same_source" } : undefined;
}

/** Whether a revision certainly has the content of an earlier one. A different run may deploy a newer commit of the same branch. */
function isRepetition(revision: Revision, { source = {}, commitSha }: Revision): boolean {
  if (deploysSource(revision, source) !== true) return false;
  const [built, wanted] = [revision.commitSha, commitSha];
  return !isBranch(source) || (built !== undefined && wanted !== undefined && isSameCommit(built, wanted));
}

function isBranch({ tarballPath, imageUri, repoRef }: RevisionSource): boolean {
  return tarballPath === undefined && imageUri === undefined && repoRef?.startsWith("refs/tags/") !== true;
}

/**
 * Watches a revision that deploys an earlier one again. It counts as live only if it was built from the same commit, as far
 * as the platform shows that.
 *
 * @throws ResponseError on 401, 403 and on a 404 after the first minute, and the reason of a cancellation.
 */
export async function watchRedeployed(
  job: RevisionJob,
  redeployed: RunRevision,
  earlier: Revision,
): Promise<RedeployResult> {
  const watched = await watch(job, redeployed);
  if (watched.kind !== "live" && watched.kind !== "replaced") return watched;
  const { revision } = watched;
  const [built, wanted] = [revision.commitSha, earlier.commitSha];
  if (built === undefined || wanted === undefined || isSameCommit(built, wanted)) return watched;
  return { kind: "other_commit", revision, earlierId: earlier.id, built, wanted };
}

/** Reports, and returns, which revision is live now. It is read once: how the run ended is known already, and does not depend on it. */
export async function reportLiveNow(
  { controlPlane, report }: PlatformJob,
  deploymentId: string,
): Promise<LiveNow> {
  const read = await toResult(() => controlPlane.withoutRetry().getDeployment(deploymentId));
  if ("error" in read) return { kind: "unreadable", error: read.error };
  report.deployment(read.value);
  const { activeRevisionId } = read.value;
  return typeof activeRevisionId === "string"
    ? { kind: "shown", revisionId: activeRevisionId }
    : { kind: "not_shown" };
}
