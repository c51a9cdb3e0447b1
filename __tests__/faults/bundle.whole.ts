/** Some cells of the matrix with the action as the runner starts it: `dist/` in a process, in real time. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Cell, cellsOf, describeCell, describeFailure } from "./cells.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { baselineOf, observeCell, observeUsual } from "./run-cell.ts";
import { allScenarios } from "./scenarios/all.ts";
import { stepFromBundle } from "./step.ts";

const always = Number.POSITIVE_INFINITY;
const allCells = allScenarios.flatMap((scenario) =>
  scenario.targets.flatMap((target) => cellsOf(scenario, target)),
);

/** Scenario, request, fault, how many times, and whether the request took effect. */
const chosen: readonly (readonly [string, string, string, number, boolean])[] = [
  ["create", "list", "refused", always, false],
  ["create", "list", "silence", 3, true],
  ["create", "list", "HTML with 200", 1, true],
  ["create", "POST", "certificate self-signed", always, false],
  ["create", "POST", "bytes that are not TLS", 1, true],
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
  ["sweep", "pull request", "307 to another host", always, true],
  ["usage", "CSV", "cut", 1, true],
  ["oauth-provider", "PATCH", "500", 1, false],
];

const cells = chosen.map(([scenario, target, fault, times, applied]): [string, Cell] => {
  const cell = allCells.find(
    (one) =>
      one.scenario.name === scenario &&
      one.target.name === target &&
      one.fault.name === fault &&
      one.times === times &&
      one.applied === applied,
  );
  if (cell === undefined) throw new Error(`There is no cell ${scenario}, ${target}, ${fault}`);
  return [describeCell(cell), cell];
});

describe("the bundle reports the truth", () => {
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await makeCertificates();
  });

  test.each(cells)(
    "%s",
    async (_title, cell) => {
      const usual = await observeUsual(cell.scenario, certificates, stepFromBundle);

      const run = await observeCell(cell, baselineOf(usual), certificates, stepFromBundle);

      expect(describeFailure(cell, run)).toEqual([]);
    },
    60_000,
  );
});
