import { type Cell, spell } from "./cells.ts";
import { expectedEndings } from "./expectations.ts";
import { problemsOf } from "./invariants.ts";
import type { Observation } from "./observation.ts";
import type { CellResult } from "./table.ts";

/** A cell's result for the table, and what is wrong with it, spelled with the run's log. */
export interface Judgement {
  readonly result: CellResult;
  readonly failures: readonly string[];
}

/** Compares a run with the truth of its cell, and with what has to hold of every run. */
export function judge(cell: Cell, run: Observation): Judgement {
  const expected = expectedEndings(cell);
  const ending = `ended as ${run.ending}, not as ${expected.join(" or ")}`;
  const problems = [
    ...(expected.includes(run.ending) ? [] : [{ kind: "ending" as const, text: ending }]),
    ...problemsOf(run),
  ];
  const result = {
    scenario: cell.scenario.name,
    target: cell.target.name,
    kinds: problems.map(({ kind }) => kind),
  };
  if (problems.length === 0) return { result, failures: [] };
  const lines = [
    spell(cell),
    ...problems.map(({ kind, text }) => `  ${kind}: ${text}`),
    ...run.lines.map(({ kind, text }) => `    ${kind}: ${text.slice(0, 300)}`),
  ];
  return { result, failures: [lines.join("\n")] };
}
