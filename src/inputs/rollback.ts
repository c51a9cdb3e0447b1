import { readChecks } from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { readWaitOptions } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of the rollback action, besides its target and record. */
export function readRollbackInputs(reader: InputReader) {
  const waiting = readWaitOptions(reader);
  const checks = readChecks(reader, waiting.wait);
  return {
    settings: readControlPlane(reader),
    /** Undefined: the revision that was live before. */
    revisionId: reader.id("revision_id"),
    options: { ...waiting, checks },
    githubToken: reader.optional("github_token"),
  };
}
