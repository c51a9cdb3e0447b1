import { toResult } from "../../errors.ts";
import type { ResponseError } from "../../http/response-error.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import { code, text } from "../../text/message.ts";
import type { PlatformJob } from "../job.ts";
import type { UpdatePlan } from "../plan/plan-update.ts";
import { identifyRevision } from "./identify-revision.ts";
import type { LiveRevision, RevisionBaseline, RunRevision } from "./match-revision.ts";
import { type Mutation, type SentMutation, sendMutation } from "./unconfirmed-write.ts";

/** What the response to a request shows of what it made. */
interface Made {
  readonly deployment?: Deployment | undefined;
  readonly revision?: Revision | undefined;
}

/** A request that makes a revision of an existing deployment. `what`: such as "the update of 12". */
interface RevisionRequest extends Pick<Mutation<Made>, "what" | "send" | "isRefusal"> {
  readonly deployment: Deployment;
  readonly source: RevisionSource;
  /** As in `UnconfirmedRevision`. */
  readonly isProof: (revision: Revision) => boolean;
  readonly baseline: RevisionBaseline;
  readonly liveBefore: LiveRevision | undefined;
}

/**
 * Sends an update once, and returns the revision that came of it.
 *
 * @throws UnconfirmedWriteError and RevisionNotFoundError if no revision can be identified, and the errors of the requests.
 */
export async function requestRevision(
  job: PlatformJob,
  { revision: update, isPosted }: Pick<UpdatePlan, "revision" | "isPosted">,
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
  const identified = await identifyRevision(job, {
    deploymentId,
    created: false,
    namedId: revision?.id ?? updated?.latestRevisionId ?? undefined,
    shown: revision,
    baseline,
    source,
    unconfirmed: sent.unconfirmed && { ...sent.unconfirmed, isProof },
  });
  return { deploymentId, ...identified, source, requestedAt, baseline, liveBefore };
}
