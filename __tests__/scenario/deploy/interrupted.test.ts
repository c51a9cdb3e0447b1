import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError, startScenario, writes } from "../../support/scenario.ts";

const building = { status: "BUILDING", seconds: 10 };

test("an interrupted revision that goes on is watched to its end", async () => {
  const { deploy, emulator } = await startScenario();
  const sequence = [building, { status: "INTERRUPTED", seconds: 4 }, building, { status: "DEPLOYED" }];
  emulator.addFault({ kind: "statuses", sequence });

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "deployed", status: "DEPLOYED" });
  expect(run.log).toContain("INTERRUPTED");
});

test("a run that is cancelled after a passing interruption interrupts its revision, and says what is running", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const sequence = [building, { status: "INTERRUPTED", seconds: 4 }, building];
  scenario.emulator.addFault({ kind: "statuses", sequence });

  const interrupting = scenario.startDeploy({ on_cancel: "interrupt" });
  scenario.clock.at(scenario.clock.elapsed() + 20_000, () => interrupting.cancel());
  const run = await interrupting.ended;

  expect(writes(run.requests).map(({ path }) => path.replace(/.*\//, ""))).toEqual([
    "deployments",
    "interrupt",
  ]);
  expectError(
    run,
    "The run was cancelled",
    `Revision ${run.outputs.revision_id} of deployment`,
    "was interrupted",
  );
});

test.each([
  ["after one more poll", "1800", 16],
  ["at the deadline", "13", 13],
])("one that stays interrupted ends the run %s", async (_when, timeout_seconds, seconds) => {
  const { deploy, emulator } = await startScenario();
  emulator.addFault({ kind: "statuses", sequence: [building, { status: "INTERRUPTED" }] });

  const run = await deploy({ timeout_seconds, poll_interval_seconds: "4" });

  expect(run.outputs).toMatchObject({ outcome: "interrupted", status: "INTERRUPTED" });
  expect(run.took).toBe(seconds);
});

test("a failed read between two polls does not count for either status", async () => {
  const { deploy, emulator } = await startScenario();
  const sequence = [{ status: "INTERRUPTED", seconds: 7 }, building, { status: "DEPLOYED" }];
  emulator.addFault({ kind: "statuses", sequence });
  emulator.addFault(answer("GET /revisions/", 503, { from: 2 }));

  const run = await deploy();

  expect(run.log).toContain("INTERRUPTED");
  expect(run.log).toContain("503");
  expect(run.outputs).toMatchObject({ outcome: "interrupted", status: "INTERRUPTED" });
});

test("an interruption that was seen once does not end the run if no later poll can see it", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.addFault({ kind: "statuses", sequence: [building, { status: "INTERRUPTED" }] });
  emulator.addFault(answer("GET /revisions/", 503, { from: 6, times: "always" }));

  const run = await deploy({ timeout_seconds: "40" });

  expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "INTERRUPTED" });
  expectError(run, "was INTERRUPTED when it was last seen");
});

test("a run that does not wait ends as interrupted too", async () => {
  const { deploy, emulator } = await startScenario();
  emulator.addFault({ kind: "statuses", sequence: [{ status: "INTERRUPTED" }] });

  const run = await deploy({ wait: "false" });

  expect(run.succeeded).toBe(false);
  expect(run.outputs.outcome).toBe("interrupted");
});
