import { Failure, toResult } from "../../errors.ts";
import { isUnsupported } from "../../http/error-kinds.ts";
import type { Revision } from "../../platform/deployment.ts";
import type { PlatformContext } from "../../platform-context.ts";
import { code, inputName, shortId, text } from "../../text/message.ts";
import { type DeploymentHistory, indexIn } from "../find/history.ts";
import type { OwnRevision } from "../make/own-revision.ts";
import { sendAndIdentify } from "../make/send-and-identify.ts";

/**
 * Returns the newest `DEPLOYED` revision before this one, which was live once; undefined if there is none. `ifNotListed`: the
 * revisions before one that is not listed yet.
 */
export function earlierDeployed(
  listed: readonly Revision[],
  revisionId: string,
  ifNotListed: readonly Revision[] = [],
): Revision | undefined {
  const index = indexIn(listed, revisionId);
  const earlier = index < listed.length ? listed.slice(index + 1) : ifNotListed;
  return earlier.find(({ status }) => status.kind === "deployed");
}

/**
 * Makes a revision that deploys an earlier one again (docs/specification.md#rollback).
 *
 * @throws Failure if the platform can't do that, or if the revision can't be identified
 */
export async function redeploy(
  context: PlatformContext,
  { deployment, ...before }: DeploymentHistory,
  earlier: Pick<Revision, "id" | "content">,
): Promise<OwnRevision> {
  const { controlPlane, report, cancelled } = context;
  const { id: deploymentId } = deployment;
  report.info(text`Rolling back deployment ${code(deploymentId)} to revision ${shortId(earlier.id)}.`);
  const request = { deploymentId, before, content: earlier.content ?? {}, isRollback: true };
  const title = text`rollback of deployment ${code(deploymentId)} to revision ${shortId(earlier.id)}`;
  const send = () => controlPlane.redeployRevision(deploymentId, earlier.id);
  const sent = await toResult(() => sendAndIdentify(context, request, title, send), cancelled);
  if ("value" in sent) return sent.value;
  if (!isUnsupported(sent.error)) throw sent.error;
  throw new Failure(
    text`This control plane can't deploy a revision again: ${sent.error.ending.message} Nothing was rolled back.`,
    {
      hint: text`Deploy the earlier version with the deploy action: by its ref or tag in ${inputName("repo_ref")}, or by its image in ${inputName("image_uri")}.`,
      cause: sent.error,
    },
  );
}
