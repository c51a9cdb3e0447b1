import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  expectError,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

/** A platform with logs, on which revisions of `main` fail to build. */
function startFailing(options: EmulatorOptions = {}): Promise<Scenario> {
  return startScenario({ platform: "langsmith", failRefs: { main: "BUILD_FAILED" }, ...options });
}

/** The lines of the step log's group; undefined if there is none. */
function loggedLines({ log }: ScenarioRun): string[] | undefined {
  return /^End of the (?:build|deploy) log\n([\s\S]*?)\n\n/m.exec(log)?.[1]?.split("\n");
}

/** The lines of the code block below this heading. */
function quotedLines(markdown: string, heading: string): string[] | undefined {
  const [, , block] = new RegExp(`${heading}\n\n(\`{3,})text\n([\\s\\S]*?)\n\\1\n`).exec(markdown) ?? [];
  return block?.split("\n");
}

function summaryLines({ summary }: ScenarioRun): string[] | undefined {
  return quotedLines(summary, "End of the (?:build|deploy) log</summary>");
}

/** The queries of the requests for a log, in order. */
function logQueries({ requests }: ScenarioRun): Record<string, unknown>[] {
  return requests
    .filter(({ path }) => path.endsWith("/logs"))
    .map(({ query }) =>
      Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.join()])),
    );
}

test.each([
  ["over two entries", ["key a-secret-", "of-a-key Error: bad key"]],
  ["by a line end", ["key a-secret-\nof-a-key Error: bad key"]],
  ["by a string for a device", ["key a-secret-\u001bPq\u001b\\of-a-key Error: bad key"]],
])("a secret that is broken %s is in neither the log nor the reason", async (_what, lines) => {
  const { deploy, emulator } = await startFailing();
  emulator.addFault({ kind: "logs", type: "build", lines });

  const run = await deploy({ secrets: "KEY=a-secret-of-a-key" });

  expectError(run, "The log says:", "Error: bad key");
  expect(`${run.errors.join()}${run.summary}${run.log}`).not.toMatch(/of-a-key|a-secret-/);
});

test("a failed build reports the platform's reason and the end of its log", async () => {
  const { deploy, emulator } = await startFailing();
  const failed = { status: "BUILD_FAILED", message: "pip exited with code 1" };
  emulator.addFault({ kind: "statuses", sequence: [{ status: "BUILDING", seconds: 5 }, failed] });
  const entry = (second: number, level: string, message: string) => ({
    timestamp: `2026-03-02T09:00:0${second}.123456+00:00`,
    level,
    message,
  });
  const lines = [
    entry(1, "INFO", "Collecting langgraph"),
    entry(2, "ERROR", "Traceback:\n\tline 1\r\n    raise Broken\n"),
  ];
  emulator.addFault({ kind: "logs", type: "build", lines });

  const run = await deploy();

  const shown = ["Collecting langgraph", "Traceback:", "  line 1", "    raise Broken"];
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(loggedLines(run)).toEqual(shown);
  expect(summaryLines(run)).toEqual(shown);
  expectError(run, `${run.outputs.revision_id}`, "BUILD_FAILED", failed.message, "build log");
  expect(run.summary).toContain(failed.message);
  expect(logQueries(run)).toEqual([{ type: "build", order: "desc", limit: "100" }]);
});

