import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Cell, cellsOf, shortCells } from "./cells.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { hangs } from "./faults.ts";
import { problemsOf } from "./invariants.ts";
import { judge } from "./judge.ts";
import type { Observation } from "./observation.ts";
import { inPool } from "./pool.ts";
import { type Baseline, baselineOf, observeCell, observeHealthy, placeOf } from "./run-cell.ts";
import type { Scenario } from "./scenario.ts";
import { allScenarios } from "./scenarios/all.ts";
import { stepInProcess } from "./step.ts";
import { type CellResult, spellTable } from "./table.ts";

/** `npm run test:faults` asks for the whole; without that a short form runs. */
const whole = process.env.FAULT_MATRIX === "whole";
const limitMs = whole ? 600_000 : 60_000;
/** What hangs waits side by side. */
const sideBySide = 12;

/** Tests of these scenarios: each request of each, each fault of each request. The results are printed at the end. */
export function testMatrix(title: string, scenarios: readonly Scenario[]): void {
  const trustedBefore = tls.getCACertificates("default");
  const results: CellResult[] = [];
  const startedAt = performance.now();
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await makeCertificates();
    tls.setDefaultCACertificates([...trustedBefore, certificates.authority]);
  });

  afterAll(() => {
    tls.setDefaultCACertificates(trustedBefore);
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(`\n${spellTable(title, results, seconds)}\n\n`);
  });

  describe.each(scenarios)("$name", (scenario) => {
    let healthy: Observation;
    let baseline: Baseline;

    beforeAll(async () => {
      healthy = await observeHealthy(scenario, certificates, stepInProcess());
      baseline = baselineOf(healthy);
    }, limitMs);

    test("ends well without a fault", () => {
      expect({ ending: healthy.ending, problems: problemsOf(healthy) }).toEqual({
        ending: scenario.healthy,
        problems: [],
      });
    });

    test("makes no request that no fault befalls", () => {
      expect(requestsWithoutFaults(baseline)).toEqual([]);
    });

    test.each(scenario.targets)(
      "$name",
      async (target) => {
        expect(placeOf(target, baseline)).toBeGreaterThanOrEqual(0);
        const cells = whole ? cellsOf(scenario, target) : shortCells(scenario, target);
        const { hanging = [], quick = [] } = Object.groupBy(cells, ({ fault }) =>
          hangs(fault) ? "hanging" : "quick",
        );
        const run = async (cell: Cell) => {
          const observed = await observeCell(cell, baseline, certificates, stepInProcess());
          const { result, failures } = judge(cell, observed);
          results.push(result);
          return failures;
        };
        const failures = await Promise.all([inPool(quick, 2, run), inPool(hanging, sideBySide, run)]);
        expect(failures.flat(2)).toEqual([]);
      },
      limitMs,
    );
  });
}

/** Requests of a run that no scenario has faults for, spelled: there must be none. */
function requestsWithoutFaults(baseline: Baseline): readonly string[] {
  const targets = allScenarios.flatMap((scenario) => scenario.targets);
  return (["platform", "GitHub"] as const).flatMap((server) =>
    baseline[server]
      .filter((request, index, all) => {
        const before = all.slice(0, index);
        return !targets.some((target) => target.server === server && target.route(request, before));
      })
      .map(({ method, path }) => `${server}: ${method} ${path}`),
  );
}
