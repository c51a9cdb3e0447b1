import { Failure, type SuccessEnding } from "../errors.ts";
import { urlInputs } from "../platform/hints.ts";
import { summaryLimits } from "../report/limits.ts";
import type { Report } from "../report/report.ts";
import { markdownTable, moreOf } from "../report/sections/blocks.ts";
import { code, commaList, inputName, type Message, phrase, text } from "../text/message.ts";

/** The results, and how they are shown. Those that need attention come first. */
const shownResults = [
  ["failed", phrase`failed`],
  ["deleted", phrase`deleted`],
  ["planned", phrase`would be deleted`],
  ["gone", phrase`already deleted`],
  ["kept", phrase`kept`],
  /** It may belong to something else. */
  ["leftAlone", phrase`left alone`],
] as const;

/** How the sweep of one preview ended. */
export interface SweepEnd {
  readonly result: (typeof shownResults)[number][0];
  /** A part of a sentence, or sentences if there is something to do. */
  readonly reason: Message;
}

export interface SweptPreview extends SweepEnd {
  readonly name: string;
}

/** Shows in the outputs and the summary what was swept so far. */
export function reportSwept(swept: readonly SweptPreview[], report: Report): void {
  const { render } = report;
  const byResult = Object.groupBy(swept, ({ result }) => result);
  const { deleted = [], planned = [], kept = [] } = byResult;
  const toJson = (previews: readonly SweptPreview[]) =>
    JSON.stringify(previews.map(({ name }) => render.redactIdentifier(name)));
  report.setOutputs({ deleted: toJson([...deleted, ...planned]), kept: toJson(kept) });
  const rows = shownResults.flatMap(([result, label]) =>
    (byResult[result] ?? []).map(({ name, reason }) => [
      render.idCell(name),
      render.cell(label),
      render.cell(reason),
    ]),
  );
  const { maxRows } = summaryLimits;
  const table = markdownTable(["Preview", "Result", "Reason"], rows.slice(0, maxRows));
  const more = moreOf(rows.length, maxRows, "the outputs `deleted` and `kept`");
  report.set({ summarySections: rows.length === 0 ? [] : [table, more] });
}

const noRecords = text`No preview has an active record. If there are previews, check ${inputName("environment")}.`;
const leftAloneHint = text`To include what was left alone, check ${inputName("github_token")}, ${urlInputs}.`;

/** Returns the ending of a sweep. @throws Failure if a preview could not be swept */
export function endingOfSweep(swept: readonly SweptPreview[], isDryRun: boolean): SuccessEnding {
  const byResult = Object.groupBy(swept, ({ result }) => result);
  const counts = shownResults.map(([result, label]) => {
    const previews = byResult[result];
    return previews && phrase`${previews.length} ${label}`;
  });
  const isEmpty = swept.length === 0;
  const message = text`Previews: ${isEmpty ? phrase`none to sweep` : commaList(counts)}.`;
  const ifLeftAlone = byResult.leftAlone && leftAloneHint;
  if (byResult.failed !== undefined) {
    const problems = byResult.failed.map(({ name, reason }) => ({
      message: text`${code(name)}: ${reason}`,
      title: phrase`Sweep ${code(name)}: failed`,
    }));
    const hint = text`Correct what the failures name. The next sweep tries again. ${ifLeftAlone}`;
    throw new Failure(message, { problems, hint });
  }
  const details = isEmpty ? [noRecords] : [];
  if (isDryRun) {
    const planned = text`${message} No changes were sent.`;
    return { outcome: "planned", message: planned, details, hint: ifLeftAlone };
  }
  const headline = byResult.deleted === undefined ? phrase`nothing to delete` : undefined;
  return { outcome: "deleted", message, details, hint: ifLeftAlone, headline };
}
