import type { Context } from "../context.ts";
import { type Ending, isSuccess } from "../ending.ts";
import type { ActionError } from "../errors.ts";
import { codeCell, inCell, markdownTable } from "../text/markdown.ts";
import { prose } from "../text/prose.ts";
import { sanitizeExcerpt } from "../text/sanitize.ts";
import type { Observer } from "./run-report.ts";
import { endingMarkdown, heading, joinSections } from "./summary.ts";

/** What became of a preview; `unconfirmed`: the run was cancelled during its deletion; `gone`: there was no deployment. */
export type SweepResult = "failed" | "unconfirmed" | "deleted" | "gone" | "kept";

export interface SweptPreview {
  readonly name: string;
  readonly result: SweepResult;
  /** A part of a sentence, or sentences if it failed. */
  readonly why: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Writes the outputs and the summary of a sweep, however it ends. */
export class SweepReport implements Observer {
  readonly #swept: SweptPreview[] = [];
  readonly #files: Context["files"];
  /** In a dry run, `deleted` means would be deleted. */
  isDryRun = false;

  constructor({ files }: Context) {
    this.#files = files;
  }

  add(preview: SweptPreview): void {
    this.#swept.push(preview);
  }

  onEnd(_state: unknown, ending: Ending): void {
    const names = (result: SweepResult) =>
      JSON.stringify(withResult(this.#swept, result).map(({ name }) => name));
    this.#files.setOutput("deleted", names("deleted"));
    this.#files.setOutput("kept", names("kept"));
    this.#files.setOutput("outcome", ending.outcome);
    const result = isSuccess(ending.outcome) ? countResults(this.#swept, this.isDryRun) : undefined;
    this.#files.appendSummary(
      joinSections([
        heading("Sweep of previews", ending.outcome, result),
        endingMarkdown(ending),
        sweepTable(this.#swept, this.isDryRun),
      ]),
    );
  }
}

function withResult(swept: readonly SweptPreview[], result: SweepResult): readonly SweptPreview[] {
  return swept.filter((preview) => preview.result === result);
}

/** What needs attention comes first. */
const order: readonly SweepResult[] = ["failed", "unconfirmed", "deleted", "gone", "kept"];
/** In characters: a summary holds 1 MiB. */
const maxReasonLength = 500;

function sweepTable(swept: readonly SweptPreview[], isDryRun: boolean): string {
  const label = {
    failed: "❌ failed",
    unconfirmed: "❌ deletion not confirmed",
    deleted: isDryRun ? "would be deleted" : "deleted",
    gone: "already gone",
    kept: "kept",
  } satisfies Record<SweepResult, string>;
  const rows = order
    .flatMap((result) => withResult(swept, result))
    .map(({ name, result, why, hint = "" }) => {
      const reason = sanitizeExcerpt(`${why} ${hint}`, maxReasonLength);
      return [codeCell(name), label[result], inCell(prose(reason))];
    });
  return rows.length === 0 ? "" : markdownTable(["Preview", "Result", "Why"], rows);
}

/** The ending of a sweep that checked all previews. */
export function sweepEnding(swept: readonly SweptPreview[], isDryRun: boolean): Ending {
  const failed = withResult(swept, "failed");
  const counts = countResults(swept, isDryRun);
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(", ");
    return {
      outcome: "failed",
      headline: `Could not sweep ${names} (${counts}).`,
      hint: `${commonHint(failed)} The next sweep tries them again.`.trim(),
    };
  }
  if (isDryRun) return { outcome: "planned", headline: `Dry run: ${counts}. No changes were sent.` };
  return { outcome: "deleted", headline: `Previews: ${counts}.` };
}

function commonHint(failed: readonly SweptPreview[]): string {
  const [hint = "", ...others] = new Set(failed.map((preview) => preview.hint));
  return others.length === 0 ? hint : "The job summary says for each one what to do.";
}

/** The ending of a sweep that stopped at an error that every other preview would meet. `progress`: a sentence. */
export function stoppedSweepEnding({ message, hint }: ActionError, progress: string): Ending {
  return {
    outcome: "failed",
    headline: message,
    details: [`The sweep stopped there. ${progress}`],
    hint: `${hint} Then run the sweep again.`,
  };
}

/** Such as `2 deleted, 3 kept`. */
export function countResults(swept: readonly SweptPreview[], isDryRun: boolean): string {
  const count = (result: SweepResult) => withResult(swept, result).length;
  const gone = count("gone") > 0 ? `, ${count("gone")} already gone` : "";
  const failed = count("failed") > 0 ? `, ${count("failed")} failed` : "";
  return `${count("deleted")} ${isDryRun ? "would be deleted" : "deleted"}, ${count("kept")} kept${gone}${failed}`;
}
