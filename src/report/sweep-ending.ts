import type { RateLimitError } from "../github/errors.ts";
import type { Ending } from "../progress/ending.ts";
import type { SweepResult } from "./sweep.ts";

/** How a sweep ended that looked at all previews. */
export function sweepEnding({ deleted, kept, failed, dryRun }: SweepResult): Ending {
  const counts = `${deleted.length} deleted, ${kept.length} kept`;
  if (failed.length > 0) {
    return {
      outcome: "failed",
      message: `${failed.length} of the previews could not be swept: ${failed.join(", ")} (${counts}).`,
      hint: "Each has an error of its own in the log; the next sweep tries again.",
    };
  }
  if (dryRun)
    return {
      outcome: "planned",
      message: `Would be ${counts}; nothing was changed, because dry_run is true.`,
    };
  return { outcome: "deleted", message: `Previews: ${counts}.` };
}

/** How a sweep ended that met GitHub's rate limit. */
export function endingAtLimit(result: SweepResult, limit: RateLimitError): Ending {
  return {
    outcome: "failed",
    message: `${limit.message} The sweep stopped there: it ${progressOf(result)}.`,
    hint: `${limit.hint} Run the sweep again later, best in an hour with few other workflow runs of this repository: they may share the limit.`,
  };
}

function progressOf({ deleted, kept, failed, found, notSeen, dryRun }: SweepResult): string {
  if (found === undefined) return "looked at no preview";
  const counts = [
    `${deleted.length} ${dryRun ? "would be deleted" : "deleted"}`,
    `${kept.length} kept`,
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
  ].join(", ");
  return `looked at ${found - notSeen} of ${found} previews and left out ${notSeen} (${counts})`;
}
