import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  cancelOnce,
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
const onLangsmith = { platform: "langsmith" } as const;
const missing = { body: { detail: "Not Found" } };

interface Cancelled {
  readonly run: ScenarioRun;
  readonly stored: ReturnType<Scenario["stored"]>;
}

/** A run that is cancelled while its revision is pending. */
async function cancelledRun(faults: readonly FaultRule[] = [], inputs = interrupts): Promise<Cancelled> {
  const { pass, startDeploy, stored } = await startScenario({ ...onLangsmith, faults });
  const run = await cancelOnce(startDeploy(inputs), pass(3.5));
  return { run, stored: stored() };
}

/** What was sent after the create, such as `POST interrupt 200`. */
function lastWrites(run: ScenarioRun): string[] {
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

test.each<Inputs>([{}, { on_cancel: "leave" }])("%j leaves the revision running", async (inputs) => {
  const cancelled = await cancelledRun([], inputs);

  expectReported(cancelled, "is still running");
  expect(lastWrites(cancelled.run)).toEqual([]);
  expect(cancelled.stored.revisions[0]?.status).toBe("BUILDING");
});

test.each<[string, FaultRule[], string[]]>([
  ["", [], ["POST interrupt 200"]],
  [
    " at the endpoint's other path",
    [answer("/interrupt$", 404, missing)],
    ["POST interrupt 404", "POST interruption 200"],
  ],
])("on_cancel: interrupt interrupts the revision%s", async (_where, faults, requests) => {
  const cancelled = await cancelledRun(faults);

  expectReported(cancelled, "was interrupted");
  expect(lastWrites(cancelled.run)).toEqual(requests);
  expect(cancelled.stored.revisions[0]?.status).toBe("INTERRUPTED");
  expect(cancelled.run.took).toBe(3.5);
});

test.each([
  ["leave", "is still running on the platform.", []],
  ["interrupt", "was interrupted (on_cancel: interrupt).", ["POST interrupt 200"]],
])("on_cancel: %s applies to a revision that is in progress again after its checks", async (...row) => {
  const [on_cancel, what, requests] = row;
  const sequence = [{ status: "DEPLOYED", seconds: 6 }, { status: "DEPLOYING" }];
  const sick = answer("GET /ok$", 503, { times: "always" });
  const faults: FaultRule[] = [{ kind: "statuses", sequence }, sick];
  const { pass, startDeploy, stored } = await startScenario({ ...onLangsmith, faults });

  const inputs = { on_cancel, health_check_path: "/ok", health_check_timeout_seconds: "10" };
  const run = await cancelOnce(startDeploy(inputs), pass(40));

  const { id, latest_revision_id: ours } = stored();
  expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "DEPLOYING", duration_seconds: "40" });
  expectError(run, `Revision ${ours} of deployment ${id} ${what}`);
  expectError(run, `Revision ${ours} went live, but did not pass its checks. The health check failed`);
  expect(run.errors[0]).not.toContain("without checks");
  expect(lastWrites(run)).toEqual(requests);
});

describe("an interrupt is sent once, and its failure is reported:", () => {
  const on = { path: "/interrupt", times: "always" } as const;

  test.each<[string, FaultRule, string, string]>([
    ["403", answer(on, 403, { body: { detail: "No." } }), "is still running", "403"],
    ["429", answer(on, 429, { headers: { "retry-after": "1" } }), "is still running", "429"],
    ["a 404 of something else", answer(on, 404, { body: "<html>" }), "is still running", "404"],
    ["500", answer(on, 500), "may still be running", "500"],
    ["a lost connection", { kind: "reset", match: on, applied: true }, "may still be running", "connection"],
  ])("%s", async (_what, fault, leftover, reason) => {
    const cancelled = await cancelledRun([fault]);

    expectReported(cancelled, leftover, reason);
    expect(lastWrites(cancelled.run)).toHaveLength(1);
  });

  test("no endpoint, whatever its path", async () => {
    const cancelled = await cancelledRun([answer(on, 404, { ...missing })]);

    expectReported(cancelled, "is still running", "could not be interrupted");
    expect(lastWrites(cancelled.run)).toEqual(["POST interrupt 404", "POST interruption 404"]);
  });

  test("no response within 1.2 s", async () => {
    const passTime = holdTimeouts();
    const faults: FaultRule[] = [{ kind: "hang", match: { path: "/interrupt" } }];
    const { clock, requested, startDeploy, stored } = await startScenario({ ...onLangsmith, faults });

    const running = startDeploy(interrupts);
    clock.at(3_500, running.cancel);
    await requested("POST", /\/interrupt$/);
    passTime(1200);
    const run = await running.ended;

    expectReported({ run, stored: stored() }, "may still be running", "1.2 s");
    expect(lastWrites(run)).toHaveLength(1);
  });

  test("a revision that has ended meanwhile", async () => {
    const { clock, send, startDeploy, stored } = await startScenario(onLangsmith);

    const running = startDeploy(interrupts);
    clock.at(2_500, async () => {
      const { id, latest_revision_id } = stored();
      await send(`POST /v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`);
      running.cancel();
    });

    expectError(await running.ended, "400:", "can't be interrupted");
  });
});

