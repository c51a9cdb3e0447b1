import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Cell, cellsOf, describeFailure, shortCellsOf } from "./cells.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { hangs } from "./faults.ts";
import { problemsOf } from "./invariants.ts";
import type { Observation } from "./observation.ts";
import { type Baseline, baselineOf, indexOf, observeCell, observeUsual } from "./run-cell.ts";
import type { Scenario, Target } from "./scenario.ts";
import { allScenarios } from "./scenarios/all.ts";
import { stepInProcess } from "./step.ts";

/** `npm run test:faults` sets it. Without it, a short form runs. */
const isWhole = process.env.FAULT_MATRIX === "whole";
const timeLimitMs = isWhole ? 600_000 : 60_000;
/** How many cells run at the same time. Those that hang only wait. */
const concurrency = { quick: 2, hanging: 12 };

const allTargets = allScenarios.flatMap(({ targets }) => targets);

/** The cells of a request that are run. */
export function chosenCells(scenario: Scenario, target: Target): readonly Cell[] {
  return isWhole ? cellsOf(scenario, target) : shortCellsOf(scenario, target, allTargets.indexOf(target));
}

/** Tests of these scenarios: each request of each, with its faults. Prints the number of cells. */
export function testMatrix(title: string, scenarios: readonly Scenario[]): void {
  const trustedBefore = tls.getCACertificates("default");
  const startedAt = performance.now();
  let cellCount = 0;
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await makeCertificates();
    tls.setDefaultCACertificates([...trustedBefore, certificates.authority]);
  });

  afterAll(() => {
    tls.setDefaultCACertificates(trustedBefore);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`\nFault matrix of ${title}: ${cellCount} cells in ${seconds} s.\n\n`);
  });

  describe.each(scenarios)("$name", (scenario) => {
    let usual: Observation;
    let baseline: Baseline;

    beforeAll(async () => {
      usual = await observeUsual(scenario, certificates, stepInProcess());
      baseline = baselineOf(usual);
    }, timeLimitMs);

    test("a run without a fault ends as expected", () => {
      expect({ ending: usual.ending, problems: problemsOf(usual) }).toEqual({
        ending: scenario.usual,
        problems: [],
      });
    });

    test("every request is covered by a fault of some scenario", () => {
      expect(requestsWithoutFaults(baseline)).toEqual([]);
    });

    test.each(scenario.targets)(
      "a run in which $name fails reports the truth",
      async (target) => {
        expect(indexOf(target, baseline)).toBeGreaterThanOrEqual(0);
        const cells = Object.groupBy(chosenCells(scenario, target), ({ fault }) =>
          hangs(fault) ? "hanging" : "quick",
        );
        const run = async (cell: Cell) => {
          const observed = await observeCell(cell, baseline, certificates, stepInProcess());
          cellCount += 1;
          return describeFailure(cell, observed);
        };

        const failures = await Promise.all([
          runInPool(cells.quick ?? [], concurrency.quick, run),
          runInPool(cells.hanging ?? [], concurrency.hanging, run),
        ]);

        expect(failures.flat(2)).toEqual([]);
      },
      timeLimitMs,
    );
  });
}

/** Requests of a run that no scenario has faults for. */
function requestsWithoutFaults(baseline: Baseline): readonly string[] {
  return (["platform", "GitHub"] as const).flatMap((server) =>
    baseline[server]
      .filter((request, index, all) => {
        const before = all.slice(0, index);
        return !allTargets.some((target) => target.server === server && target.route(request, before));
      })
      .map(({ method, path }) => `${server}: ${method} ${path}`),
  );
}

/** Calls `work` for each item, at most `size` at a time. The results are in the order in which they came. */
async function runInPool<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) results.push(await work(item));
  };
  await Promise.all(Array.from({ length: size }, worker));
  return results;
}
