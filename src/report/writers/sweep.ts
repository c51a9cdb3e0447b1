import type { SweptPreview } from "../../results/deletion.ts";
import { code, text } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import type { WriterContext } from "../report.ts";
import type { RunResult } from "../result.ts";
import { heading, joinSections, resultMarkdown } from "../sections/result.ts";
import { markdownTable } from "../sections/tables.ts";
import { describeSwept, ofKind, type SweptKind } from "../sentences/sweep.ts";
import type { Writer } from "../writer.ts";

/** The log has nine annotations of a kind (runner/log.ts). One is left for how the sweep ends. */
const maxAnnotations = 8;

/** Logs what becomes of each preview, and writes the outputs and the summary of a sweep, however it ends. */
export class SweepWriter implements Writer {
  readonly #swept: SweptPreview[] = [];
  readonly #context: WriterContext;

  constructor(context: WriterContext) {
    this.#context = context;
  }

  /** What became of the previews so far. */
  get swept(): readonly SweptPreview[] {
    return this.#swept;
  }

  add(preview: SweptPreview): void {
    this.#swept.push(preview);
    this.#log(preview);
  }

  #log(preview: SweptPreview): void {
    const { report } = this.#context;
    const name = code(preview.name);
    if (preview.kind === "gone") {
      report.notice(text`${name} was already gone, so nothing was deleted.`);
    } else if (preview.kind === "renamed") {
      report.warning(text`${name} is left alone: ${describeSwept(preview)}.`);
    } else if (preview.kind === "unproven") {
      report.warning(
        text`${name} is left alone: ${describeSwept(preview)} (Its record: ${preview.recordId}.)`,
      );
    } else if (preview.kind === "failed") {
      const isAnnotation = ofKind(this.#swept, "failed").length <= maxAnnotations;
      const message = text`${name}: ${describeSwept(preview)}`;
      if (isAnnotation) report.error(message, { title: text`Sweep ${name}: failed` });
      else report.info(message);
    }
  }

  onEnd(_facts: RunFacts, result: RunResult): void {
    const { report, files } = this.#context;
    const { render } = report;
    const names = (...kinds: readonly SweptKind[]) =>
      JSON.stringify(ofKind(this.#swept, ...kinds).map(({ name }) => render.value(name)));
    files.setOutput("deleted", names("deleted", "would_be_deleted"));
    files.setOutput("kept", names("kept", "renamed", "unproven"));
    files.setOutput("outcome", result.outcome);
    files.appendSummary(
      joinSections([
        heading("Sweep of previews", result.outcome),
        resultMarkdown(result, render),
        this.#table(),
      ]),
    );
  }

  #table(): string {
    const { render } = this.#context.report;
    const rows = ofKind(this.#swept, ...order).map((preview) => [
      render.idCell(preview.name),
      labels[preview.kind],
      render.cell(describeSwept(preview)),
    ]);
    return rows.length === 0 ? "" : markdownTable(["Preview", "Result", "Reason"], rows);
  }
}

/** What needs attention comes first. */
const order: readonly SweptKind[] = [
  "failed",
  "unconfirmed",
  "deleted",
  "would_be_deleted",
  "gone",
  "unproven",
  "renamed",
  "kept",
];

const labels: Readonly<Record<SweptKind, string>> = {
  failed: "❌ failed",
  unconfirmed: "❌ deletion not confirmed",
  deleted: "deleted",
  would_be_deleted: "would be deleted",
  gone: "already gone",
  unproven: "kept",
  renamed: "kept",
  kept: "kept",
};