describe("nothing is interrupted", () => {
  const maybeTheirs = "was not interrupted, because it may be another run's";

  test("if another run's revision may be this run's", async () => {
    const { emulator, existing, pass, startDeploy } = await startScenario();
    await existing();
    emulator.addFault({ kind: "concurrent_revision", when: "before" });

    const run = await cancelOnce(startDeploy(interrupts), pass(1.5));

    expectError(run, maybeTheirs);
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("if the revision is not listed yet, and so may be another run's", async () => {
    const { emulator, existing, requested, startDeploy } = await startScenario(onLangsmith);
    await existing();
    emulator.addFault(answer("POST /revisions$", 404, missing));
    emulator.addFault({ kind: "concurrent_revision", when: "after" });
    emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 30_000 });

    const run = await cancelOnce(startDeploy(interrupts), requested("GET", /\/revisions\/[^/]+$/));

    expectError(run, maybeTheirs);
    expect(writes(run.requests)).toHaveLength(2);
  });

  test.each([
    ["before the write", "GET", 0, "No changes were sent."],
    ["before its id is known", "POST", 1, "A revision from the creation of agent may still be running"],
  ])("if the cancellation comes %s", async (_when, method, count, fact) => {
    const faults: FaultRule[] = [{ kind: "hang", match: { method }, applied: true }];
    const { requested, startDeploy } = await startScenario({ ...onLangsmith, faults });

    const run = await cancelOnce(startDeploy(interrupts), requested(method));

    expect(writes(run.requests)).toHaveLength(count);
    expectError(run, fact);
  });

  test("if the update named a revision of somebody else", async () => {
    const { emulator, existing, pass, startDeploy, stored } = await startScenario(onLangsmith);
    const { id } = await existing();
    const theirs = emulator.addConcurrentRevision(id, "theirs").id;
    const read = { method: "GET", path: `^/v2/deployments/${id}$` };
    emulator.addFault({ kind: "hide", match: read, fields: ["latest_revision_id", "active_revision_id"] });
    const empty = { body: { resources: [], offset: 0 }, times: "always" } as const;
    emulator.addFault(answer("GET /revisions$", 200, empty));
    const body = { id: theirs, status: "CREATING", source_revision_config: { repo_ref: "theirs" } };
    emulator.addFault(answer("POST /revisions$", 201, { body, applied: true }));

    const run = await cancelOnce(startDeploy({ ...interrupts, repo_ref: "ours" }), pass(5));

    expectError(run, `Revision ${theirs}, which the platform names, is not this run's`);
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.outputs.revision_id).toBe("");
    expect(stored().revisions.map(({ status }) => status)).not.toContain("INTERRUPTED");
  });

  test("if the revision is an unchanged one that an earlier run made", async () => {
    const scenario = await startUnchangedScenario();
    const { clock, emulator, pass } = scenario;
    const first = await deployIfChanged(scenario);
    const body = { id: first.outputs.revision_id, status: "DEPLOYING" };
    emulator.addFault(answer("GET /ok$", 503, { times: 3 }));
    clock.at(clock.elapsed() + 2000, () =>
      emulator.addFault(answer("GET /revisions/", 200, { body, times: "always" })),
    );

    const started = startIfChanged(scenario, { ...interrupts, health_check_path: "/ok" });
    const run = await cancelOnce(started, pass(20));

    expectError(run, "No changes were sent.");
    expect(run.log).toContain("] DEPLOYING");
    expect(writes(run.requests)).toEqual([]);
  });

  test("if the revision was deployed", async () => {
    const agent = await startAgentWith(503);
    const { pass, startDeploy, stored } = await startScenario({ statusSeconds: 0 });

    const inputs = { ...interrupts, custom_url: agent.url, health_check_path: "/" };
    const run = await cancelOnce(startDeploy(inputs), pass(5));

    expect(writes(run.requests)).toHaveLength(1);
    expectError(run, `${stored().latest_revision_id} is DEPLOYED. Its checks were not finished.`);
  });
});
