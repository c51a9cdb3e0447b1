import { type SuccessEnding, toResult } from "../errors.ts";
import { recordRun } from "../github/record-writer.ts";
import type { Deployment } from "../platform/deployment.ts";
import { idText, phrase, text } from "../text/message.ts";
import { atUrl, checkAndConfirm } from "./check/check-and-confirm.ts";
import { checkUnchanged } from "./check/check-unchanged.ts";
import type { DeployContext } from "./deploy-context.ts";
import { dryRun } from "./dry-run.ts";
import { prepareComparison } from "./find/prepare-comparison.ts";
import { requireRefAndFile } from "./find/require-ref-and-file.ts";
import { resolveTakenName, resolveTarget } from "./find/resolve-target.ts";
import { findUnchanged } from "./find/unchanged.ts";
import { makeRevision, NameTakenError } from "./make/make-revision.ts";
import { findResumable } from "./make/resume.ts";
import { typicalDurationMs } from "./make/typical-duration.ts";
import { requestDigest } from "./plan/request-digest.ts";
import { rollBackIfAsked } from "./rollback/roll-back-if-asked.ts";
import { confirmStarted } from "./watch/confirm-started.ts";
import { watch } from "./watch/watch.ts";

/**
 * Makes this run's revision, watches it until it is live, and checks it. Three kinds of runs make no revision: a dry run, one
 * with `only_if_changed` if nothing has changed, and one that resumes the revision of an earlier attempt or step.
 *
 * @throws Failure if the deploy did not succeed
 */
export async function deploy(context: DeployContext): Promise<SuccessEnding> {
  const { options, github, record } = context;
  if (github !== undefined && record !== undefined && !options.dryRun)
    recordRun(record, github, context, requestDigest(context));
  const existing = await resolveTarget(context);
  const deployed = await toResult(() => deployTo(context, existing));
  if (deployed.error === undefined) return deployed.value;
  if (!(deployed.error instanceof NameTakenError)) throw deployed.error;
  return await deployTo(context, await resolveTakenName(context, deployed.error));
}

async function deployTo(context: DeployContext, existing: Deployment | undefined): Promise<SuccessEnding> {
  const { options } = context;
  const unchanged = await findUnchanged(context, existing);
  if (unchanged !== undefined) return await checkUnchanged(context, unchanged);
  const resumable = await findResumable(context, existing);
  const comparison = await prepareComparison(context, existing, resumable && earlierAttemptReason);
  if (resumable === undefined) await requireRefAndFile(context, existing);
  if (options.dryRun) return await dryRun(context, existing);
  const ownRevision = resumable ?? (await makeRevision(context, existing));
  // The start of an earlier attempt's revision is unknown, so an estimate would be wrong.
  const typicalMs = resumable ? undefined : typicalDurationMs(ownRevision.before.listed);
  context.report.announceRevision(ownRevision, typicalMs);
  if (!options.wait) return await confirmStarted(context, ownRevision);
  const live = await watch(context, ownRevision);
  const { result, snapshot } = await checkAndConfirm(context, ownRevision, live, comparison);
  if (result.error !== undefined) {
    throw await rollBackIfAsked(context, ownRevision, snapshot, result.error);
  }
  const message = text`Revision ${idText(ownRevision.revisionId)} is live${atUrl(snapshot.deployment)}.`;
  return { outcome: "deployed", message, details: result.value };
}

const earlierAttemptReason = phrase`an earlier attempt or step of this run started the revision`;
