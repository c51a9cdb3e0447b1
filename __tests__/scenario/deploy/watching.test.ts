import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  expectError,
  immediate,
  requestLines,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const revision = { method: "GET", path: "/revisions/" };
const always = { ...revision, times: "always" } as const;

/** The statuses in the order in which they were logged. */
function loggedStatuses({ infos }: ScenarioRun): string[] {
  return infos
    .filter((line) => /^\[[^\]]+\] [A-Z_]+$/.test(line))
    .map((line) => line.replace(/^\[.*\] /, ""));
}

/** The requests that read this run's revision, such as `GET 200`. */
function polls({ requests }: ScenarioRun): string[] {
  return requestLines(requests)
    .filter((line) => line.includes("/revisions/"))
    .map((line) => line.replace(/ \S+ /, " "));
}

test("each change of status is logged once, with the time since the write", async () => {
  const { deploy } = await startScenario({ statusSeconds: 50 });

  const run = await deploy();

  expect(loggedStatuses(run)).toEqual([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "DEPLOYED",
  ]);
  expect(run.log).toMatch(/\[0 s\] CREATING[\s\S]*\[5\d s\] QUEUED[\s\S]*\[5 min( \d s)?\] DEPLOYED/);
});

test("a heartbeat is logged every minute while the status stays the same, and none after the end", async () => {
  const { pass, startDeploy } = await startScenario({ statusSeconds: 150 });

  const { context, ended } = startDeploy({ timeout_seconds: "200" });
  const run = await ended;
  await pass(600);

  expect(run.infos).toContainEqual(expect.stringMatching(/^\[2 min\] .*CREATING.* 2 min/));
  expect(run.infos.filter((line) => /^\[[123] min\] /.test(line))).toHaveLength(3);
  expect(context.recorded.lines.map(({ text }) => text).join("\n")).toBe(run.log);
});

describe("polls that fail are tolerated:", () => {
  test.each([
    ["500", { kind: "answer", status: 500, body: { detail: "boom" } }],
    ["409", { kind: "answer", status: 409, body: { detail: "no" } }],
    ["a page of HTML", { kind: "answer", status: 200, body: "<html>" }],
    ["a lost connection", { kind: "reset" }],
  ] as const)("%s, which is logged once", async (_what, fault) => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault({ ...fault, match: { ...revision, from: 2, times: 8 } });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", status: "DEPLOYED" });
    expect(polls(run).length).toBeGreaterThan(9);
    expect(run.infos.filter((line) => line.includes("Retrying"))).toHaveLength(1);
    expect(run.errors).toEqual([]);
  });

  test("once, without a retry of their own", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(answer(revision, 503));

    const run = await deploy();

    // The last one confirms, after the checks, that the revision is still live.
    expect(polls(run)).toEqual(["GET 503", "GET 200", "GET 200"]);
    expect(run.took).toBe(3);
  });

  test("a 429 that asks for half an hour delays the next poll by a minute", async () => {
    const { deploy, emulator } = await startScenario();
    const headers = { "retry-after": "1800" };
    emulator.addFault(answer(revision, 429, { from: 2, headers }));

    const run = await deploy();

    expect(run.outputs.outcome).toBe("deployed");
    expect(run.took).toBeGreaterThanOrEqual(60);
    expect(run.took).toBeLessThan(90);
  });
});

test("a refusal ends the watch at once, and the error says that the revision is still running", async () => {
  const { deploy, emulator } = await startScenario();
  const body = { detail: "The key was revoked" };
  emulator.addFault(answer(always, 401, { body, from: 2 }));

  const run = await deploy();

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "CREATING" });
  expect(polls(run)).toHaveLength(2);
  const { revision_id: id } = run.outputs;
  const notRead = `Could not read the status of revision ${id}.`;
  expectError(run, notRead, body.detail, `Revision ${id} `, "still running", "api_key");
});

test("a revision that is deleted while it is watched is a failure", async () => {
  const { clock, deploy, send, stored } = await startScenario({ statusSeconds: 60 });
  clock.at(90_000, () => send(`DELETE /v2/deployments/${stored().id}`));

  const run = await deploy();

  expect(run.outputs.outcome).toBe("failed");
  expect(run.took).toBeLessThan(100);
});

