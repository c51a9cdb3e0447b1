import { Failure, type SuccessEnding } from "../errors.ts";
import { urlInputs } from "../platform/hints.ts";
import { summaryLimits } from "../report/limits.ts";
import type { Report } from "../report/report.ts";
import { markdownTable, moreOf } from "../report/sections/blocks.ts";
import { code, commaList, inputName, type Message, phrase, text } from "../text/message.ts";

/** The results in words for people. Those that need attention come first. */
const resultLabels = {
  failed: phrase`failed`,
  deleted: phrase`deleted`,
  planned: phrase`would be deleted`,
  gone: phrase`already deleted`,
  kept: phrase`kept`,
  /** It may belong to something else. */
  foreign: phrase`left alone`,
};
type SweepResult = keyof typeof resultLabels;
const allResults: readonly SweepResult[] = ["failed", "deleted", "planned", "gone", "kept", "foreign"];

/** How the sweep of one preview ended. */
export interface SweepEnd {
  readonly result: SweepResult;
  /** A part of a sentence, or sentences if there is something to do. */
  readonly reason: Message;
}

export interface SweptPreview extends SweepEnd {
  readonly name: string;
}

function withResults(swept: readonly SweptPreview[], ...results: readonly SweepResult[]): SweptPreview[] {
  return results.flatMap((result) => swept.filter((preview) => preview.result === result));
}

/** Shows in the outputs and the summary what was swept so far. */
export function reportSwept(swept: readonly SweptPreview[], report: Report): void {
  const { render } = report;
  const namesOf = (...results: readonly SweepResult[]) =>
    JSON.stringify(withResults(swept, ...results).map(({ name }) => render.redactIdentifier(name)));
  report.setOutputs({ deleted: namesOf("deleted", "planned"), kept: namesOf("kept") });
  const rows = withResults(swept, ...allResults).map(({ name, result, reason }) => [
    render.idCell(name),
    render.cell(resultLabels[result]),
    render.cell(reason),
  ]);
  const { maxRows } = summaryLimits;
  const table = markdownTable(["Preview", "Result", "Reason"], rows.slice(0, maxRows));
  const more = moreOf(rows.length, maxRows, "the outputs `deleted` and `kept`");
  report.set({ summarySections: rows.length === 0 ? [] : [table, more] });
}

const noRecords = text`No preview has an active record. If there are previews, check ${inputName("environment")}.`;
const foreignHint = text`To include what was left alone, check ${inputName("github_token")}, ${urlInputs}.`;

/** Returns the ending of a sweep. @throws Failure if a preview could not be swept */
export function endingOfSweep(swept: readonly SweptPreview[], isDryRun: boolean): SuccessEnding {
  const counts = allResults.map((result) => {
    const { length } = withResults(swept, result);
    return length > 0 ? phrase`${length} ${resultLabels[result]}` : undefined;
  });
  const isEmpty = swept.length === 0;
  const message = text`Previews: ${isEmpty ? phrase`none to sweep` : commaList(counts)}.`;
  const ifForeign = withResults(swept, "foreign").length > 0 ? foreignHint : undefined;
  const problems = withResults(swept, "failed").map(({ name, reason }) => ({
    message: text`${code(name)}: ${reason}`,
    title: phrase`Sweep ${code(name)}: failed`,
  }));
  if (problems.length > 0) {
    const hint = text`Correct what the failures name. The next sweep tries again. ${ifForeign}`;
    throw new Failure(message, { problems, hint });
  }
  const details = isEmpty ? [noRecords] : [];
  if (isDryRun) {
    const planned = text`${message} No changes were sent.`;
    return { outcome: "planned", message: planned, details, hint: ifForeign };
  }
  const headline = withResults(swept, "deleted").length > 0 ? undefined : phrase`nothing to delete`;
  return { outcome: "deleted", message, details, hint: ifForeign, headline };
}
