import type { ActionError } from "../errors.ts";
import { RateLimitError } from "../github/errors.ts";
import type { Ending } from "../progress/ending.ts";
import { type SweepResult, sweptAs } from "./sweep.ts";

/** How a sweep ended that looked at all previews. */
export function sweepEnding(result: SweepResult): Ending {
  const counts = countsOf(result);
  const failed = sweptAs("failed", result);
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(", ");
    return {
      outcome: "failed",
      message: `${failed.length} of the previews could not be swept: ${names} (${counts}).`,
      hint: `${hintFor(failed.map(({ hint = "" }) => hint))} The next sweep tries again what could not be swept.`.trim(),
    };
  }
  if (result.dryRun)
    return { outcome: "planned", message: `${counts}; nothing was changed, because dry_run is true.` };
  return { outcome: "deleted", message: `Previews: ${counts}.` };
}

function hintFor(hints: readonly string[]): string {
  const [hint = "", ...others] = new Set(hints);
  if (others.length === 0) return hint;
  return "What to do about each of them is said in the log, and in the table of the job summary.";
}

/** How a sweep ended that stopped at what would befall every other preview as well. */
export function endingAt(error: ActionError, result: SweepResult): Ending {
  const next =
    error instanceof RateLimitError
      ? "Run the sweep again later, best in an hour with few other workflow runs of this repository: they may share the limit."
      : "Run the sweep again after that.";
  return {
    outcome: "failed",
    message: `${error.message} The sweep stopped there: it ${progressOf(result)}.`,
    hint: `${error.hint} ${next}`,
  };
}

function progressOf(result: SweepResult): string {
  const { found, notSeen } = result;
  if (found === undefined) return "looked at no preview";
  const failed = sweptAs("failed", result).length;
  const counts = countsOf(result) + (failed > 0 ? `, ${failed} failed` : "");
  return `looked at ${found - notSeen} of ${found} previews and left out ${notSeen} (${counts})`;
}

function countsOf(result: SweepResult): string {
  const deleted = `${sweptAs("deleted", result).length} ${result.dryRun ? "would be deleted" : "deleted"}`;
  return `${deleted}, ${sweptAs("kept", result).length} kept`;
}
