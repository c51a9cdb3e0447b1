import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  cancelOnce,
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  startScenario,
} from "../../support/scenario.ts";

const live: Inputs = { build_log: "live" };
const unbuildable = "The image could not be built: installing the dependencies ended with code 1.";

function startLangsmith(faults: readonly FaultRule[] = [], failRefs = {}): Promise<Scenario> {
  return startScenario({ platform: "langsmith", statusSeconds: 5, failRefs, faults });
}

/** The groups of the step's log, each with its title and its lines without their times. */
function groupsOf({ log }: ScenarioRun): string[][] {
  return [...log.matchAll(/^(Build log.*|End of the .* log)\n([\s\S]*?)\n\n/gm)].map(
    ([, title = "", lines = ""]) => [
      title,
      ...lines.split("\n").map((line) => line.replace(/^\d\d:\d\d:\d\d /, "")),
    ],
  );
}

function requestCounts({ requests, outputs }: ScenarioRun): { logs: number; polls: number } {
  const count = (path: RegExp) => requests.filter((request) => path.test(request.path)).length;
  return { logs: count(/_logs$/), polls: count(new RegExp(`/revisions/${outputs.revision_id}$`)) };
}

const built = [
  expect.stringMatching(/^Checking out main at /),
  "Reading langgraph.json",
  "Installing dependencies",
  "Collecting packages",
  "Building the image",
];

test("build_log: live shows the build log in a group before the next status, with at most one request per poll", async () => {
  const { deploy } = await startLangsmith();

  const run = await deploy(live);

  expect(run.outputs.outcome).toBe("deployed");
  expect(groupsOf(run)).toEqual([["Build log", ...built, "Pushed the image"]]);
  expect(run.log.indexOf("] BUILDING")).toBeLessThan(run.log.indexOf("Build log"));
  expect(run.log.indexOf("Pushed the image")).toBeLessThan(run.log.indexOf("] AWAITING_DEPLOY"));
  const { logs, polls } = requestCounts(run);
  expect(logs).toBeGreaterThan(1);
  expect(logs).toBeLessThanOrEqual(polls);
  expect(run.notices).toEqual([]);
});

test("a log that grows by more than a page between two polls is shown to its end", async () => {
  const lines = Array.from({ length: 2500 }, (_value, index) => `line ${index}`);
  const { deploy } = await startLangsmith([{ kind: "logs", type: "build", lines }]);

  const run = await deploy({ ...live, poll_interval_seconds: "60" });

  expect(groupsOf(run)).toEqual([["Build log", ...lines]]);
});

test("after a failed build the end of its log follows, which summary and comment have too", async () => {
  const { github, open, preview } = await startLangsmith([], { "feature-7": "BUILD_FAILED" });
  open();

  const run = await preview("opened", { inputs: live });

  const lines = [...built, unbuildable];
  expect(groupsOf(run)).toEqual([
    ["Build log", expect.anything(), ...lines.slice(1)],
    ["End of the build log", expect.anything(), ...lines.slice(1)],
  ]);
  expectError(run, "BUILD_FAILED", unbuildable.replace(/\.$/, ""), "build log");
  for (const text of [run.summary, github.comments(7)[0]?.body]) {
    expect(text).toMatch(/End of the build log[\s\S]*Building the image\nThe image could not/);
  }
  const { logs, polls } = requestCounts(run);
  expect(logs).toBeLessThanOrEqual(polls);
});

test("after a failed deploy the end of the server's log follows", async () => {
  const { deploy } = await startLangsmith([], { main: "DEPLOY_FAILED" });

  const run = await deploy(live);

  const [build, deployLog, ...others] = groupsOf(run);
  expect(build?.[0]).toBe("Build log");
  expect(deployLog?.[0]).toBe("End of the deploy log");
  expect(deployLog?.at(-1)).toMatch(/^The server did not become healthy/);
  expect(others).toEqual([]);
});

test("by default the log of a build that succeeds is not read", async () => {
  const { deploy } = await startLangsmith();

  expect(requestCounts(await deploy()).logs).toBe(0);
});

const whole = [["Build log", ...built, "Pushed the image"]];
const anyLog = { path: "_logs$", times: "always" } as const;
const notFound = { body: { detail: "Not Found" } };
const slow: FaultRule = {
  kind: "statuses",
  sequence: [{ status: "BUILDING", seconds: 120 }, { status: "DEPLOYED" }],
};