describe("the annotation of a failed build quotes the line of its log that says why:", () => {
  const npmEnd = "npm error A complete log of this run can be found in: /root/.npm/_logs/1-debug-0.log";
  test.each<[string, string[], string]>([
    ["the last error", ["TypeError: first", "ModuleNotFoundError: No module named 'x'", "done"], "No module"],
    [
      "not what ends every failed build",
      ["npm error notarget No matching version found for left-pad@99.", npmEnd, "failed with exit code: 1"],
      '"npm error notarget No matching version found for left-pad@99"',
    ],
    [
      "a compiler's error",
      ["src/agent.ts(7,20): error TS2304: Cannot find name 'x'.", "sh: 1: exited"],
      "TS2304",
    ],
    [
      "with the next line, if it ends with a colon",
      ["error: no way:", " because of x", "done"],
      '"error: no way: because of x"',
    ],
    ["any line that names an error", ["Something failed here", "the end"], '"Something failed here"'],
    ["a line that can't act", ["fatal: ##[error]x\u001b[31m\u200b"], '"fatal: ## [error]x"'],
  ])("%s", async (_what, lines, quoted) => {
    const { deploy, emulator } = await startFailing();
    emulator.addFault({ kind: "logs", type: "build", lines });

    const run = await deploy();

    expectError(run, "The log says: ", quoted);
    expect(run.summary).toContain("The log says: ");
    expect(run.errors).toHaveLength(1);
  });

  test.each<[string, string[]]>([
    ["without a line that looks like an error", ["Collecting langgraph", "Step 4"]],
    ["with nothing but what ends every failed build", ["Step 4", npmEnd]],
    ["whose error the platform's reason quotes", ["pip: no such Error: x."]],
    [
      "whose error the platform's reason quotes without its module",
      ["pip.errors.PipError: no such Error: x"],
    ],
  ])("none of a log %s", async (_what, lines) => {
    const { deploy, emulator } = await startFailing();
    const sequence = [
      {
        status: "BUILD_FAILED",
        message: "The build failed: pip: no such Error: x. PipError: no such Error: x",
      },
    ];
    emulator.addFault({ kind: "statuses", sequence });
    emulator.addFault({ kind: "logs", type: "build", lines });

    const run = await deploy();

    expectError(run, "pip: no such Error: x");
    expect(run.summary).not.toContain("log says");
    expect(run.errors.join()).not.toContain("log says");
  });

  test("without a secret that spans several lines, and cut", async () => {
    const { deploy, emulator } = await startFailing();
    const key = "-----BEGIN KEY-----\nfatal: abcdefgh1234\n-----END KEY-----";
    const lines = [...key.split("\n"), `Error: ${"long ".repeat(200)}`];
    emulator.addFault({ kind: "logs", type: "build", lines: key.split("\n") });

    const secret = await deploy({ secrets: JSON.stringify({ KEY: key }) });
    emulator.addFault({ kind: "logs", type: "build", lines });
    const long = await deploy();

    expect(secret.errors.join()).not.toContain("abcdefgh1234");
    expect(long.errors.join().length).toBeLessThan(900);
  });
});

test("a failed update says which revision is live", async () => {
  const { deploy } = await startFailing({ failRefs: { bad: "BUILD_FAILED" } });
  const first = await deploy();

  const run = await deploy({ repo_ref: "bad" });

  expectError(run, "BUILD_FAILED", `Revision ${first.outputs.revision_id} is live.`);
});

test("the log is read from the older endpoint if the platform lacks the newer one", async () => {
  const { deploy, emulator } = await startFailing();
  emulator.addFault(answer("/logs$", 404, { body: { detail: "Not Found" } }));

  const run = await deploy();

  expect(loggedLines(run)?.at(-1)).toMatch(/^The image could not be built/);
  expect(writes(run.requests).at(-1)).toMatchObject({
    method: "POST",
    path: `/v1/projects/${run.outputs.deployment_id}/revisions/${run.outputs.revision_id}/build_logs`,
    body: { order: "desc", limit: 100 },
  });
});

test("with build_log: off, the platform's reason is reported, and no log is read", async () => {
  const { deploy } = await startFailing();

  const run = await deploy({ build_log: "off" });

  expectError(run, "The image could not be built");
  expect(logQueries(run)).toEqual([]);
  expect(run.log + run.summary).not.toMatch(/end of the/i);
});

test("a failed deploy reports the end of the deploy log", async () => {
  const { deploy } = await startFailing({ failRefs: { main: "DEPLOY_FAILED" } });

  const run = await deploy();

  expect(logQueries(run)).toMatchObject([{ type: "deploy" }]);
  expect(loggedLines(run)?.at(-1)).toMatch(/^The server did not become healthy/);
  expectError(run, "check app_config_path, repo_ref and secrets");
});

