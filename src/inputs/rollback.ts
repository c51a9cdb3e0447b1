import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readControlPlane } from "./control-plane.ts";
import { readWaiting, type Waiting } from "./deploy.ts";
import type { InputReader } from "./reader.ts";

export interface RollbackInputs {
  readonly controlPlane: ControlPlaneSettings;
  /** Undefined: the revision that was live before. */
  readonly revisionId: string | undefined;
  readonly mode: Waiting;
  readonly githubToken: string | undefined;
}

export function readRollbackInputs(reader: InputReader): RollbackInputs {
  return {
    controlPlane: readControlPlane(reader),
    revisionId: reader.id("revision_id"),
    mode: readWaiting(reader),
    githubToken: reader.optional("github_token"),
  };
}
