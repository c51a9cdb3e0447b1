import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  expectError,
  type Inputs,
  requestLines,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { deployIfChanged, startIfChanged, startUnchangedScenario } from "../unchanged/support.ts";
import { startAgentWith } from "./support.ts";

const interrupts: Inputs = { on_cancel: "interrupt" };
const missing = { status: 404, body: { detail: "Not Found" } };

interface Cancelled {
  readonly run: ScenarioRun;
  readonly stored: ReturnType<Scenario["stored"]>;
}

/** A run that is cancelled while its revision is pending. */
async function cancelledRun(faults: readonly FaultRule[] = [], inputs = interrupts): Promise<Cancelled> {
  const { clock, startDeploy, stored } = await startScenario({ platform: "langsmith", faults });
  const running = startDeploy(inputs);
  clock.at(3_500, running.cancel);
  return { run: await running.ended, stored: stored() };
}

test("a revision that may be another run's is not interrupted", async () => {
  const { clock, emulator, existing, startDeploy } = await startScenario();
  await existing();
  emulator.addFault({ kind: "concurrent_revision", when: "before" });
  const running = startDeploy(interrupts);
  clock.at(clock.elapsed() + 1500, running.cancel);

  const run = await running.ended;

  expectError(run, "was not interrupted, because it may be another run's");
  expect(writes(run.requests)).toHaveLength(1);
});

test("a revision that is not listed yet, and so may be another run's, is not interrupted", async () => {
  const { emulator, existing, requested, startDeploy } = await startScenario({ platform: "langsmith" });
  await existing();
  emulator.addFault(answer("POST /revisions$", 404, { body: { detail: "Not Found" } }));
  emulator.addFault({ kind: "concurrent_revision", when: "after" });
  emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 30_000 });
  const running = startDeploy(interrupts);
  await requested("GET", /\/revisions\/[^/]+$/);
  running.cancel();

  const run = await running.ended;

  expectError(run, "was not interrupted, because it may be another run's");
  expect(writes(run.requests)).toHaveLength(2);
});

/** What was sent after the create, such as `POST interrupt 200`. */
function lastWrites({ run }: Cancelled): string[] {
  return requestLines(writes(run.requests).slice(1)).map((line) => line.replace(/\/\S*\//, ""));
}

function expectReported({ run, stored }: Cancelled, ...facts: string[]): void {
  const { id, latest_revision_id } = stored;
  expect(run.outputs).toMatchObject({
    outcome: "cancelled",
    deployment_id: id,
    revision_id: latest_revision_id,
    status: "BUILDING",
  });
  expectError(run, "SIGINT", `Revision ${latest_revision_id} of deployment ${id} `, ...facts);
  for (const fact of facts) expect(run.summary.replaceAll("`", "")).toContain(fact);
}

test.each<[string, Inputs]>([
  ["default", {}],
  ["leave", { on_cancel: "leave" }],
])("on_cancel: %s leaves the revision running", async (_value, inputs) => {
  const cancelled = await cancelledRun([], inputs);

  expectReported(cancelled, "is still running");
  expect(lastWrites(cancelled)).toEqual([]);
  expect(cancelled.stored.revisions[0]?.status).toBe("BUILDING");
});

test.each<[string, FaultRule[], string[]]>([
  ["", [], ["POST interrupt 200"]],
  [
    " at the endpoint's other path",
    [{ kind: "answer", match: { path: "/interrupt$" }, ...missing }],
    ["POST interrupt 404", "POST interruption 200"],
  ],
])("on_cancel: interrupt interrupts the revision%s", async (_where, faults, requests) => {
  const cancelled = await cancelledRun(faults);

  expectReported(cancelled, "was interrupted");
  expect(lastWrites(cancelled)).toEqual(requests);
  expect(cancelled.stored.revisions[0]?.status).toBe("INTERRUPTED");
  expect(cancelled.run.took).toBe(3.5);
});

test.each([
  ["leave", "is still running on the platform.", []],
  ["interrupt", "was interrupted (on_cancel: interrupt).", ["POST interrupt 200"]],
])(
  "on_cancel: %s applies to a revision that is in progress again after its checks",
  async (on_cancel, what, requests) => {
    const { clock, emulator, startDeploy, stored } = await startScenario({ platform: "langsmith" });
    const sequence = [{ status: "DEPLOYED", seconds: 6 }, { status: "DEPLOYING" }];
    emulator.addFault({ kind: "statuses", sequence });
    emulator.addFault(answer("GET /ok$", 503, { times: "always" }));

    const health = { health_check_path: "/ok", health_check_timeout_seconds: "10" };
    const running = startDeploy({ on_cancel, ...health });
    clock.at(40_000, running.cancel);
    const run = await running.ended;

    const { id, latest_revision_id } = stored();
    expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "DEPLOYING", duration_seconds: "40" });
    expectError(
      run,
      `Revision ${latest_revision_id} of deployment ${id} ${what}`,
      `Revision ${latest_revision_id} went live, but did not pass its checks. The health check failed`,
    );
    expect(run.errors[0]).not.toContain("without checks");
    expect(lastWrites({ run, stored: stored() })).toEqual(requests);
  },
);

