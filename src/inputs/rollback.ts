import { text } from "../text/message.ts";
import { readChecks } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { readWaitOptions } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of the rollback action, besides its target and record. */
export function readRollbackInputs(reader: InputReader) {
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
    /** Undefined: the revision that was live before. */
    revisionId,
    options: { ...waiting, checks },
    githubToken: reader.optional("github_token"),
  };
}
