import type { ControlPlaneSettings } from "../platform/platforms.ts";
import { code, text } from "../text/message.ts";
import {
  type AgentInputs,
  type CompareInputs,
  previousTarget,
  readAgentInputs,
  readCompare,
} from "./checks.ts";
import { readControlPlane } from "./control-plane.ts";
import { needsWait, readWaitOptions, type WaitOptions } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of the rollback action, besides its target and record. */
interface RollbackInputs {
  readonly controlPlane: ControlPlaneSettings;
  /** Undefined: the revision that was live before. */
  readonly revisionId: string | undefined;
  readonly options: WaitOptions;
  /** Undefined: nothing is compared. */
  readonly compare: CompareInputs | undefined;
  readonly agent: AgentInputs;
  readonly githubToken: string | undefined;
}

export function readRollbackInputs(reader: InputReader): RollbackInputs {
  const options = readWaitOptions(reader);
  const compare = readCompare(reader, "warn");
  if (compare !== undefined && !options.wait) reader.reject("compare_with", needsWait);
  if (compare !== undefined && compare.target !== previousTarget) {
    reader.reject("compare_with", text`must be ${code(previousTarget)}`);
  }
  const revisionId = reader.id("revision_id");
  // Summaries and comments show this much of an id in their sentences.
  if (revisionId !== undefined && /^[\da-f]{8}$/i.test(revisionId)) {
    reader.reject(
      "revision_id",
      text`must be the full ID, not its first 8 characters. The table in the job summary shows the full ID`,
    );
  }
  return {
    controlPlane: readControlPlane(reader),
    revisionId,
    options,
    compare,
    agent: readAgentInputs(reader),
    githubToken: reader.optional("github_token"),
  };
}
