import { toResult } from "../../errors.ts";
import type { ResponseError } from "../../http/response-error.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import type { UpdateRequest } from "../../platform/schemas.ts";
import type { SourceArchive } from "../../source/archive.ts";
import { uploadArchive } from "../../source/upload.ts";
import { code, input, listed, text } from "../../text/message.ts";
import type { DeployJob, PlatformJob } from "../job.ts";
import { isChanged, planUpdate, type UpdatePlan } from "../plan/plan-update.ts";
import { revisionConfig } from "../plan/requests.ts";
import { lostSecrets } from "../plan/rules.ts";
import type { FoundDeployment } from "./find-deployment.ts";
import { identifyRevision } from "./identify-revision.ts";
import {
  deploysSource,
  type LiveRevision,
  liveRevision,
  type RevisionBaseline,
  type RunRevision,
  revisionBaseline,
} from "./match-revision.ts";
import {
  type Mutation,
  pollForEffect,
  type SentMutation,
  sendMutation,
  UnconfirmedWriteError,
} from "./unconfirmed-write.ts";

/** Updates a deployment, and returns the revision that came of it. */
export async function updateDeployment(job: DeployJob, found: FoundDeployment): Promise<RunRevision> {
  const { deployment } = found;
  const update = planUpdate(job.plan, job.settings.platform, found);
  reportSideEffects(job, found, update.revision);
  return await sendUpdate(job, deployment, update);
}

/**
 * Sends the archive or image of a deployment that this run created, and returns the revision that came of it: such a create
 * makes none.
 */
export async function sendToCreated(job: DeployJob, deployment: Deployment): Promise<RunRevision> {
  const { plan, report, settings } = job;
  report.unfinishedWork(
    text`Deployment ${code(deployment.id)} was created, but has no revision yet. The next run with this name updates it.`,
  );
  const update = planUpdate(plan, settings.platform, {});
  const revision = await sendUpdate(job, deployment, update);
  report.unfinishedWork(undefined);
  return revision;
}

/** Warns of what an update would change besides what it deploys. */
export function reportSideEffects(job: DeployJob, found: FoundDeployment, update: UpdateRequest): void {
  reportMove(job, found);
  const lost = lostSecrets(update, found.deployment);
  if (lost.length === 0 || !job.settings.platform.capabilities.replacesSecrets) return;
  job.report.warning(
    text`This update removes ${listed(lost.map((name) => code(name)))} from deployment ${code(found.deployment.id)}: the secrets of an update replace all earlier ones. To keep them, add them to ${input("secrets")}.`,
  );
}

function reportMove({ report }: DeployJob, { deployment, movedTo }: FoundDeployment): void {
  if (movedTo === undefined) return;
  report.notice(
    text`The repository of deployment ${code(deployment.id)} was ${code(deployment.repoUrl ?? "")}, which GitHub redirects to ${code(movedTo)}. Its ${input("repo_url")} is updated.`,
  );
}

/** Sends the settings that make no revision. Throws like `sendMutation`, and UnconfirmedWriteError. */
async function changeSettings(job: DeployJob, { id }: Deployment, settings: UpdateRequest): Promise<void> {
  const { controlPlane, report } = job;
  const names = listed(Object.keys(settings.source_config ?? {}).map((name) => code(name)));
  const remains = text`${names} of deployment ${code(id)} may have been changed.`;
  report.unfinishedWork(remains);
  const what = text`the change of ${names} of ${code(id)}`;
  const send = () => controlPlane.updateDeployment(id, settings);
  const sent = await toResult(() => sendMutation(job, { what, remains, send }), job.cancelled);
  report.unfinishedWork(undefined);
  if ("error" in sent) throw sent.error;
  const { unconfirmed } = sent.value;
  if (unconfirmed !== undefined) {
    const readChanged = async () =>
      isChanged(settings, await controlPlane.withoutRetry().getDeployment(id)) || undefined;
    const isConfirmed = await pollForEffect(job, readChanged, unconfirmed);
    if (isConfirmed === undefined) throw new UnconfirmedWriteError(unconfirmed);
  }
  report.info(text`Changed ${names} of deployment ${code(id)}.`);
}

