import { readControlPlane, readDeleteTracingProject } from "./read-control-plane.ts";
import { readPreviewEnvironment } from "./read-preview-inputs.ts";
import type { InputReader } from "./reader.ts";

export type SweepInputs = Readonly<ReturnType<typeof readSweepInputs>>;

export function readSweepInputs(reader: InputReader) {
  const settings = readControlPlane(reader);
  return {
    settings,
    environment: readPreviewEnvironment(reader),
    /** A preview whose newest record is older is deleted even if its pull request is open. */
    maxAgeDays: reader.wholeNumber("max_age_days", 1),
    deleteTracingProject: readDeleteTracingProject(reader, settings),
    dryRun: reader.boolean("dry_run") ?? false,
    githubToken: reader.required("github_token"),
  };
}
