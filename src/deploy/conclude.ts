import type { DeployResult } from "../results/deploy.ts";
import type { ChecksResult, WatchResult, WatchResultOf } from "../results/watch.ts";
import { type CheckOptions, needsLiveRevision } from "./check-revision.ts";

/** What is known of a revision at the end. */
export interface Findings {
  readonly watched: WatchResult;
  /** Empty unless the revision is live. */
  readonly checks: ChecksResult;
}

/** How a deploy ended, by what was found out (docs/specification.md#outcomes). */
export function conclude(options: CheckOptions, { watched, checks }: Findings): DeployResult {
  if (watched.kind !== "live" && watched.kind !== "replaced") return { kind: "not_deployed", watched };
  if (watched.kind === "live") {
    const failure = concludeChecks(watched, checks);
    if (failure !== undefined) return failure;
  } else if (needsLiveRevision(options)) {
    return { kind: "not_checked", watched };
  }
  return { kind: "deployed", watched, checks: checks.results };
}

/** What speaks against a live revision; undefined if its checks passed. */
function concludeChecks(
  watched: WatchResultOf<"live">,
  { results, afterwards }: ChecksResult,
): DeployResult | undefined {
  if (afterwards?.kind === "replaced") {
    return { kind: "replaced_during_checks", watched, liveRevisionId: afterwards.liveRevisionId };
  }
  if (afterwards?.kind === "being_deleted") {
    return { kind: "deleted_during_checks", watched, deploymentId: afterwards.deploymentId };
  }
  if (afterwards?.kind === "not_live") {
    return { kind: "not_deployed", watched: { ...afterwards, revision: watched.revision } };
  }
  return results.some(({ passed }) => !passed)
    ? { kind: "check_failed", watched, checks: results }
    : undefined;
}

type RollbackCandidate = Extract<DeployResult, { rollback?: unknown }>;

/** Whether `rollback_on_failure` is for a result like this: this run's revision failed, and no newer one took over. */
export function mayRollBack(result: DeployResult): result is RollbackCandidate {
  switch (result.kind) {
    case "not_deployed":
      return isFailure(result.watched);
    case "check_failed":
      // Another commit was built, which an earlier revision would not hold either.
      return result.checks.some(({ passed, kind }) => !passed && kind !== "commit check");
    case "deleted_during_checks":
      return true;
    default:
      return false;
  }
}

function isFailure(watched: WatchResult): boolean {
  switch (watched.kind) {
    case "ended":
      return watched.revision.status.kind !== "superseded";
    case "existed_before":
    case "other_source":
    case "being_deleted":
      return true;
    case "not_live":
      return watched.live.kind !== "undecided";
    default:
      return false;
  }
}
