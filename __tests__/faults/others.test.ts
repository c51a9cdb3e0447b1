import { expect, test } from "@jest/globals";
import { faults } from "./faults.ts";
import { chosenCells, testMatrix } from "./matrix.ts";
import { allScenarios, otherScenarios } from "./scenarios/all.ts";

testMatrix("all actions except previews", otherScenarios);

test("the matrix has every fault and every request", () => {
  const byTarget = allScenarios.flatMap((scenario) =>
    scenario.targets.map((target) => chosenCells(scenario, target)),
  );

  expect(byTarget.filter((cells) => cells.length === 0)).toEqual([]);
  expect(new Set(byTarget.flat().map(({ fault }) => fault.name)).size).toBe(faults.length);
});
