import type { Ending, Failure } from "../errors.ts";
import type { Report } from "../report/report.ts";
import { markdownTable } from "../report/sections/tables.ts";
import { code, input, joined, listed, type Message, rawText, text } from "../text/message.ts";
import { addressInputs } from "./delete-deployment.ts";

/** A preview and what became of it. `why`: a part of a sentence, or sentences if there is something to do. */
interface Swept {
  readonly name: string;
  readonly why: Message;
}

interface FailedPreview extends Swept {
  readonly hint: Message;
}

/** The log has nine annotations of a kind (report/runner/log.ts). One is left for how the sweep ends. */
const maxAnnotations = 8;

/** What became of the previews of a sweep: logs it, and writes outputs and summary at its end. */
export class SweepReport {
  readonly #report: Report;
  readonly #deleted: Swept[] = [];
  /** What a dry run would delete. */
  readonly #planned: Swept[] = [];
  readonly #kept: Swept[] = [];
  readonly #gone: Swept[] = [];
  readonly #failed: FailedPreview[] = [];
  #leftAlone = 0;

  constructor(report: Report) {
    this.#report = report;
    report.summarize("Sweep of previews", () => [this.#table()]);
    this.#setOutputs();
  }

  deleted(name: string, why: Message): void {
    this.#deleted.push({ name, why });
    this.#setOutputs();
  }

  wouldBeDeleted(name: string, why: Message): void {
    this.#planned.push({ name, why });
    this.#setOutputs();
  }

  kept(name: string, why: Message): void {
    this.#kept.push({ name, why });
    this.#setOutputs();
  }

  /** It was not found, and nothing shows that it is gone. */
  unknown(name: string, { ending: { message, hint } }: Failure): void {
    const why = joined([message, hint]);
    this.#report.warning(text`${code(name)} was kept: ${why}`);
    this.kept(name, why);
  }

  gone(name: string): void {
    this.#report.notice(text`${code(name)} no longer exists, so nothing was deleted.`);
    this.#gone.push({ name, why: text`its deployment no longer exists` });
  }

  failed(name: string, { ending: { message, hint } }: Failure): void {
    const report = this.#report;
    const why = joined([message, hint]);
    const line = text`${code(name)}: ${why}`;
    if (this.#failed.length < maxAnnotations) {
      report.error(line, { title: text`Sweep ${code(name)}: failed` });
    } else {
      report.info(line);
    }
    this.#failed.push({ name, why, hint });
  }

  /** A preview that is not this sweep's to delete. */
  leftAlone(): void {
    this.#leftAlone += 1;
  }

  ending(isDryRun: boolean): Ending {
    const counts = this.#counts(isDryRun);
    const details = this.#leftAlone > 0 ? [this.#describeLeftAlone()] : [];
    for (const detail of details) this.#report.notice(detail);
    if (this.#failed.length > 0) {
      const names = listed(this.#failed.map(({ name }) => code(name)));
      const hint = text`${this.#commonHint()} The next sweep tries them again.`;
      return { outcome: "failed", message: text`Could not sweep ${names} (${counts}).`, details, hint };
    }
    if (isDryRun) {
      return { outcome: "planned", message: text`Dry run: ${counts}. No changes were sent.`, details };
    }
    const isEmpty = this.#kept.length + this.#gone.length + this.#leftAlone === 0;
    const none = text`No preview has an active record. If there are previews, check ${input("environment")}.`;
    const message = text`Previews: ${counts}.`;
    if (this.#deleted.length > 0) return { outcome: "deleted", message, details };
    return { outcome: "deleted", message, details: isEmpty ? [none] : details, label: "nothing to delete" };
  }

  #describeLeftAlone(): Message {
    const count = this.#leftAlone;
    const were = count === 1 ? text`1 preview was` : text`${count} previews were`;
    return text`${were} left alone: the record belongs to a different login, control plane or workspace, or leads to a deployment of another name. If this sweep should include them, check ${input("github_token")}, ${addressInputs}.`;
  }

  #commonHint(): Message | undefined {
    const [first, ...others] = this.#failed.map(({ hint }) => hint);
    const isCommon = others.every((hint) => first && rawText(hint) === rawText(first));
    return isCommon ? first : text`The table in the job summary says what to do for each one.`;
  }

  /** Such as `2 deleted, 3 kept`. */
  #counts(isDryRun: boolean): Message {
    const [gone, failed] = [this.#gone.length, this.#failed.length];
    return joined(
      [
        isDryRun ? text`${this.#planned.length} would be deleted` : text`${this.#deleted.length} deleted`,
        text`${this.#kept.length} kept`,
        gone > 0 ? text`${gone} already deleted` : undefined,
        failed > 0 ? text`${failed} failed` : undefined,
      ],
      ", ",
    );
  }

  #setOutputs(): void {
    const names = (previews: readonly Swept[]) =>
      JSON.stringify(previews.map(({ name }) => this.#report.render.value(name)));
    const deleted = names([...this.#deleted, ...this.#planned]);
    this.#report.set({ outputs: { deleted, kept: names(this.#kept) } });
  }

  /** As Markdown. What needs attention comes first. */
  #table(): string {
    const { render } = this.#report;
    const rows = (previews: readonly Swept[], label: string) =>
      previews.map(({ name, why }) => [render.idCell(name), label, render.cell(why)]);
    const all = [
      ...rows(this.#failed, "❌ failed"),
      ...rows(this.#deleted, "deleted"),
      ...rows(this.#planned, "would be deleted"),
      ...rows(this.#gone, "already deleted"),
      ...rows(this.#kept, "kept"),
    ];
    return all.length === 0 ? "" : markdownTable(["Preview", "Result", "Reason"], all);
  }
}