test("a revision that fails before its build is looked up in the build log", async () => {
  const { deploy } = await startFailing({ failRefs: { main: "CREATE_FAILED" } });

  const run = await deploy();

  expect(logQueries(run)).toMatchObject([{ type: "build" }]);
  expect(loggedLines(run)).toBeUndefined();
  expectError(run, "The revision could not be created");
});

describe("of a long log", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
  const end = (count: number) => lines.slice(-count).map((line) => `${line}`);

  test("step log and summary show the last 50 lines", async () => {
    const { deploy, emulator } = await startFailing();
    emulator.addFault({ kind: "logs", type: "build", lines });

    const run = await deploy();

    expect(loggedLines(run)).toEqual(end(50));
    expect(summaryLines(run)).toEqual(end(50));
    expect(logQueries(run)).toHaveLength(1);
  });

  test("a preview's comment shows the last 20 lines", async () => {
    const { emulator, github, open, preview } = await startScenario({
      statusSeconds: 5,
      platform: "langsmith",
      failRefs: { "feature-7": "BUILD_FAILED" },
    });
    emulator.addFault({ kind: "logs", type: "build", lines });
    open();

    await preview("opened");

    expect(github.comments(7)).toHaveLength(1);
    expect(quotedLines(github.comments(7)[0]?.body ?? "", "End of the build log</summary>")).toEqual(end(20));
  });
});

describe("no log is read", () => {
  test.each(["SKIPPED", "BUILDING"])("of a revision that ends or stays as %s", async (status) => {
    const { deploy } = await startFailing({ failRefs: { main: status } });

    const run = await deploy({ timeout_seconds: "20" });

    expect(run.succeeded).toBe(false);
    expect(logQueries(run)).toEqual([]);
  });

  test("on a platform without logs, and no reason is quoted", async () => {
    const { deploy, emulator } = await startScenario();
    const sequence = [{ status: "BUILD_FAILED", message: "pip exited with code 1" }];
    emulator.addFault({ kind: "statuses", sequence });

    const run = await deploy();

    expect(run.outputs.outcome).toBe("failed");
    expect(logQueries(run)).toEqual([]);
    expect(run.log + run.summary).not.toContain("pip exited");
  });
});

describe("a log that can't be read is requested once and not mentioned:", () => {
  function expectNotMentioned(run: ScenarioRun): void {
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
    expectError(run, "BUILD_FAILED", "app_config_path, repo_ref and secrets");
    expect(run.warnings).toEqual([]);
    expect(run.log + run.summary).not.toMatch(/\/logs|end of the/i);
    expect(run.took).toBeLessThan(10);
    expect(logQueries(run)).toHaveLength(1);
  }

  const match = { path: "/logs$|_logs$", times: "always" } as const;
  const response = (status: number, body?: unknown, headers = {}): FaultRule =>
    answer(match, status, { body, headers });
  test.each<[string, FaultRule]>([
    ["404", response(404, { detail: "Not Found" })],
    ["429 with a long Retry-After", response(429, { detail: "slow down" }, { "retry-after": "600" })],
    ["a page of HTML", response(200, "<html>")],
    ["an empty log", response(200, { logs: [], next_offset: "x" })],
  ])("a failure log that can't be read (%s) is not mentioned", async (_what, fault) => {
    const { deploy, emulator } = await startFailing();
    emulator.addFault(fault);

    expectNotMentioned(await deploy());
  });

  test("no response within five seconds", async () => {
    const passTime = holdTimeouts();
    const { emulator, requested, startDeploy } = await startFailing();
    emulator.addFault({ kind: "hang", match });

    const { ended } = startDeploy();
    await requested("GET", /\/logs$/);
    passTime(5000);

    expectNotMentioned(await ended);
  });

  test("no response until the run is cancelled, whose outcome stays failed", async () => {
    const { emulator, requested, startDeploy } = await startFailing();
    emulator.addFault({ kind: "hang", match });

    const running = startDeploy();
    await requested("GET", /\/logs$/);
    running.cancel();

    expectNotMentioned(await running.ended);
  });
});
