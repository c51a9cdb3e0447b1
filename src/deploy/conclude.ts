import type { DeployOptions } from "../inputs/deploy.ts";
import type { CommitMismatch, DeployResult } from "../results/deploy.ts";
import type { ChecksResult, WatchResult, WatchResultOf } from "../results/watch.ts";
import { needsLiveRevision } from "./checks/checks.ts";

/** What is known of a revision at the end. */
export interface Findings {
  readonly watched: WatchResult;
  /** Empty unless the revision is live. */
  readonly checks: ChecksResult;
  readonly mismatch: CommitMismatch | undefined;
}

/** How a deploy ended, by what was found out (docs/specification.md#outcomes). */
export function conclude(
  options: Pick<DeployOptions, "checks" | "verifyCommit">,
  { watched, checks, mismatch }: Findings,
): DeployResult {
  if (watched.kind !== "live" && watched.kind !== "replaced") return { kind: "not_deployed", watched };
  if (watched.kind === "live") {
    const failure = concludeChecks(watched, checks);
    if (failure !== undefined) return failure;
  } else if (needsLiveRevision(options.checks)) {
    return { kind: "not_checked", watched };
  }
  if (options.verifyCommit && mismatch !== undefined) return { kind: "wrong_commit", watched, mismatch };
  return { kind: "deployed", watched, checks: checks.results };
}

/** What speaks against a live revision; undefined if its checks passed. */
function concludeChecks(
  watched: WatchResultOf<"live">,
  { results, afterwards }: ChecksResult,
): DeployResult | undefined {
  const failed = results.filter(({ passed }) => !passed);
  // These say themselves that a newer revision responded.
  const isSuperseded = failed.some(({ finding }) => finding.kind === "superseded");
  if (!isSuperseded && afterwards?.kind === "replaced") {
    return { kind: "replaced_during_checks", watched, liveRevisionId: afterwards.liveRevisionId };
  }
  if (!isSuperseded && afterwards?.kind === "being_deleted") {
    return { kind: "deleted_during_checks", watched, deploymentId: afterwards.deploymentId };
  }
  if (!isSuperseded && afterwards?.kind === "not_live") {
    return { kind: "not_deployed", watched: { ...afterwards, revision: watched.revision } };
  }
  return failed.length > 0 ? { kind: "check_failed", watched, checks: results } : undefined;
}

type RollbackCandidate = Extract<DeployResult, { rollback?: unknown }>;

/** Whether `rollback_on_failure` is for a result like this: this run's revision failed, and no newer one took over. */
export function mayRollBack(result: DeployResult): result is RollbackCandidate {
  switch (result.kind) {
    case "not_deployed":
      return isFailure(result.watched);
    case "check_failed":
      return !result.checks.some(({ finding }) => finding.kind === "superseded");
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