describe("a revision that is not shown", () => {
  const missing = answer(always, 404, { body: { detail: "Not Found" } });

  test("is polled for a minute after the write", async () => {
    const { deploy, emulator, stored } = await startScenario();
    emulator.addFault({ kind: "hide_new", where: ["revision"], milliseconds: 59_000 });

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
    expect(run.infos.filter((line) => line.includes("Retrying"))).toEqual([
      expect.stringContaining("failed with 404"),
    ]);
  });

  test("fails the run after that minute", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault(missing);

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "Could not read the status of revision", "404");
    expect(run.took).toBe(60);
  });

  test("is timed_out if timeout_seconds is shorter", async () => {
    const { deploy, emulator } = await startScenario();
    emulator.addFault(missing);

    const run = await deploy({ timeout_seconds: "20" });

    expect(run.outputs).toMatchObject({ outcome: "timed_out", duration_seconds: "20" });
    expect(run.outputs).not.toHaveProperty("status");
    expectError(run, "20 s", "404");
  });

  test("with wait: false is started", async () => {
    const { deploy, emulator, stored } = await startScenario();
    emulator.addFault(missing);

    const run = await deploy({ wait: "false" });

    expect(run.outputs).toMatchObject({ outcome: "started", revision_id: stored().latest_revision_id });
  });
});

test.each([null, undefined])(
  "a revision whose status is %p is in progress, in every response",
  async (status) => {
    const { deploy, emulator, existing } = await startScenario({ platform: "langsmith", statusSeconds: 0 });
    await existing();
    const listed = { body: { resources: [{ id: "old", status }] }, times: "always" } as const;
    emulator.addFault(answer("GET /revisions$", 200, listed));
    emulator.addFault(answer("POST /revisions$", 201, { body: { id: "new", status } }));
    emulator.addFault(answer("GET /revisions/new$", 200, { body: { id: "new", status }, times: "always" }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.errors).toEqual([expect.stringContaining("revision new is still (empty)")]);
    expect(run.outputs).toMatchObject({ outcome: "timed_out", revision_id: "new", status: "(empty)" });
  },
);

test("an empty status is unknown, and in progress", async () => {
  const { deploy, emulator } = await startScenario({ statusSeconds: 60 });
  emulator.addFault({ kind: "statuses", sequence: [{ status: "", seconds: 600 }] });

  const run = await deploy({ timeout_seconds: "90" });

  expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "(empty)" });
  expect(run.infos).toContainEqual("Unknown status (empty); treating it as in progress.");
  expect(run.errors).toEqual([expect.stringContaining("still (empty)")]);
});

test("a status that is not known is pending, and logged as such once", async () => {
  const { deploy, emulator } = await startScenario();
  const sequence = [
    { status: "WARMING_UP", seconds: 30 },
    { status: "BUILDING", seconds: 10 },
    { status: "WARMING_UP", seconds: 10 },
    { status: "DEPLOYED" },
  ];
  emulator.addFault({ kind: "statuses", sequence });

  const run = await deploy();

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos.filter((line) => line.includes("Unknown status"))).toHaveLength(1);
});

describe("reads that fail until the deadline", () => {
  test("are not repeated for long after it", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 500 });
    const { id } = await existing();
    const answers = { headers: { "retry-after": "60" }, body: { detail: "boom" } };
    emulator.addFault(
      answer({ method: "GET", path: `^/v2/deployments/${id}$`, from: 3, times: "always" }, 503, answers),
    );

    const run = await deploy({ timeout_seconds: "300" });

    expect(run.outputs.outcome).toBe("timed_out");
    expect(run.took).toBeLessThanOrEqual(330);
  });

  test("leave a pending revision timed_out, with the last failure", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 60 });
    emulator.addFault(answer({ ...always, from: 2 }, 503, { body: { detail: "boom" } }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs).toMatchObject({ outcome: "timed_out", status: "CREATING" });
    expectError(run, "was CREATING when it was last seen", "boom", "still running");
  });

  test("fail the run of a DEPLOYED revision, of which it isn't known whether it is live", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault(answer(`GET /v2/deployments/${id}$`, 503, { from: 3, times: "always" }));

    const run = await deploy({ timeout_seconds: "30", rollback_on_failure: "true" });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.outputs.live_revision_id ?? "").toBe("");
    expectError(run, "Could not confirm", "503");
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.took).toBe(30);
  });
});
