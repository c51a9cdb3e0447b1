import type { Case } from "./expectations.ts";
import { type Fault, faults, hangs } from "./faults.ts";
import { problemsOf } from "./invariants.ts";
import type { Observation } from "./observation.ts";
import type { Scenario, Target } from "./scenario.ts";

/** One request of one run, and what goes wrong with it. */
export interface Cell extends Case {
  readonly scenario: Scenario;
  readonly target: Target;
}

const counts = [1, 3, Number.POSITIVE_INFINITY];

/** Every cell of one request. */
export function cellsOf(scenario: Scenario, target: Target): readonly Cell[] {
  const { usual } = scenario;
  return faults
    .filter(({ wire }) => !(target.optionalId && wire.kind === "without"))
    .filter(({ wire }) => target.showsId || wire.kind !== "other id")
    .filter((fault) => !target.omits?.(fault))
    .flatMap((fault) =>
      effectsOf(fault, target).flatMap((applied) =>
        counts.map((times) => ({ scenario, target, fault, times, applied, usual })),
      ),
    );
}

/** Whether a read takes effect makes no difference. */
function effectsOf({ effect }: Fault, { writes }: Target): readonly boolean[] {
  if (effect === "either") return writes ? [false, true] : [true];
  return [effect === "always"];
}

/**
 * The cells of the short form: every fault once for a thorough target, two faults for any other write, one for a read.
 * `index`: that of the target among all, which decides on the faults, so that all of them are met.
 */
export function shortCellsOf(scenario: Scenario, target: Target, index: number): readonly Cell[] {
  const byFault = [...Map.groupBy(cellsOf(scenario, target), ({ fault }) => fault).values()];
  const wanted = target.writes ? 2 : 1;
  const chosen = target.thorough
    ? byFault
    : Array.from({ length: wanted }, (_, nth) => byFault[(7 * index + 17 * nth) % byFault.length] ?? []);
  return chosen.flatMap((cells, nth) => {
    const affordable = cells.filter(({ fault, times }) => !hangs(fault) || times === 1);
    return affordable[(index + nth) % affordable.length] ?? [];
  });
}

export function describeCell({ scenario, target, fault, times, applied }: Cell): string {
  const count = times === Number.POSITIVE_INFINITY ? "always" : times === 1 ? "once" : `${times} times`;
  const effect = target.writes ? `, ${applied ? "applied" : "not applied"}` : "";
  return `${scenario.name}: ${target.name}: ${fault.name}${effect}, ${count}`;
}

/** What is wrong with the run of a cell, with its log; empty if nothing is. */
export function describeFailure(cell: Cell, run: Observation): readonly string[] {
  const expected = [cell.target.expected(cell)].flat();
  const problems = [
    ...(expected.includes(run.ending) ? [] : [`ended as ${run.ending}, not as ${expected.join(" or ")}`]),
    ...problemsOf(run),
  ];
  if (problems.length === 0) return [];
  const log = run.lines.map(({ kind, text }) => `    ${kind}: ${text.slice(0, 300)}`);
  return [[describeCell(cell), ...problems.map((text) => `  ${text}`), ...log].join("\n")];
}
