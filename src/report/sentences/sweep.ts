import type { Ending } from "../../errors.ts";
import type { SweepReason, SweepResult, SweptPreview } from "../../results/deletion.ts";
import { below, code, input, joined, listed, type Message, rawText, text } from "../../text/message.ts";
import { addressInputs, unprovenTexts } from "./deletion.ts";

export type SweptKind = SweptPreview["kind"];

/** The previews of these kinds, in the order of the kinds. */
export function ofKind(
  swept: readonly SweptPreview[],
  ...kinds: readonly SweptKind[]
): readonly SweptPreview[] {
  return kinds.flatMap((kind) => swept.filter((preview) => preview.kind === kind));
}

/** Why a preview was deleted or kept: a part of a sentence, or sentences if there is something to do. */
export function describeSwept(preview: SweptPreview): Message {
  switch (preview.kind) {
    case "failed":
      return joined([preview.error.ending.message, preview.error.ending.hint]);
    case "unconfirmed":
      return text`the run was cancelled during its deletion`;
    case "renamed":
      return text`the deployment of its record is now named ${code(preview.shownName)}`;
    case "unproven": {
      const { why, hint } = unprovenTexts[preview.reason];
      return text`its deployment ${why}. ${hint}`;
    }
    default:
      return describeReason(preview.reason);
  }
}

/** Why a preview is deleted or kept, as a part of a sentence. */
export function describeReason(reason: SweepReason): Message {
  switch (reason.kind) {
    case "pull_request":
      return text`pull request #${reason.number} is ${reason.isOpen ? text`open` : text`closed`}`;
    case "too_old":
      return text`its newest active record is older than ${input("max_age_days")} (${reason.maxAgeDays})`;
    case "no_pull_request":
      return text`its record names no pull request`;
  }
}

/** Previews whose records are of another control plane or workspace. */
export function describeOthers(count: number): Message {
  const were = count === 1 ? text`1 preview was` : text`${count} previews were`;
  return text`${were} left alone, because the records belong to a different control plane or workspace. If this sweep should include them, check ${addressInputs}.`;
}

/** How a sweep ended, for people. */
export function describeSweep(result: SweepResult): Ending {
  const counts = describeCounts(result);
  if (result.kind === "stopped") {
    const { error, checked, total } = result;
    const progress =
      total === undefined
        ? text`No preview was checked.`
        : text`${checked} of ${total} previews were checked (${counts}).`;
    return {
      outcome: "failed",
      message: error.ending.message,
      details: [text`The sweep stopped there. ${progress}`],
      hint: text`${error.ending.hint} Then run the sweep again.`,
    };
  }
  const failed = result.swept.filter((preview) => preview.kind === "failed");
  if (failed.length > 0) {
    const names = listed(failed.map(({ name }) => code(name)));
    return {
      outcome: "failed",
      message: text`Could not sweep ${names} (${counts}).`,
      hint: text`${commonHint(failed.map(({ error }) => error.ending.hint))} The next sweep tries them again.`,
    };
  }
  const others = result.othersCount === 0 ? [] : [describeOthers(result.othersCount)];
  if (result.isDryRun) {
    return { outcome: "planned", message: text`Dry run: ${counts}. No changes were sent.`, details: others };
  }
  const count = (...kinds: readonly SweptKind[]) => ofKind(result.swept, ...kinds).length;
  const message = text`Previews: ${counts}.`;
  if (count("deleted") > 0) return { outcome: "deleted", message, details: others };
  if (count("renamed", "unproven") > 0) return { outcome: "skipped", message, details: others };
  const none = text`No preview of this workspace has an active record. If there are previews, check ${input("environment")}.`;
  const details = result.swept.length === 0 && others.length === 0 ? [none] : others;
  return { outcome: "deleted", message, details, label: "nothing to delete" };
}

function commonHint(hints: readonly Message[]): Message | undefined {
  return new Set(hints.map(rawText)).size === 1
    ? hints[0]
    : text`The table ${below} says what to do for each one.`;
}

/** Such as `2 deleted, 3 kept`. */
function describeCounts({ swept, isDryRun }: SweepResult): Message {
  const count = (...kinds: readonly SweptKind[]) => ofKind(swept, ...kinds).length;
  const [gone, failed] = [count("gone"), count("failed")];
  const deleted = isDryRun
    ? text`${count("would_be_deleted")} would be deleted`
    : text`${count("deleted")} deleted`;
  return joined(
    [
      deleted,
      text`${count("kept", "renamed", "unproven")} kept`,
      gone > 0 ? text`${gone} already deleted` : undefined,
      failed > 0 ? text`${failed} failed` : undefined,
    ],
    ", ",
  );
}
