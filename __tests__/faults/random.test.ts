import { afterAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { problemsOf } from "./random-claims.ts";
import { type RandomPlan, randomPlans, writeKinds } from "./random-plan.ts";
import { playPlan } from "./random-run.ts";

/** `npm run test:long` sets them: 1000 runs, which are others each time. The seed is printed and repeats them. */
const { FAULT_RUNS = "25", FAULT_SEED = "1" } = process.env;
const numRuns = Number(FAULT_RUNS);
const seed = Number(FAULT_SEED);

const outcomes = new Map<string, number>();

afterAll(() => {
  const counted = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  process.stdout.write(`\nRandom faults: ${numRuns} runs with FAULT_SEED=${seed}: ${counted}.\n\n`);
});

/** What is wrong with the run of a plan, with its log; empty if nothing is. */
async function play(plan: RandomPlan): Promise<string[]> {
  const truth = await playPlan(plan);
  const { outcome = "none" } = truth.run.outputs;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const problems = problemsOf(truth, plan);
  return problems.length === 0 ? [] : [[...problems, JSON.stringify(plan), truth.run.log].join("\n")];
}

test(
  "whatever goes wrong at once, a step succeeds only if its own write took effect and its revision is live",
  async () => {
    const failures: string[] = [];
    const plans = fc.sample(randomPlans, { seed, numRuns });

    for (const plan of plans) failures.push(...(await play(plan)));

    expect(failures).toEqual([]);
    expect(outcomes.get("deployed")).toBeGreaterThan(numRuns / 20);
    expect(outcomes.get("failed")).toBeGreaterThan(numRuns / 20);
  },
  numRuns * 3000,
);

test.each(writeKinds)("a run without a fault is found to be right (%s)", async (write) => {
  for (const platform of ["standard", "langsmith"] as const) {
    const nothing = { faults: [], hidden: [], foreign: [] };
    expect(await play({ platform, write, wait: true, statusSeconds: 0.5, ...nothing })).toEqual([]);
  }
});