describe("an interrupt is sent once, and its failure is reported:", () => {
  test.each([
    ["403", { kind: "answer", status: 403, body: { detail: "No." } }, "is still running", "403"],
    ["429", { kind: "answer", status: 429, headers: { "retry-after": "1" } }, "is still running", "429"],
    [
      "a 404 that did not come from the API",
      { kind: "answer", status: 404, body: "<html>" },
      "is still running",
      "404",
    ],
    ["500", { kind: "answer", status: 500 }, "may still be running", "500"],
    ["a lost connection", { kind: "reset", applied: true }, "may still be running", "connection"],
  ] as const)(
    "an interrupt that ends with %s is sent once and reported",
    async (_what, fault, leftover, reason) => {
      const cancelled = await cancelledRun([{ ...fault, match: { path: "/interrupt", times: "always" } }]);

      expectReported(cancelled, leftover, reason);
      expect(lastWrites(cancelled)).toHaveLength(1);
    },
  );

  test("no endpoint, whatever its path", async () => {
    const cancelled = await cancelledRun([
      { kind: "answer", match: { path: "/interrupt(ion)?$", times: "always" }, ...missing },
    ]);

    expectReported(cancelled, "is still running", "could not be interrupted");
    expect(lastWrites(cancelled)).toEqual(["POST interrupt 404", "POST interruption 404"]);
  });

  test("no response within 1.2 s", async () => {
    const passTime = holdTimeouts();
    const { clock, emulator, requested, startDeploy, stored } = await startScenario({
      platform: "langsmith",
    });
    emulator.addFault({ kind: "hang", match: { path: "/interrupt" } });

    const running = startDeploy(interrupts);
    clock.at(3_500, running.cancel);
    await requested("POST", /\/interrupt$/);
    passTime(1200);
    const cancelled = { run: await running.ended, stored: stored() };

    expectReported(cancelled, "may still be running", "1.2 s");
    expect(lastWrites(cancelled)).toHaveLength(1);
  });

  test("a revision that has ended meanwhile", async () => {
    const { clock, send, startDeploy, stored } = await startScenario({ platform: "langsmith" });

    const running = startDeploy(interrupts);
    clock.at(2_500, async () => {
      const { id, latest_revision_id } = stored();
      await send(`POST /v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`);
      running.cancel();
    });
    const run = await running.ended;

    expectError(run, "400:", "can't be interrupted");
  });
});

describe("nothing is interrupted", () => {
  test("if the cancellation comes before the write", async () => {
    const { emulator, requested, startDeploy } = await startScenario({ platform: "langsmith" });
    emulator.addFault({ kind: "hang", match: { method: "GET" } });

    const running = startDeploy(interrupts);
    await requested("GET");
    running.cancel();
    const run = await running.ended;

    expect(writes(run.requests)).toEqual([]);
    expectError(run, "No changes were sent to the control plane.");
  });

  test("if the revision's id is not known yet", async () => {
    const { emulator, requested, startDeploy } = await startScenario({ platform: "langsmith" });
    emulator.addFault({ kind: "hang", match: { method: "POST" }, applied: true });

    const running = startDeploy(interrupts);
    await requested("POST");
    running.cancel();
    const run = await running.ended;

    expect(writes(run.requests)).toHaveLength(1);
    expectError(run, "A revision from the creation of agent may still be running on the platform.");
  });

  test("if the update named a revision of somebody else", async () => {
    const { clock, emulator, existing, startDeploy, stored } = await startScenario({ platform: "langsmith" });
    const { id } = await existing();
    const theirs = emulator.addConcurrentRevision(id, "theirs").id;
    const read = { method: "GET", path: `^/v2/deployments/${id}$` };
    emulator.addFault({ kind: "hide", match: read, fields: ["latest_revision_id", "active_revision_id"] });
    emulator.addFault(
      answer("GET /revisions$", 200, { body: { resources: [], offset: 0 }, times: "always" }),
    );
    const body = { id: theirs, status: "CREATING", source_revision_config: { repo_ref: "theirs" } };
    emulator.addFault(answer("POST /revisions$", 201, { body, applied: true }));

    const running = startDeploy({ ...interrupts, repo_ref: "ours" });
    clock.at(clock.elapsed() + 5_000, running.cancel);
    const run = await running.ended;

    expectError(run, `Revision ${theirs}, which the platform names, is not this run's`);
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.outputs.revision_id).toBe("");
    expect(stored().revisions.map(({ status }) => status)).not.toContain("INTERRUPTED");
  });

  test("if the revision is an unchanged one that an earlier run made", async () => {
    const scenario = await startUnchangedScenario();
    const { clock, emulator } = scenario;
    const first = await deployIfChanged(scenario);
    const body = { id: first.outputs.revision_id, status: "DEPLOYING" };
    emulator.addFault(answer("GET /ok$", 503, { times: 3 }));

    const running = startIfChanged(scenario, { ...interrupts, health_check_path: "/ok" });
    clock.at(clock.elapsed() + 2000, () =>
      emulator.addFault(answer("GET /revisions/", 200, { body, times: "always" })),
    );
    clock.at(clock.elapsed() + 20_000, running.cancel);
    const run = await running.ended;

    expectError(run, "No changes were sent to the control plane.");
    expect(run.log).toContain("] DEPLOYING");
    expect(writes(run.requests)).toEqual([]);
  });

  test("if the revision was deployed", async () => {
    const agent = await startAgentWith(503);
    const { clock, startDeploy, stored } = await startScenario({ statusSeconds: 0 });

    const running = startDeploy({ ...interrupts, custom_url: agent.url, health_check_path: "/" });
    clock.at(5_000, running.cancel);
    const run = await running.ended;

    expect(writes(run.requests)).toHaveLength(1);
    expect(run.errors).toEqual([
      expect.stringContaining(`${stored().latest_revision_id} is DEPLOYED. Its checks were not finished.`),
    ]);
  });
});
