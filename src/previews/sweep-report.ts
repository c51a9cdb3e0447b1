import { Failure, type SuccessEnding } from "../errors.ts";
import { urlInputs } from "../platform/hints.ts";
import { summaryLimits } from "../report/limits.ts";
import type { Report } from "../report/report.ts";
import { markdownTable, moreOf } from "../report/sections/blocks.ts";
import { code, commaList, inputName, type Message, phrase, text } from "../text/message.ts";

/** The results of a swept preview, in words for people. */
const resultLabels = {
  failed: phrase`failed`,
  deleted: phrase`deleted`,
  planned: phrase`would be deleted`,
  gone: phrase`already deleted`,
  kept: phrase`kept`,
};
type SweepResult = keyof typeof resultLabels;
/** The results that need attention come first. */
const order: readonly SweepResult[] = ["failed", "deleted", "planned", "gone", "kept"];

interface SweptPreview {
  readonly name: string;
  readonly result: SweepResult;
  /** A part of a sentence, or sentences if there is something to do. */
  readonly reason: Message;
}

const noRecords = text`No preview has an active record. If there are previews, check ${inputName("environment")}.`;

/** Collects the results of a sweep for its outputs, its summary and its ending. */
export class SweepReport {
  readonly #report: Report;
  readonly #previews: SweptPreview[] = [];
  #foreignCount = 0;

  constructor(report: Report) {
    this.#report = report;
    this.#setOutputs();
  }

  add(result: SweepResult, name: string, reason: Message): void {
    this.#previews.push({ name, result, reason });
    this.#setOutputs();
  }

  /** Counts a preview that is left alone, because its record or deployment may belong to something else. */
  addForeign(): void {
    this.#foreignCount += 1;
  }

  /** @throws Failure if a preview could not be swept */
  toEnding(isDryRun: boolean): SuccessEnding {
    const counts = order.map((result) => {
      const { length } = this.#of(result);
      return length > 0 ? phrase`${length} ${resultLabels[result]}` : undefined;
    });
    const isEmpty = this.#previews.length === 0;
    const message = text`Previews: ${isEmpty ? phrase`none to sweep` : commaList(counts)}.`;
    const foreign = this.#foreignCount > 0 ? this.#describeForeign() : undefined;
    const problems = this.#of("failed").map(({ name, reason }) => ({
      message: text`${code(name)}: ${reason}`,
      title: phrase`Sweep ${code(name)}: failed`,
    }));
    if (problems.length > 0) {
      throw new Failure(message, {
        details: foreign === undefined ? [] : [foreign],
        problems,
        hint: text`Correct what the failures name. The next sweep tries again.`,
      });
    }
    const details = isEmpty && foreign === undefined ? [noRecords] : [];
    if (isDryRun) {
      return { outcome: "planned", message: text`${message} No changes were sent.`, details, hint: foreign };
    }
    const headline = this.#of("deleted").length > 0 ? undefined : phrase`nothing to delete`;
    return { outcome: "deleted", message, details, hint: foreign, headline };
  }

  #of(...selected: readonly SweepResult[]): readonly SweptPreview[] {
    return this.#previews.filter(({ result }) => selected.includes(result));
  }

  #describeForeign(): Message {
    const foreignCount = this.#foreignCount;
    const were = foreignCount === 1 ? phrase`1 preview was` : phrase`${foreignCount} previews were`;
    return text`${were} left alone: the record belongs to a different login, control plane or workspace, or leads to a deployment of another name. If this sweep should include them, check ${inputName("github_token")}, ${urlInputs}.`;
  }

  #setOutputs(): void {
    const namesOf = (previews: readonly SweptPreview[]) =>
      JSON.stringify(previews.map(({ name }) => this.#report.render.forPrograms(name)));
    const deleted = namesOf(this.#of("deleted", "planned"));
    const kept = namesOf(this.#of("kept"));
    this.#report.addOutputs({ deleted, kept });
  }

  /** Adds the table of all previews to the summary. */
  showTable(): void {
    const { render } = this.#report;
    const rows = order
      .flatMap((result) => this.#of(result))
      .map(({ name, result, reason }) => [
        render.idCell(name),
        render.cell(resultLabels[result]),
        render.cell(reason),
      ]);
    if (rows.length === 0) return;
    const { maxRows } = summaryLimits;
    const table = markdownTable(["Preview", "Result", "Reason"], rows.slice(0, maxRows));
    const more = moreOf(rows.length, maxRows, "the outputs `deleted` and `kept`");
    this.#report.set({ summarySections: [table, more] });
  }
}
