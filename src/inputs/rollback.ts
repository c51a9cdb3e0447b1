import { readRevisionChecks } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { readWaitOptions } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

/** Reads the inputs of the rollback action, besides its target and record. */
export function readRollbackInputs(reader: InputReader) {
  const waiting = readWaitOptions(reader);
  // What is deployed again is not new: there is nothing to compare, and no commit of this run.
  const checks = { ...readRevisionChecks(reader, waiting.wait), compare: undefined, verifyCommit: false };
  return {
    settings: readControlPlane(reader),
    /** Undefined: the revision that was live before. */
    revisionId: reader.id("revision_id"),
    options: { ...waiting, checks },
    githubToken: reader.optional("github_token"),
  };
}
