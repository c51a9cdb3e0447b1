import type { ControlPlaneSettings } from "../platform/control-plane.ts";
import { readControlPlane, readDeleteTracingProject } from "./control-plane.ts";
import { readRequiredToken } from "./github.ts";
import { readPreviewEnvironment } from "./preview.ts";
import type { InputReader } from "./reader.ts";

/** The inputs of the sweep action. */
export interface SweepInputs {
  readonly controlPlane: ControlPlaneSettings;
  readonly environment: string;
  /** A preview whose newest record is older is deleted even if its pull request is open. */
  readonly maxAgeDays: number | undefined;
  readonly deleteTracingProject: boolean;
  readonly dryRun: boolean;
  readonly githubToken: string;
}

export function readSweepInputs(reader: InputReader): SweepInputs {
  const controlPlane = readControlPlane(reader);
  return {
    controlPlane,
    environment: readPreviewEnvironment(reader),
    maxAgeDays: reader.wholeNumber("max_age_days", 1),
    deleteTracingProject: readDeleteTracingProject(reader, controlPlane),
    dryRun: reader.boolean("dry_run") ?? false,
    githubToken: readRequiredToken(reader),
  };
}
