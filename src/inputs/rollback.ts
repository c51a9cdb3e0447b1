import type { ControlPlaneSettings } from "../platform/platforms.ts";
import { text } from "../text/message.ts";
import { type CheckInputs, readChecks } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { readWaitOptions, type WaitOptions } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of the rollback action, besides its target and record. */
interface RollbackInputs {
  readonly controlPlane: ControlPlaneSettings;
  /** Undefined: the revision that was live before. */
  readonly revisionId: string | undefined;
  readonly options: WaitOptions & { readonly checks: CheckInputs };
  readonly githubToken: string | undefined;
}

export function readRollbackInputs(reader: InputReader): RollbackInputs {
  const waiting = readWaitOptions(reader);
  const checks = readChecks(reader, waiting.wait);
  const revisionId = reader.id("revision_id");
  // Summaries and comments show the first 8 characters of an id in their sentences.
  if (revisionId !== undefined && /^[\da-f]{8}(?:-[\da-f-]{0,26})?$/i.test(revisionId)) {
    reader.reject("revision_id", text`must be the full ID, not its first ${revisionId.length} characters`, {
      hint: text`Copy the full ID from a table in the job summary of the deploy that created the revision, and run this again.`,
    });
  }
  return {
    controlPlane: readControlPlane(reader),
    revisionId,
    options: { ...waiting, checks },
    githubToken: reader.optional("github_token"),
  };
}
