import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, text } from "../../text/message.ts";
import type { DeployJob, PlatformJob } from "../job.ts";
import { withoutImmutable } from "../plan/immutable.ts";
import { revisionConfig } from "../plan/requests.ts";
import { identifyRevision } from "./identify-revision.ts";
import {
  deploysSource,
  type LiveRevision,
  liveRevision,
  type RevisionBaseline,
  type RunRevision,
  revisionBaseline,
} from "./match-revision.ts";
import { type Mutation, type SentMutation, sendMutation } from "./unconfirmed-write.ts";

/** Updates a deployment, and returns the revision that came of it. */
export async function updateDeployment(job: DeployJob, deployment: Deployment): Promise<RunRevision> {
  return await sendUpdate(
    job,
    deployment,
    withoutImmutable(job.plan.update, deployment, job.settings.platform),
  );
}

/**
 * Uploads the archive of a deployment that this run created, and returns the revision that came of it: such a create makes
 * none.
 */
export async function uploadToCreated(job: DeployJob, deployment: Deployment): Promise<RunRevision> {
  const { plan, report, settings } = job;
  report.unfinishedWork(
    text`Deployment ${code(deployment.id)} was created, but has no revision yet. The next run with this name updates it.`,
  );
  const update = withoutImmutable(plan.update, undefined, settings.platform);
  const revision = await sendUpdate(job, deployment, update);
  report.unfinishedWork(undefined);
  return revision;
}

async function sendUpdate(
  job: DeployJob,
  deployment: Deployment,
  update: UpdateRequest,
): Promise<RunRevision> {
  const { plan, upload, controlPlane, report } = job;
  const tarballPath = upload && (await sendArchive(job, upload, deployment));
  const source = { ...plan.source, tarballPath };
  const request =
    tarballPath === undefined ? update : { ...update, source_revision_config: revisionConfig(source) };
  const showsLive = (revisions: readonly Revision[]) => liveRevision(deployment, revisions) !== undefined;
  const list = await controlPlane.listRevisionsUntil(deployment.id, showsLive);
  const liveBefore = liveRevision(deployment, list.listed);
  report.previousRevision(liveBefore?.id);
  const isAllShown = showsAllOf(request);
  return await makeRevision(job, {
    what: text`the update of ${code(deployment.id)}`,
    deployment,
    source,
    isProof: (revision) => isAllShown && deploysSource(revision, source) === true,
    baseline: revisionBaseline(list, deployment),
    liveBefore,
    send: () => controlPlane.updateDeployment(deployment.id, request),
  });
}

/** Uploads the archive for a deployment, and returns the platform's name for it. */
async function sendArchive(job: DeployJob, archive: SourceArchive, deployment: Deployment): Promise<string> {
  const { settings, controlPlane, plan } = job;
  const { id, name, latestRevisionId, activeRevisionId } = deployment;
  const ids = [id, name, latestRevisionId, activeRevisionId, settings.workspaceId];
  const options = {
    idleTimeoutMs: settings.requestTimeoutMs,
    allowHttp: plan.desired.upload?.allowHttp ?? false,
    shown: ids.flatMap((shown) => shown ?? []),
  };
  return await uploadArchive(archive, () => controlPlane.createUploadAddress(id), options, job);
}

/** Whether a revision shows all that an update gives it: neither secrets nor resources, but an archive's name is unique. */
function showsAllOf({ source_config, source_revision_config, secrets }: UpdateRequest): boolean {
  const isUpload = source_revision_config?.source_tarball_path !== undefined;
  return isUpload || (secrets === undefined && source_config?.resource_spec === undefined);
}

/** A request that makes a revision of an existing deployment. `what`: such as "the update of 12". */
interface RevisionRequest extends Pick<Mutation<Deployment | undefined>, "what" | "send" | "isRefusal"> {
  readonly deployment: Deployment;
  readonly source: RevisionSource;
  /** As in `RevisionToIdentify`. */
  readonly isProof: (revision: Revision) => boolean;
  readonly baseline: RevisionBaseline;
  readonly liveBefore: LiveRevision | undefined;
}

/**
 * Sends a request once, and returns the revision that came of it.
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError if no revision can be identified, and the errors of `send`.
 */
export async function makeRevision(job: PlatformJob, request: RevisionRequest): Promise<RunRevision> {
  return await identifySent(job, await sendRevisionRequest(job, request));
}

/** A request that was sent, and may have made a revision. */
interface SentRevisionRequest {
  readonly request: RevisionRequest;
  readonly requestedAt: number;
  readonly sent: SentMutation<Deployment | undefined>;
}

/** Sends a request once. Throws like `sendMutation`. */
export async function sendRevisionRequest(
  job: PlatformJob,
  request: RevisionRequest,
): Promise<SentRevisionRequest> {
  const { deployment } = request;
  const requestedAt = job.clock.now();
  const remains = text`A revision of deployment ${code(deployment.id)} may still appear.`;
  const sent = await sendMutation(job, { ...request, remains, requestedAt });
  if (sent.response) job.report.deployment(sent.response);
  return { request, requestedAt, sent };
}

/** The revision that came of a request. @throws UnconfirmedWriteError and RevisionNotFoundError */
export async function identifySent(
  job: PlatformJob,
  { request, requestedAt, sent }: SentRevisionRequest,
): Promise<RunRevision> {
  const { deployment, source, isProof, liveBefore } = request;
  const deploymentId = deployment.id;
  const baseline = { ...request.baseline, requestedAt };
  const revisionId = await identifyRevision(job, {
    deploymentId,
    created: false,
    namedId: sent.response?.latestRevisionId ?? undefined,
    baseline,
    source,
    isProof,
    unconfirmed: sent.unconfirmed,
  });
  return { deploymentId, revisionId, source, requestedAt, baseline, liveBefore };
}
