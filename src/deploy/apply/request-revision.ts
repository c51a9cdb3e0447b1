import { toResult } from "../../errors.ts";
import type { ResponseError } from "../../http/response-error.ts";
import type { MadeRevision } from "../../platform/control-plane.ts";
import type { Deployment, Revision, RevisionSource } from "../../platform/deployment.ts";
import { isUnsupported } from "../../platform/error-kinds.ts";
import type { DividedUpdate } from "../../platform/platform.ts";
import { code, text } from "../../text/message.ts";
import type { PlatformJob } from "../job.ts";
import { identifyRevision } from "./identify-revision.ts";
import type { LiveRevision, RevisionBaseline, RunRevision } from "./revision-history.ts";
import { type SentWrite, sendWrite, type Write } from "./unconfirmed-write.ts";

/** A revision of an existing deployment, which a request is to make. */
interface WantedRevision extends Pick<Write<MadeRevision>, "what"> {
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
  update: Pick<DividedUpdate, "revision" | "isPosted">,
  wanted: WantedRevision,
): Promise<RunRevision> {
  const send = () => job.controlPlane.makeRevision(wanted.deployment.id, update);
  return await identifyMade(job, wanted, await sendOnce(job, wanted, { send }));
}

/** Like `requestRevision`, with any request; `unsupported` if the control plane says that it has no such endpoint. */
export async function requestIfSupported(
  job: PlatformJob,
  wanted: WantedRevision,
  send: () => Promise<MadeRevision>,
): Promise<RunRevision | { readonly unsupported: ResponseError }> {
  // Only the response to the request itself says that there is no such endpoint.
  const sent = await toResult(() => sendOnce(job, wanted, { send, isRefusal: isUnsupported }), job.cancelled);
  if ("value" in sent) return await identifyMade(job, wanted, sent.value);
  if (isUnsupported(sent.error)) return { unsupported: sent.error };
  throw sent.error;
}

type Sent = SentWrite<MadeRevision> & { readonly requestedAt: number };

/** @throws the request's error if it surely had no effect, and the reason of a cancellation */
async function sendOnce(
  job: PlatformJob,
  { what, deployment }: WantedRevision,
  request: Pick<Write<MadeRevision>, "send" | "isRefusal">,
): Promise<Sent> {
  const requestedAt = job.clock.now();
  const remains = text`A revision of deployment ${code(deployment.id)} may still appear.`;
  const sent = await sendWrite(job, { ...request, what, remains, requestedAt });
  if (sent.response?.deployment) job.report.deployment(sent.response.deployment);
  return { ...sent, requestedAt };
}

async function identifyMade(
  job: PlatformJob,
  { deployment, source, isProof, liveBefore, ...wanted }: WantedRevision,
  { response, unconfirmed, requestedAt }: Sent,
): Promise<RunRevision> {
  const deploymentId = deployment.id;
  const baseline = { ...wanted.baseline, requestedAt };
  const identified = await identifyRevision(job, {
    deploymentId,
    created: false,
    namedId: response?.revision?.id ?? response?.deployment?.latestRevisionId ?? undefined,
    snapshot: response?.revision,
    baseline,
    source,
    unconfirmed: unconfirmed && { ...unconfirmed, isProof },
  });
  return { deploymentId, ...identified, source, requestedAt, baseline, liveBefore };
}
