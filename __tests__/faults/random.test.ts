import { afterAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { problemsOf } from "./random/random-claims.ts";
import { type RandomPlan, randomPlans, writeKinds } from "./random/random-plan.ts";
import { playPlan } from "./random/random-run.ts";

/** `npm run test:faults` sets it. Without it, a short form runs. */
const isWhole = process.env.FAULT_MATRIX === "whole";
const numRuns = Number(process.env.FAULT_RUNS ?? (isWhole ? 1000 : 40));
/** The long form tries other runs each time. `FAULT_SEED` repeats those of a seed that was printed. */
const seed = Number(process.env.FAULT_SEED ?? (isWhole ? Date.now() % 1_000_000 : 1));

const outcomes = new Map<string, number>();
const failures: string[] = [];

afterAll(() => {
  const counted = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  process.stdout.write(`\nRandom faults: ${numRuns} runs with FAULT_SEED=${seed}: ${counted}.\n\n`);
});

async function play(plan: RandomPlan): Promise<void> {
  const truth = await playPlan(plan);
  const { outcome = "none" } = truth.run.outputs;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const problems = problemsOf(truth, plan);
  if (problems.length > 0) failures.push([...problems, JSON.stringify(plan), truth.run.log].join("\n"));
}

test(
  "whatever goes wrong at once, a step succeeds only if its own write took effect and its revision is live",
  async () => {
    await fc.assert(fc.asyncProperty(randomPlans, play), { seed, numRuns });

    expect(failures).toEqual([]);
    expect(outcomes.get("deployed")).toBeGreaterThan(numRuns / 20);
    expect(outcomes.get("failed")).toBeGreaterThan(numRuns / 20);
  },
  isWhole ? 3_600_000 : 60_000,
);

test.each(writeKinds)(
  "without a fault, this finds nothing wrong with a run of the kind %s",
  async (write) => {
    for (const platform of ["standard", "langsmith"] as const) {
      await play({ platform, write, wait: true, statusSeconds: 0.5, faults: [], hidden: [], foreign: [] });
    }

    expect(failures).toEqual([]);
  },
);
