import type { Context } from "../context.ts";
import { type Ending, formatOutcome, succeeded } from "../progress/ending.ts";
import type { Reporter } from "../progress/progress.ts";
import { codeCell, inCell } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import { endingText } from "./summary.ts";

/** What became of a preview; `doubtful`: the run was cancelled before its deletion was answered. */
export type Fate = "failed" | "doubtful" | "deleted" | "kept";

/** A preview whose turn has come. */
export interface Swept {
  readonly name: string;
  readonly fate: Fate;
  /** A part of a sentence, or, where it failed, sentences. */
  readonly why: string;
  /** What to do about it, where it failed. */
  readonly hint?: string;
}

/** What became of the previews; filled as the sweep goes. */
export interface SweepResult {
  readonly swept: Swept[];
  /** How many previews the records tell of; undefined before these are read. */
  found: number | undefined;
  /** How many of them are still to be looked at. */
  notSeen: number;
  /** `dry_run`: what counts as deleted would be. */
  dryRun: boolean;
}

/** The previews of one fate. */
export function sweptAs(fate: Fate, { swept }: Pick<SweepResult, "swept">): readonly Swept[] {
  return swept.filter((one) => one.fate === fate);
}

/** Writes the outputs and the summary of a sweep, whatever became of it. */
export function sweepReporter(result: SweepResult, context: Context): Reporter {
  const namesOf = (fate: Fate) => JSON.stringify(sweptAs(fate, result).map(({ name }) => name));
  return {
    async onEnd(_facts, ending) {
      context.files.setOutput("deleted", namesOf("deleted"));
      context.files.setOutput("kept", namesOf("kept"));
      context.files.setOutput("outcome", ending.outcome);
      await context.files.appendSummary(sweepSummary(result, ending));
    },
  };
}

function sweepSummary(result: SweepResult, ending: Ending): string {
  const mark = succeeded(ending.outcome) ? "✅" : "❌";
  return [
    `## ${mark} Sweep of previews: ${formatOutcome(ending.outcome)}`,
    "",
    endingText(ending),
    ...sweptTable(result),
    "",
    "",
  ].join("\n");
}

/** What asks for something first. */
const order: readonly Fate[] = ["failed", "doubtful", "deleted", "kept"];
/** In characters: a summary holds a megabyte (field guide, 1). */
const maxReason = 500;

function sweptTable(result: SweepResult): readonly string[] {
  const spelled = {
    failed: "❌ failed",
    doubtful: "❌ may be deleted",
    deleted: result.dryRun ? "would be deleted" : "deleted",
    kept: "kept",
  } satisfies Record<Fate, string>;
  const rows = order
    .flatMap((fate) => sweptAs(fate, result))
    .map(({ name, fate, why, hint = "" }) => {
      const reason = sanitizeExcerpt(`${why} ${hint}`, maxReason);
      return `| ${codeCell(name)} | ${spelled[fate]} | ${inCell(prose(reason))} |`;
    });
  return rows.length === 0 ? [] : ["", "| Preview | What became of it | Why |", "|---|---|---|", ...rows];
}
