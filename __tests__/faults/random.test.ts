import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { problemsOf } from "./random-claims.ts";
import { type RandomPlan, randomPlans, writeKinds } from "./random-plan.ts";
import { playPlan } from "./random-run.ts";

/** `npm run test:long` sets them: 1000 runs, which are others each time. The seed is printed and repeats them. */
const { FAULT_RUNS = "25", FAULT_SEED = "1" } = process.env;
const numRuns = Number(FAULT_RUNS);
const seed = Number(FAULT_SEED);

/** The outcome of the run of a plan, and what is wrong with it, with its log; empty if nothing is. */
async function play(plan: RandomPlan) {
  const truth = await playPlan(plan);
  const { outcome = "none" } = truth.run.outputs;
  const problems = problemsOf(truth, plan);
  const failures =
    problems.length === 0 ? [] : [[...problems, JSON.stringify(plan), truth.run.log].join("\n")];
  return { outcome, failures };
}

function print(line: string): void {
  process.stdout.write(`\n${line}\n\n`);
}

test(
  "whatever goes wrong at once, a step succeeds only if its own write took effect and its revision is live",
  async () => {
    const failures: string[] = [];
    const outcomes = new Map<string, number>();
    const plans = fc.sample(randomPlans, { seed, numRuns });
    print(`Random faults: ${numRuns} runs with FAULT_SEED=${seed}.`);

    for (const plan of plans) {
      const played = await play(plan);
      failures.push(...played.failures);
      outcomes.set(played.outcome, (outcomes.get(played.outcome) ?? 0) + 1);
    }

    const counted = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
    const verdict = failures.length === 0 ? "all as claimed" : `${failures.length} not as claimed`;
    print(`Random faults ended as: ${counted}; ${verdict}.`);
    expect(failures).toEqual([]);
    expect(outcomes.get("deployed")).toBeGreaterThan(numRuns / 20);
    expect(outcomes.get("failed")).toBeGreaterThan(numRuns / 20);
  },
  numRuns * 3000,
);

test.each(writeKinds)("a run without a fault is found to be right (%s)", async (write) => {
  for (const platform of ["standard", "langsmith"] as const) {
    const nothing = { faults: [], hidden: [], foreign: [] };
    const { failures } = await play({ platform, write, wait: true, statusSeconds: 0.5, ...nothing });

    expect(failures).toEqual([]);
  }
});
