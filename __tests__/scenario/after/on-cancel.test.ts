import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import {
  type DeployRun,
  type Inputs,
  type Scenario,
  spelled,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { cancel, langsmith, startAppAnswering } from "./support.ts";

const interrupts: Inputs = { ...langsmith, on_cancel: "interrupt" };
const missing = { status: 404, body: { detail: "Not Found" } };

/** A run that is cancelled some seconds after its begin, while its revision is under way. */
async function cancelledRun(rules: readonly RuleInput[] = [], inputs = interrupts): Promise<Cancelled> {
  const scenario = await startScenario({ platform: "langsmith", misbehave: rules });
  const running = scenario.start(inputs);
  scenario.clock.at(12_000, () => cancel(running));
  const run = await running.ended;
  const held = scenario.held();
  return { run, held, revision: `Revision ${held.latest_revision_id} of deployment ${held.id}` };
}

interface Cancelled {
  readonly run: DeployRun;
  readonly held: ReturnType<Scenario["held"]>;
  /** What the run calls its revision. */
  readonly revision: string;
}

/** What was sent after the create. */
function lastWrites({ run, held }: Cancelled): string[] {
  const id = held.latest_revision_id ?? "";
  return spelled(writes(run.requests).slice(1)).map((line) => line.replace(/\/\S*\//, "").replace(id, "ID"));
}

function expectTold({ run, held }: Cancelled, what: string): void {
  expect(run.succeeded).toBe(false);
  expect(run.outputs).toMatchObject({
    outcome: "cancelled",
    deployment_id: held.id,
    revision_id: held.latest_revision_id,
    status: "AWAITING_BUILD",
  });
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toContain(`The run was cancelled (SIGINT). ${what}`);
  expect(run.summary.replaceAll("`", "")).toContain(what);
}

test.each([
  ["nothing is said", langsmith],
  ["it says leave", { ...langsmith, on_cancel: "leave" }],
])("the revision goes on where %s", async (_what, inputs) => {
  const cancelled = await cancelledRun([], inputs);
  expectTold(cancelled, `${cancelled.revision} goes on on the platform.`);
  expect(lastWrites(cancelled)).toEqual([]);
  expect(cancelled.held.revisions[0]?.status).toBe("AWAITING_BUILD");
});

test("on_cancel: interrupt has the platform stop it", async () => {
  const cancelled = await cancelledRun();
  expectTold(cancelled, `${cancelled.revision} was interrupted, as on_cancel asks for.`);
  expect(lastWrites(cancelled)).toEqual(["POST interrupt 200"]);
  expect(cancelled.held.revisions[0]?.status).toBe("INTERRUPTED");
  expect(cancelled.run.took).toBe(12);
});

test("also where the endpoint has its other name", async () => {
  const cancelled = await cancelledRun([{ kind: "answer", match: { path: "/interrupt$" }, ...missing }]);
  expectTold(cancelled, `${cancelled.revision} was interrupted`);
  expect(lastWrites(cancelled)).toEqual(["POST interrupt 404", "POST interruption 200"]);
  expect(cancelled.held.revisions[0]?.status).toBe("INTERRUPTED");
});

test("a control plane that can't is told as such, and the revision is left", async () => {
  const cancelled = await cancelledRun([
    { kind: "answer", match: { path: "/interrupt(ion)?$", times: "always" }, ...missing },
  ]);
  expectTold(
    cancelled,
    `${cancelled.revision} goes on on the platform. This control plane has no way to interrupt it, as on_cancel asks for: POST`,
  );
  expect(lastWrites(cancelled)).toEqual(["POST interrupt 404", "POST interruption 404"]);
});

test("somebody else's revision is left alone, though the answer to the update named it", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const { clock, deploy, emulator, held, start } = scenario;
  await deploy(langsmith);
  const { id } = held();
  const theirs = emulator.addForeignRevision(id, "theirs").id;
  const read = { method: "GET", path: `^/v2/deployments/${id}$` };
  emulator.misbehave({ kind: "hide", match: read, fields: ["latest_revision_id", "active_revision_id"] });
  const list = { method: "GET", path: "/revisions$", times: "always" } as const;
  emulator.misbehave({ kind: "answer", match: list, status: 200, body: { resources: [], offset: 0 } });
  const body = { id, latest_revision_id: theirs };
  emulator.misbehave({ kind: "answer", match: { method: "PATCH" }, applied: true, status: 200, body });
  const running = start({ ...interrupts, repo_ref: "ours" });
  clock.at(10_000, () => cancel(running));
  const run = await running.ended;
  expect(run.errors).toEqual([expect.stringContaining("because its id wasn't known yet")]);
  expect(writes(run.requests)).toHaveLength(1);
  expect(run.outputs).toMatchObject({ outcome: "cancelled", revision_id: "" });
  expect(held().revisions.map(({ status }) => status)).not.toContain("INTERRUPTED");
});

describe("nothing is sent twice:", () => {
  test.each([
    [
      "a refusal",
      { kind: "answer", status: 403, body: { detail: "No." } },
      "could not be interrupted, as on_cancel asks for: POST",
    ],
    ["a limit", { kind: "answer", status: 429, headers: { "retry-after": "1" } }, "could not be interrupted"],
    [
      "an error",
      { kind: "answer", status: 500 },
      "may go on on the platform: whether it was interrupted, as on_cancel asks for, isn't known. POST",
    ],
    [
      "a lost connection",
      { kind: "reset", applied: true },
      "may go on on the platform: whether it was interrupted",
    ],
    [
      "a 404 that isn't the API's own",
      { kind: "answer", status: 404, body: "<html>" },
      "could not be interrupted",
    ],
  ] as const)("%s is told", async (_what, fault, what) => {
    const cancelled = await cancelledRun([{ ...fault, match: { path: "/interrupt", times: "always" } }]);
    expectTold(cancelled, `${cancelled.revision} ${what}`);
    expect(lastWrites(cancelled)).toHaveLength(1);
  });

  test("a control plane that hangs is given up after a moment, and then all is told", async () => {
    const cancelled = await cancelledRun([{ kind: "hang", match: { path: "/interrupt", times: "always" } }]);
    expectTold(cancelled, `${cancelled.revision} may go on on the platform`);
    expect(cancelled.run.errors[0]).toContain("no whole answer within 1.2 s");
    expect(lastWrites(cancelled)).toHaveLength(1);
  });
});

test("a revision that ended meanwhile is told with the platform's words", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  const running = scenario.start(interrupts);
  scenario.clock.at(12_000, async () => {
    const { id, latest_revision_id } = scenario.held();
    await scenario.elsewhere(`POST /v2/deployments/${id}/revisions/${latest_revision_id}/interrupt`);
    cancel(running);
  });
  const run = await running.ended;
  expect(run.errors[0]).toMatch(/could not be interrupted.*was answered with 400: .*can't be interrupted/);
});

describe("nothing is sent", () => {
  test("where the cancel comes before the write", async () => {
    const { asked, emulator, start } = await startScenario({ platform: "langsmith" });
    emulator.misbehave({ kind: "hang", match: { method: "GET", times: "always" } });
    const running = start(interrupts);
    await asked("GET");
    cancel(running);
    const run = await running.ended;
    expect(writes(run.requests)).toEqual([]);
    expect(run.errors[0]).toContain("Nothing had been sent to the platform that changes anything.");
  });

  test("where the revision isn't known yet", async () => {
    const { asked, emulator, start } = await startScenario({ platform: "langsmith" });
    emulator.misbehave({ kind: "hang", match: { method: "POST" }, applied: true });
    const running = start(interrupts);
    await asked("POST");
    cancel(running);
    const run = await running.ended;
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.errors[0]).toContain("It could not be interrupted, because its id wasn't known yet.");
  });

  test("where the revision was deployed already", async () => {
    const app = await startAppAnswering(503);
    const { clock, held, start } = await startScenario({ statusSeconds: 0 });
    const running = start({ custom_url: app.url, health_check_path: "/", on_cancel: "interrupt" });
    clock.at(5_000, () => cancel(running));
    const run = await running.ended;
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.errors[0]).toContain(
      `Revision ${held().latest_revision_id} of deployment ${held().id} is DEPLOYED.`,
    );
  });

  test("without a cancel", async () => {
    const { deploy } = await startScenario({ platform: "langsmith" });
    const run = await deploy(interrupts);
    expect(run.outputs.outcome).toBe("deployed");
    expect(writes(run.requests)).toHaveLength(1);
  });
});
