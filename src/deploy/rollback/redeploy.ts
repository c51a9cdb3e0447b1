import type { PlatformContext } from "../../context.ts";
import { Failure } from "../../errors.ts";
import { isUnsupported, type RequestError } from "../../http/request-error.ts";
import type { Revision } from "../../platform/revision.ts";
import type { OwnRevision } from "../../state/own-revision.ts";
import { code, idText, inputName, phrase, text } from "../../text/message.ts";
import { sendWrite } from "../../writes.ts";
import { identifyRevision } from "../make/identify-revision.ts";
import type { Snapshot } from "../snapshot.ts";

/**
 * Makes a revision that deploys an earlier one again (docs/specification.md#rollback).
 *
 * @throws Failure if the platform can't do that, or if the revision can't be identified
 */
export async function redeploy(
  context: PlatformContext,
  { deployment, ...before }: Snapshot,
  earlier: Pick<Revision, "id" | "content">,
): Promise<OwnRevision> {
  const { controlPlane, report, clock } = context;
  const { id: deploymentId } = deployment;
  report.info(text`Rolling back deployment ${code(deploymentId)} to revision ${idText(earlier.id)}.`);
  const title = phrase`rollback of deployment ${code(deploymentId)} to revision ${idText(earlier.id)}`;
  const send = () => controlPlane.redeployRevision(deploymentId, earlier.id);
  const named = await sendWrite(context, { kind: "rollback", title }, send).catch((error: unknown) => {
    throw isUnsupported(error) ? unsupportedFailure(error) : error;
  });
  const content = earlier.content ?? {};
  const origin = { deploymentId, before, content, waitStartedAt: clock.now(), isRollback: true };
  return await identifyRevision(context, origin, named);
}

function unsupportedFailure(cause: RequestError): Failure {
  return new Failure(
    text`The control plane refused to deploy a revision again: ${cause.ending.message} Nothing was rolled back.`,
    {
      hint: text`Deploy the earlier version with the deploy action: by its ref or tag in ${inputName("repo_ref")}, or by its image in ${inputName("image_uri")}.`,
      cause,
    },
  );
}
