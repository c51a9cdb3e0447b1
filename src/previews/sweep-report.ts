import { addressInputs } from "../deletion/delete-deployment.ts";
import type { Ending, Failure } from "../errors.ts";
import type { Report } from "../report/report.ts";
import { markdownTable } from "../report/sections/tables.ts";
import { code, inputName, joined, listOf, type Message, rawText, text, word } from "../text/message.ts";

/** What may become of a preview, as the table shows it. */
const results = {
  failed: "❌ failed",
  deleted: "deleted",
  planned: "would be deleted",
  gone: "already deleted",
  kept: "kept",
} as const;
type SweepResult = keyof typeof results;

/** A preview and what became of it. `why`: a part of a sentence, or sentences if there is something to do. */
interface SweptPreview {
  readonly name: string;
  readonly result: SweepResult;
  readonly why: Message;
  readonly hint?: Message;
}

/** The log has nine annotations of a kind (report/runner/log.ts). One is left for how the sweep ends. */
const maxAnnotations = 8;

/** What became of the previews of a sweep: logs it, and writes outputs and summary at its end. */
export class SweepReport {
  readonly #report: Report;
  readonly #previews: SweptPreview[] = [];
  #leftAlone = 0;

  constructor(report: Report) {
    this.#report = report;
    report.set({ ownSections: () => [this.#table()] });
    this.#setOutputs();
  }

  add(result: SweepResult, name: string, why: Message, hint?: Message): void {
    this.#previews.push({ name, result, why, ...(hint && { hint }) });
    this.#setOutputs();
  }

  /** The preview was not found, and nothing shows that it is gone. */
  unknown(name: string, { ending: { message, hint } }: Failure): void {
    const why = joined([message, hint]);
    this.#report.warning(text`${code(name)} was kept: ${why}`);
    this.add("kept", name, why);
  }

  gone(name: string): void {
    this.#report.notice(text`${code(name)} no longer exists, so nothing was deleted.`);
    this.add("gone", name, text`its deployment no longer exists`);
  }

  failed(name: string, { ending: { message, hint } }: Failure): void {
    const report = this.#report;
    const why = joined([message, hint]);
    const line = text`${code(name)}: ${why}`;
    if (this.#of("failed").length < maxAnnotations) {
      report.error(line, { title: text`Sweep ${code(name)}: failed` });
    } else {
      report.info(line);
    }
    this.add("failed", name, why, hint);
  }

  /** A preview that is not this sweep's to delete. */
  leftAlone(): void {
    this.#leftAlone += 1;
  }

  #of(...wanted: readonly SweepResult[]): readonly SweptPreview[] {
    return this.#previews.filter(({ result }) => wanted.includes(result));
  }

  ending(isDryRun: boolean): Ending {
    const counts = this.#counts(isDryRun);
    const details = this.#leftAlone > 0 ? [this.#describeLeftAlone()] : [];
    for (const detail of details) this.#report.notice(detail);
    const failed = this.#of("failed");
    if (failed.length > 0) {
      const names = listOf(failed.map(({ name }) => code(name)));
      const hint = text`${this.#commonHint()} The next sweep tries them again.`;
      return { outcome: "failed", message: text`Could not sweep ${names} (${counts}).`, details, hint };
    }
    if (isDryRun) {
      return { outcome: "planned", message: text`Dry run: ${counts}. No changes were sent.`, details };
    }
    const isEmpty = this.#previews.length + this.#leftAlone === 0;
    const none = text`No preview has an active record. If there are previews, check ${inputName("environment")}.`;
    const message = text`Previews: ${counts}.`;
    if (this.#of("deleted").length > 0) return { outcome: "deleted", message, details };
    return {
      outcome: "deleted",
      message,
      details: isEmpty ? [none] : details,
      label: text`nothing to delete`,
    };
  }

  #describeLeftAlone(): Message {
    const count = this.#leftAlone;
    const were = count === 1 ? text`1 preview was` : text`${count} previews were`;
    return text`${were} left alone: the record belongs to a different login, control plane or workspace, or leads to a deployment of another name. If this sweep should include them, check ${inputName("github_token")}, ${addressInputs}.`;
  }

  #commonHint(): Message | undefined {
    const [first, ...others] = this.#of("failed").map(({ hint }) => hint);
    const isCommon = others.every((hint) => first && hint && rawText(hint) === rawText(first));
    return isCommon ? first : text`The table in the job summary says what to do for each one.`;
  }

  /** The number of previews with each result, such as `2 deleted, 3 kept`. */
  #counts(isDryRun: boolean): Message {
    const always: readonly SweepResult[] = [isDryRun ? "planned" : "deleted", "kept"];
    const words = { ...results, failed: "failed" } as const;
    const count = (result: SweepResult) => {
      const { length } = this.#of(result);
      return length > 0 || always.includes(result) ? text`${length} ${word(words[result])}` : undefined;
    };
    return joined([...always, "gone" as const, "failed" as const].map(count), ", ");
  }

  #setOutputs(): void {
    const namesOf = (previews: readonly SweptPreview[]) =>
      JSON.stringify(previews.map(({ name }) => this.#report.render.value(name)));
    const deleted = namesOf(this.#of("deleted", "planned"));
    this.#report.set({ outputs: { deleted, kept: namesOf(this.#of("kept")) } });
  }

  #table(): string {
    const { render } = this.#report;
    // What needs attention comes first.
    const order: readonly SweepResult[] = ["failed", "deleted", "planned", "gone", "kept"];
    const rows = order
      .flatMap((result) => this.#of(result))
      .map(({ name, result, why }) => [render.idCell(name), results[result], render.cell(why)]);
    return rows.length === 0 ? "" : markdownTable(["Preview", "Result", "Reason"], rows);
  }
}