test.each<[string, readonly FaultRule[]]>([
  ["both endpoints are missing", [answer(anyLog, 405, { body: { detail: "Not Allowed" } })]],
  ["a 404 later than a minute after the write", [answer(anyLog, 404, notFound), slow]],
  ["a 5xx", [answer(anyLog, 503)]],
  ["a page of HTML", [answer(anyLog, 200, { body: "<html>" })]],
  ["half a response", [{ kind: "cut", match: anyLog }]],
  ["a reset connection", [{ kind: "reset", match: anyLog }]],
])("a live log that can't be read (%s) costs one notice, and not the outcome", async (_what, faults) => {
  const { deploy } = await startLangsmith(faults);

  const run = await deploy({ ...live, poll_interval_seconds: "10" });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.notices).toEqual([expect.stringMatching(/^The build log can't be read: /)]);
  expect([...run.errors, ...groupsOf(run)]).toEqual([]);
});

test("a log that does not come within five seconds costs one notice, and is shown later", async () => {
  const passTime = holdTimeouts();
  const { requested, startDeploy } = await startLangsmith([{ kind: "hang", match: { path: "_logs$" } }]);

  const { ended } = startDeploy(live);
  await requested("POST", /_logs$/);
  passTime(5000);

  const run = await ended;
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.notices).toEqual([expect.stringContaining("no complete response within 5 s")]);
  expect(groupsOf(run)).toEqual(whole);
});

test.each([
  ["and is shown later", 6],
  ["even after the build", 10],
])("a log that is not found within a minute of the write is not there yet, %s", async (_what, times) => {
  const { deploy } = await startLangsmith([answer({ ...anyLog, times }, 404, notFound)]);

  const run = await deploy({ ...live, poll_interval_seconds: "1" });

  expect(groupsOf(run)).toEqual(whole);
  expect(run.notices).toEqual([]);
});

test("a log that can't be read now and then costs one notice", async () => {
  const faults = [answer("POST _logs$", 503), answer({ path: "_logs$", from: 3 }, 503)];
  const { deploy } = await startLangsmith(faults);

  const run = await deploy({ ...live, poll_interval_seconds: "1" });

  expect(run.notices).toHaveLength(1);
  expect(groupsOf(run)).toEqual(whole);
});

test("after a log that can't be read any more, the next statuses are not in its group", async () => {
  const { deploy } = await startLangsmith([answer("POST _logs$", 503, { from: 2, times: "always" })]);

  const run = await deploy({ ...live, poll_interval_seconds: "1" });

  expect(run.notices).toHaveLength(1);
  expect(groupsOf(run)).toHaveLength(1);
  expect(groupsOf(run).flat().join("\n")).not.toContain("DEPLOYED");
});

test("a run that is cancelled while the log is read knows the status that it has seen", async () => {
  const { requested, startDeploy } = await startLangsmith([
    { kind: "statuses", sequence: [{ status: "BUILD_FAILED" }] },
    { kind: "hang", match: { path: "_logs$" } },
  ]);

  const started = startDeploy({ ...live, on_cancel: "interrupt" });
  const run = await cancelOnce(started, requested("POST", /_logs$/));

  expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "BUILD_FAILED" });
  expect(run.errors[0]).not.toContain("No changes were sent");
  expect(run.requests.filter(({ path }) => path.includes("interrupt"))).toEqual([]);
});

test.each(["live", "failure"])(
  "a secret that is broken over entries is not shown with build_log: %s",
  async (build_log) => {
    const secret = "p4ssw0rd-of-the-database";
    const base64 = Buffer.from(secret).toString("base64");
    const broken = ["KEY=p4ssw0rd-of", "-the-database", base64.slice(0, 20), base64.slice(20), "end"];
    const lines = [...Array<string>(50).fill("x"), ...broken];
    const { deploy } = await startLangsmith([{ kind: "logs", type: "build", lines }], {
      main: "BUILD_FAILED",
    });

    const run = await deploy({ build_log, secrets: `DATABASE_KEY=${secret}` });

    const shown = run.log + run.summary;
    for (const part of ["p4ssw0rd", "-the-database", base64.slice(0, 20), base64.slice(20)]) {
      expect(shown).not.toContain(part);
    }
    expect(run.summary).toMatch(/\nKEY=\*\*\*\n\*\*\*\n\*\*\*\n\*\*\*\nend\n/);
  },
);
