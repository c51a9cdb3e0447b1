/** Some cells of the matrix with the action as the runner starts it: `dist/` in a process of its own, in real time. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Cell, cellsOf, spell } from "./cells.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { judge } from "./judge.ts";
import { baselineOf, observeCell, observeHealthy } from "./run-cell.ts";
import { allScenarios } from "./scenarios/all.ts";
import { stepFromBundle } from "./step.ts";
import { type CellResult, spellTable } from "./table.ts";

const forEver = Number.POSITIVE_INFINITY;

/** Scenario, request, fault, how often, and whether the platform did what it was asked. */
const chosen: readonly (readonly [string, string, string, number, boolean])[] = [
  ["create", "list", "refused", forEver, false],
  ["create", "list", "silence", 3, true],
  ["create", "list", "HTML with 200", 1, true],
  ["create", "POST", "certificate self-signed", forEver, false],
  ["create", "POST", "bytes that are no TLS", 1, true],
  ["create", "POST", "reset, read", 1, true],
  ["create", "POST", "silence", 1, true],
  ["create", "POST", "cut", 1, true],
  ["create", "POST", "500", 1, true],
  ["create", "revision", "50 MB", 1, true],
  ["create", "revision", "403", 1, false],
  ["create", "deployment at the end", "a byte a second", 1, true],
  ["update by name", "PATCH", "307 to another host", 1, true],
  ["update by name", "PATCH", "429, Retry-After in 5 s", 1, false],
  ["update by name", "PATCH", "empty body", 1, true],
  ["delete by name", "DELETE", "500", 1, true],
  ["delete by name", "DELETE", "409", 1, false],
  ["preview, opened", "POST record", "cut", 1, true],
  ["sweep", "pull request", "307 to another host", forEver, true],
  ["usage", "CSV", "cut", 1, true],
  ["oauth-provider", "PATCH", "500", 1, false],
];

const cells: readonly Cell[] = chosen.map(([scenarioName, targetName, faultName, times, applied]) => {
  const found = allScenarios
    .flatMap((scenario) => scenario.targets.flatMap((target) => cellsOf(scenario, target)))
    .find(
      (cell) =>
        cell.scenario.name === scenarioName &&
        cell.target.name === targetName &&
        cell.fault.name === faultName &&
        cell.times === times &&
        cell.applied === applied,
    );
  if (found === undefined) throw new Error(`There is no cell ${scenarioName}, ${targetName}, ${faultName}`);
  return found;
});

describe("the bundle", () => {
  const results: CellResult[] = [];
  const startedAt = performance.now();
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await makeCertificates();
  });

  afterAll(() => {
    const seconds = (performance.now() - startedAt) / 1000;
    process.stdout.write(`\n${spellTable("of the bundle", results, seconds)}\n\n`);
  });

  test.each(cells.map((cell) => [spell(cell), cell] as const))(
    "%s",
    async (_name, cell) => {
      const healthy = await observeHealthy(cell.scenario, certificates, stepFromBundle);
      const run = await observeCell(cell, baselineOf(healthy), certificates, stepFromBundle);
      const { result, failures } = judge(cell, run);
      results.push(result);
      expect(failures).toEqual([]);
    },
    60_000,
  );
});
