import type { PlatformContext } from "../context.ts";
import { deleteIfFound } from "../deployments/delete-deployment.ts";
import { expectedRepository, requireRepository } from "../deployments/require-repository.ts";
import type { SuccessEnding } from "../errors.ts";
import { type ActionRecord, deactivateRecords, isOfControlPlane } from "../github/deployment-records.ts";
import type { GitHubClient } from "../github/github-client.ts";
import { code, type Phrase, phrase, text } from "../text/message.ts";
import { askWhyToDelete } from "./ask-why-unwanted.ts";
import { listPreviewRecords, lookUpPreview, type Preview } from "./look-up-preview.ts";

/**
 * Deletes the preview of a pull request that was closed or lost its label, unless it is wanted again. `cause`: why it is
 * deleted according to the event.
 */
export async function closePreview(
  context: PlatformContext,
  preview: Preview,
  cause: Phrase,
): Promise<SuccessEnding> {
  const { label, dryRun } = preview;
  const reason = await askWhyToDelete(context, preview, cause);
  if (reason === undefined) {
    const andLabel = label === undefined ? undefined : phrase` and has the label ${code(label)}`;
    return { outcome: "skipped", message: text`The pull request is open${andLabel}, so its preview stays.` };
  }
  const found = await findToDelete(context, preview);
  if (!dryRun) return await deletePreview(context, preview, found, reason);
  const deleted = found.id === undefined ? phrase`nothing` : phrase`deployment ${code(found.id)}`;
  const message = text`Dry run: would delete ${deleted}, because ${reason}. No changes were sent.`;
  return { outcome: "planned", message };
}

/**
 * Finds the preview's records, and its deployment by them or by its name. `id`: undefined if there is no deployment.
 *
 * @throws Failure if the deployment may not be the preview, or can't be read
 */
export async function findToDelete(context: PlatformContext, preview: Preview) {
  const { name } = preview;
  const { report, workflow } = context;
  // The preview's newest record may be one that this run is still writing.
  await report.writers.whenIdle();
  const records = await listPreviewRecords(preview, report);
  const found = await lookUpPreview(context, preview, records);
  if (found !== undefined) requireRepository(name, found, expectedRepository(preview, workflow));
  return { id: found?.id, records };
}

export async function deletePreview(
  context: PlatformContext,
  { name, github }: Preview,
  { id, records }: Awaited<ReturnType<typeof findToDelete>>,
  reason: Phrase,
): Promise<SuccessEnding> {
  const ending = await deleteIfFound(context, id, name);
  await recordDeletion(context, github, records);
  return { ...ending, details: [text`The preview is no longer wanted: ${reason}.`] };
}

/** Makes the newest records of a deleted preview inactive. If that fails, it is only a warning. */
export async function recordDeletion(
  { controlPlane, report }: PlatformContext,
  github: GitHubClient | undefined,
  records: readonly ActionRecord[],
): Promise<void> {
  if (github === undefined) return;
  const ofControlPlane = records.filter((record) => isOfControlPlane(record, controlPlane.digest));
  await report.warnOnFailure(() => deactivateRecords(github, ofControlPlane, "The preview was deleted"));
}
