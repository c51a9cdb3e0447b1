import type { ChecksResult, WatchResult } from "../results/watch.ts";
import type { RunRevision } from "./apply/revision-history.ts";
import { runChecks } from "./checks/checks.ts";
import { healthCheck } from "./checks/health-check.ts";
import { servingCheck } from "./checks/serving-check.ts";
import { smokeTests } from "./checks/smoke-test.ts";
import { comparison } from "./compare/compare.ts";
import type { ComparedWith } from "./compare/compared-with.ts";
import type { CheckedJob } from "./job.ts";

/** Runs all checks of a deploy or a rollback, if its revision is live. @throws the reason of a cancellation. */
export async function checkRevision(
  job: CheckedJob,
  run: RunRevision,
  watched: WatchResult,
  comparedWith: ComparedWith | undefined,
): Promise<ChecksResult> {
  if (watched.kind !== "live") return { results: [] };
  // The serving check finds out which revision the others ask.
  const builders = [servingCheck, healthCheck, smokeTests, comparison(comparedWith)];
  return await runChecks(job, run, watched, builders);
}
