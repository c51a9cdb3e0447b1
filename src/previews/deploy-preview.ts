import type { Context } from "../context.ts";
import { type SuccessEnding, toResult } from "../errors.ts";
import { withControlPlane } from "../platform-context.ts";
import { LostWriteError } from "../writes.ts";
import { deletePreview, findToDelete } from "./delete-preview.ts";
import type { Preview } from "./preview.ts";
import { reasonUnwanted } from "./reason-unwanted.ts";

/**
 * Deploys a preview. The pull request may be closed meanwhile. Then the preview is deleted, even if the deploy failed.
 */
export async function deployPreview(
  context: Context,
  preview: Preview,
  deploy: () => Promise<SuccessEnding>,
): Promise<SuccessEnding> {
  const { cancelled, clock, report } = context;
  const { github, inputs } = preview;
  if (github === undefined || inputs.dryRun) return await deploy();
  const ended = await toResult(deploy, cancelled);
  report.set({ endedAt: clock.now() });
  const reason = await github.warnOnFailure(() => reasonUnwanted(preview));
  cancelled.throwIfAborted();
  const failure = ended.error;
  if (reason !== undefined) {
    if (failure !== undefined) report.info(failure.ending.message);
    const platformContext = withControlPlane(context, inputs.settings);
    const found = await toResult(() => findToDelete(platformContext, preview), cancelled);
    if (found.error !== undefined) throw found.error.addDetails(failure?.ending.message);
    // After a lost response to a create, the deployment may still appear, so the run must not end as deleted.
    if (found.value.id !== undefined || !(failure instanceof LostWriteError))
      return await deletePreview(platformContext, preview, found.value, reason);
  }
  if (ended.error !== undefined) throw ended.error;
  return ended.value;
}
