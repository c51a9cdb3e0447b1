import { readControlPlane } from "./read-control-plane.ts";
import { readPreviewEnvironment } from "./read-preview-inputs.ts";
import type { InputReader } from "./reader.ts";

export type SweepInputs = Readonly<ReturnType<typeof readSweepInputs>>;

export function readSweepInputs(reader: InputReader) {
  return {
    settings: readControlPlane(reader),
    environment: readPreviewEnvironment(reader),
    /** A preview whose newest record is older is deleted even if its pull request is open. */
    maxAgeDays: reader.wholeNumber("max_age_days", 1),
    dryRun: reader.boolean("dry_run") ?? false,
    githubToken: reader.required("github_token"),
  };
}
