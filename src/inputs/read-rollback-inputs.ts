import { readRevisionChecks } from "./read-checks.ts";
import { readControlPlane } from "./read-control-plane.ts";
import { readWaitOptions } from "./read-deploy-inputs.ts";
import type { InputReader } from "./reader.ts";

export function readRollbackInputs(reader: InputReader) {
  const waiting = readWaitOptions(reader);
  // A rollback deploys nothing new, so there is no commit of this run, and nothing to compare.
  const checks = { ...readRevisionChecks(reader, waiting.wait), compare: undefined, verifyCommit: false };
  return {
    settings: readControlPlane(reader),
    /** By default, the revision that was live before. */
    revisionId: reader.id("revision_id"),
    options: { ...waiting, checks },
    githubToken: reader.optional("github_token"),
  };
}
