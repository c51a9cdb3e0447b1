import type { Ports } from "../ports.ts";
import { type Ending, spellOutcome, succeeded } from "../progress/ending.ts";
import type { Reporter } from "../progress/progress.ts";
import { codeCell } from "../text/markdown.ts";
import { endingText } from "./summary.ts";

/** What became of the previews, by their names; filled as the sweep goes. */
export interface SweepResult {
  readonly deleted: string[];
  readonly kept: string[];
  readonly failed: string[];
  /** How many previews the records tell of; undefined before these are read. */
  found: number | undefined;
  /** How many of them are still to be looked at. */
  notSeen: number;
  /** `dry_run`: what counts as deleted would be. */
  dryRun: boolean;
}

/** Writes the outputs and the summary of a sweep, whatever became of it. */
export function sweepReporter(result: SweepResult, ports: Ports): Reporter {
  return {
    async onEnd(_facts, ending) {
      ports.files.setOutput("deleted", JSON.stringify(result.deleted));
      ports.files.setOutput("kept", JSON.stringify(result.kept));
      ports.files.setOutput("outcome", ending.outcome);
      await ports.files.appendSummary(sweepSummary(result, ending));
    },
  };
}

function sweepSummary(result: SweepResult, ending: Ending): string {
  const rows = [
    ...result.deleted.map(
      (name) => `| ${codeCell(name)} | ${result.dryRun ? "would be deleted" : "deleted"} |`,
    ),
    ...result.failed.map((name) => `| ${codeCell(name)} | ❌ failed |`),
    ...result.kept.map((name) => `| ${codeCell(name)} | kept |`),
  ];
  const table = rows.length === 0 ? [] : ["", "| Preview | |", "|---|---|", ...rows];
  const mark = succeeded(ending.outcome) ? "✅" : "❌";
  return [
    `## ${mark} Sweep of previews: ${spellOutcome(ending.outcome)}`,
    "",
    endingText(ending),
    ...table,
    "",
    "",
  ].join("\n");
}
