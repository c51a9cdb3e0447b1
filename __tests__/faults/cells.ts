import type { Case } from "./expectations.ts";
import { type Fault, faults, hangs } from "./faults.ts";
import type { Scenario, Target } from "./scenario.ts";

/** One request of one run, and what goes wrong with it. */
export interface Cell extends Case {
  readonly scenario: Scenario;
  readonly target: Target;
}

/** The same fault once, three times, for ever. */
const counts = [1, 3, Number.POSITIVE_INFINITY];

/** Every cell of one request. */
export function cellsOf(scenario: Scenario, target: Target): readonly Cell[] {
  return faults
    .filter(({ mishap }) => !(target.idless && mishap.kind === "without"))
    .filter(({ mishap }) => target.byId || mishap.kind !== "another's")
    .flatMap((fault) =>
      effectsOf(fault, target).flatMap((applied) =>
        counts.map((times) => ({
          scenario,
          target,
          role: target.role,
          fault,
          times,
          applied,
          healthy: scenario.healthy,
        })),
      ),
    );
}

/** A read is carried out or not without a difference. */
function effectsOf(fault: Fault, target: Target): readonly boolean[] {
  if (fault.effect === "either") return target.writes ? [false, true] : [true];
  return [fault.effect === "always"];
}

/**
 * The cells of the short form: for some requests every fault, for the others, by turns, a part of some faults; of each
 * fault one cell, at every request another one. What hangs is mostly left to the whole.
 */
export function shortCells(scenario: Scenario, target: Target): readonly Cell[] {
  const offset = scenario.targets.indexOf(target);
  const every = target.server === "GitHub" ? 4 : 2;
  const byFault = Map.groupBy(cellsOf(scenario, target), ({ fault }) => fault);
  return [...byFault]
    .filter(([fault]) => target.short || fault.short)
    .filter((_each, index) => target.short || index % every === offset % every)
    .flatMap(([, cells], index) => cells[(index + offset) % cells.length] ?? [])
    .filter(({ fault, times }) => !hangs(fault) || (target.short && times === 1));
}

/** The cell in words. */
export function spell({ scenario, target, fault, times, applied }: Cell): string {
  const often = times === Number.POSITIVE_INFINITY ? "for ever" : times === 1 ? "once" : `${times} times`;
  const effect = target.writes ? (applied ? ", carried out" : ", not carried out") : "";
  return `${scenario.name}: ${target.name}: ${fault.name}${effect}, ${often}`;
}
