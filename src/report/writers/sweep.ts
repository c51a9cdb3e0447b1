import type { SweepReason, SweepResult, SweptPreview } from "../../results/deletion.ts";
import { below, code, input, joined, listed, type Message, rawText, text } from "../../text/message.ts";
import type { RunFacts } from "../facts.ts";
import { markdownTable } from "../renderer.ts";
import type { Writer, WriterContext } from "../report.ts";
import type { RunResult } from "../result.ts";
import { addressInputs, unprovenTexts } from "../sentences/deletion.ts";
import { heading, joinSections, resultMarkdown } from "./summary.ts";

/** The log has nine annotations of a kind (log.ts). One is left for how the sweep ends. */
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
      report.warning(text`${name} is left alone: ${describe(preview)}.`);
    } else if (preview.kind === "unproven") {
      report.warning(text`${name} is left alone: ${describe(preview)} (Its record: ${preview.recordId}.)`);
    } else if (preview.kind === "failed") {
      const isAnnotation = ofKind(this.#swept, "failed").length <= maxAnnotations;
      const message = text`${name}: ${describe(preview)}`;
      if (isAnnotation) report.error(message, { title: text`Sweep ${name}: failed` });
      else report.info(message);
    }
  }

  onEnd(_facts: RunFacts, result: RunResult): void {
    const { report, files } = this.#context;
    const { render } = report;
    const names = (...kinds: readonly Kind[]) =>
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
      render.cell(describe(preview)),
    ]);
    return rows.length === 0 ? "" : markdownTable(["Preview", "Result", "Reason"], rows);
  }
}

type Kind = SweptPreview["kind"];

/** In the order of the kinds. */
function ofKind(swept: readonly SweptPreview[], ...kinds: readonly Kind[]): readonly SweptPreview[] {
  return kinds.flatMap((kind) => swept.filter((preview) => preview.kind === kind));
}

/** What needs attention comes first. */
const order: readonly Kind[] = [
  "failed",
  "unconfirmed",
  "deleted",
  "would_be_deleted",
  "gone",
  "unproven",
  "renamed",
  "kept",
];

const labels: Readonly<Record<Kind, string>> = {
  failed: "❌ failed",
  unconfirmed: "❌ deletion not confirmed",
  deleted: "deleted",
  would_be_deleted: "would be deleted",
  gone: "already gone",
  unproven: "kept",
  renamed: "kept",
  kept: "kept",
};

/** Why a preview was deleted or kept: a part of a sentence, or sentences if there is something to do. */
function describe(preview: SweptPreview): Message {
  switch (preview.kind) {
    case "failed":
      return joined([preview.error.text, preview.error.hint]);
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

/** A part of a sentence. */
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
  return text`${were} left alone: the records are of another control plane or workspace. If they should be swept here, check ${addressInputs}.`;
}

/** How a sweep ended, for people. */
export function describeSweep(result: SweepResult): RunResult {
  const counts = describeCounts(result);
  if (result.kind === "stopped") {
    const { error, checked, total } = result;
    const progress =
      total === undefined
        ? text`No preview was checked.`
        : text`${checked} of ${total} previews were checked (${counts}).`;
    return {
      outcome: "failed",
      message: error.text,
      details: [text`The sweep stopped there. ${progress}`],
      hint: text`${error.hint} Then run the sweep again.`,
    };
  }
  const failed = result.swept.filter((preview) => preview.kind === "failed");
  if (failed.length > 0) {
    const names = listed(failed.map(({ name }) => code(name)));
    return {
      outcome: "failed",
      message: text`Could not sweep ${names} (${counts}).`,
      hint: text`${commonHint(failed.map(({ error }) => error.hint))} The next sweep tries them again.`,
    };
  }
  if (result.isDryRun) {
    return { outcome: "planned", message: text`Dry run: ${counts}. No changes were sent.` };
  }
  const count = (...kinds: readonly Kind[]) => ofKind(result.swept, ...kinds).length;
  const isNothingDeleted = count("deleted") === 0 && count("renamed", "unproven") > 0;
  return { outcome: isNothingDeleted ? "skipped" : "deleted", message: text`Previews: ${counts}.` };
}

function commonHint(hints: readonly Message[]): Message | undefined {
  return new Set(hints.map(rawText)).size === 1
    ? hints[0]
    : text`The table ${below} says for each one what to do.`;
}

/** Such as `2 deleted, 3 kept`. */
function describeCounts({ swept, isDryRun }: SweepResult): Message {
  const count = (...kinds: readonly Kind[]) => ofKind(swept, ...kinds).length;
  const [gone, failed] = [count("gone"), count("failed")];
  const deleted = isDryRun
    ? text`${count("would_be_deleted")} would be deleted`
    : text`${count("deleted")} deleted`;
  return joined(
    [
      deleted,
      text`${count("kept", "renamed", "unproven")} kept`,
      gone > 0 ? text`${gone} already gone` : undefined,
      failed > 0 ? text`${failed} failed` : undefined,
    ],
    ", ",
  );
}