async function sendUpdate(
  job: DeployJob,
  deployment: Deployment,
  { settings, revision: update, isPosted }: UpdatePlan,
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
  if (settings !== undefined) await changeSettings(job, deployment, settings);
  return await requestRevision(job, isPosted, request, {
    what: text`the update of ${code(deployment.id)}`,
    deployment,
    source,
    isProof: (revision) => isAllShown && deploysSource(revision, source) === true,
    baseline: revisionBaseline(list, deployment),
    liveBefore,
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

/** What the response to a request shows of what it made. */
interface Made {
  readonly deployment?: Deployment | undefined;
  readonly revision?: Revision;
}

/** A request that makes a revision of an existing deployment. `what`: such as "the update of 12". */
interface RevisionRequest extends Pick<Mutation<Made>, "what" | "send" | "isRefusal"> {
  readonly deployment: Deployment;
  readonly source: RevisionSource;
  /** As in `RevisionToIdentify`. */
  readonly isProof: (revision: Revision) => boolean;
  readonly baseline: RevisionBaseline;
  readonly liveBefore: LiveRevision | undefined;
}

/**
 * Sends an update once, and returns the revision that came of it. `isPosted`: whether to make the revision directly, if the
 * platform can do that.
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError if no revision can be identified, and the errors of the requests.
 */
export async function requestRevision(
  job: PlatformJob,
  isPosted: boolean,
  update: UpdateRequest,
  wanted: Omit<RevisionRequest, "send">,
): Promise<RunRevision> {
  const { controlPlane, report } = job;
  const { id } = wanted.deployment;
  if (isPosted) {
    const send = async () => ({ revision: await controlPlane.createRevision(id, update) });
    const posted = await sendIfSupported(job, { ...wanted, send });
    if (!("unsupported" in posted)) return await identifySent(job, posted);
    report.info(text`${posted.unsupported.text} Updating the deployment instead.`);
  }
  const send = async () => ({ deployment: await controlPlane.updateDeployment(id, update) });
  return await identifySent(job, await sendRevisionRequest(job, { ...wanted, send }));
}

/** Sends a request once; `unsupported` if the control plane says that it has no such endpoint. Throws like `sendMutation`. */
export async function sendIfSupported(
  job: PlatformJob,
  request: RevisionRequest,
): Promise<SentRevisionRequest | { readonly unsupported: ResponseError }> {
  // Only the response to the request itself says that there is no such endpoint.
  const result = await toResult(
    () => sendRevisionRequest(job, { ...request, isRefusal: isUnsupported }),
    job.cancelled,
  );
  if ("value" in result) return result.value;
  if (isUnsupported(result.error)) return { unsupported: result.error };
  throw result.error;
}

/** A request that was sent, and may have made a revision. */
interface SentRevisionRequest {
  readonly request: RevisionRequest;
  readonly requestedAt: number;
  readonly sent: SentMutation<Made>;
}

/** Sends a request once. Throws like `sendMutation`. */
async function sendRevisionRequest(job: PlatformJob, request: RevisionRequest): Promise<SentRevisionRequest> {
  const { deployment } = request;
  const requestedAt = job.clock.now();
  const remains = text`A revision of deployment ${code(deployment.id)} may still appear.`;
  const sent = await sendMutation(job, { ...request, remains, requestedAt });
  if (sent.response?.deployment) job.report.deployment(sent.response.deployment);
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
  const { revision, deployment: updated } = sent.response ?? {};
  const revisionId = await identifyRevision(job, {
    deploymentId,
    created: false,
    namedId: revision?.id ?? updated?.latestRevisionId ?? undefined,
    shown: revision,
    baseline,
    source,
    isProof,
    unconfirmed: sent.unconfirmed,
  });
  return { deploymentId, revisionId, source, requestedAt, baseline, liveBefore };
}
