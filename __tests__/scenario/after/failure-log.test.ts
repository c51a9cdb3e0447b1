import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { holdTimeouts } from "../../support/request-timeouts.ts";
import {
  cancelOnce,
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  shownBy,
  startScenario,
} from "../../support/scenario.ts";

/** A platform with logs, on which revisions of `main` fail to build. */
function startFailing(options: EmulatorOptions = {}): Promise<Scenario> {
  return startScenario({ platform: "langsmith", failRefs: { main: "BUILD_FAILED" }, ...options });
}

/** A run whose build prints these lines and fails. */
async function failWith(
  lines: string[],
  inputs: Inputs = {},
  faults: FaultRule[] = [],
): Promise<ScenarioRun> {
  const log: FaultRule = { kind: "logs", type: "build", lines };
  return await (await startFailing({ faults: [log, ...faults] })).deploy(inputs);
}

/** The lines of the step log's group; undefined if there is none. */
function loggedLines({ log }: ScenarioRun): string[] | undefined {
  return /^End of the (?:build|deploy) log\n([\s\S]*?)\n\n/m.exec(log)?.[1]?.split("\n");
}

/** The lines of the log's end in a summary or comment. */
function quotedLines(markdown: string): string[] | undefined {
  const block = /End of the (?:build|deploy) log<\/summary>\n\n(`{3,})text\n([\s\S]*?)\n\1\n/.exec(markdown);
  return block?.[2]?.split("\n");
}

/** The logs that were requested, in order, each with its query. */
function logQueries({ requests }: ScenarioRun): unknown[] {
  return requests
    .filter(({ path }) => path.endsWith("_logs"))
    .map(({ path, body }) => ({ log: path.slice(path.lastIndexOf("/") + 1), body }));
}

test.each([
  ["over two entries", ["key a-secret-", "of-a-key Error: bad key"]],
  ["by a line end", ["key a-secret-\nof-a-key Error: bad key"]],
  ["by a string for a device", ["key a-secret-\u001bPq\u001b\\of-a-key Error: bad key"]],
])("a secret that is broken %s is in neither the log nor the reason", async (_what, lines) => {
  const run = await failWith(lines, { secrets: "KEY=a-secret-of-a-key" });

  expectError(run, "The log says:", "Error: bad key");
  expect(shownBy(run)).not.toMatch(/of-a-key|a-secret-/);
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
  expect(quotedLines(run.summary)).toEqual(shown);
  expectError(run, `${run.outputs.revision_id}`, "BUILD_FAILED", failed.message, "build log");
  expect(run.summary).toContain(failed.message);
  expect(logQueries(run)).toEqual([{ log: "build_logs", body: { order: "desc", limit: 100 } }]);
});

describe("the annotation of a failed build quotes the line of its log that says why:", () => {
  const npmEnd = "npm error A complete log of this run can be found in: /root/.npm/_logs/1-debug-0.log";
  const notFound = "npm error notarget No matching version found for left-pad@99";
  const compiler = "src/agent.ts(7,20): error TS2304: Cannot find name 'x'.";

  test.each<[string, string[], string]>([
    ["the last error", ["TypeError: first", "ModuleNotFoundError: No module named 'x'", "done"], "No module"],
    ["not what ends every build", [`${notFound}.`, npmEnd, "failed with exit code: 1"], `"${notFound}"`],
    ["a compiler's error", [compiler, "sh: 1: exited"], "TS2304"],
    [
      "with what follows a colon",
      ["error: no way:", " because of x", "done"],
      '"error: no way: because of x"',
    ],
    ["any line that names an error", ["Something failed here", "the end"], '"Something failed here"'],
    ["a line that can't act", ["fatal: ##[error]x\u001b[31m\u200b"], '"fatal: ## [error]x"'],
  ])("%s", async (_what, lines, quoted) => {
    const run = await failWith(lines);

    expectError(run, "The log says: ", quoted);
    expect(run.summary).toContain("The log says: ");
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
    const message = "The build failed: pip: no such Error: x. PipError: no such Error: x";
    const sequence = [{ status: "BUILD_FAILED", message }];

    const run = await failWith(lines, {}, [{ kind: "statuses", sequence }]);

    expectError(run, "pip: no such Error: x");
    expect(run.errors.join() + run.summary).not.toContain("log says");
  });

  test("without a secret that spans several lines, and cut", async () => {
    const key = "-----BEGIN KEY-----\nfatal: abcdefgh1234\n-----END KEY-----";

    const secret = await failWith(key.split("\n"), { secrets: JSON.stringify({ KEY: key }) });
    const long = await failWith([`Error: ${"long ".repeat(500)}`]);

    expect(secret.errors.join()).not.toContain("abcdefgh1234");
    const [, quoted] = /The log says: "(.*?)"/.exec(long.errors.join()) ?? [];
    expect(quoted).toMatch(/^Error: [long …]{900,995}$/);
  });
});

test("with build_log: off, the platform's reason is reported, and no log is read", async () => {
  const { deploy } = await startFailing();

  const run = await deploy({ build_log: "off" });

  expectError(run, "The image could not be built");
  expect(logQueries(run)).toEqual([]);
  expect(run.log + run.summary).not.toMatch(/end of the/i);
});

test.each([
  ["CREATE_FAILED", "build", undefined, "The revision could not be created"],
  ["DEPLOY_FAILED", "deploy", /^The server did not become healthy/, "app_config_path, repo_ref and secrets"],
])("after %s, the end of the %s log is reported, if there is any", async (status, type, end, fact) => {
  const { deploy } = await startFailing({ failRefs: { main: status } });

  const run = await deploy();

  expect(logQueries(run)).toMatchObject([{ log: `${type}_logs` }]);
  expect(loggedLines(run)?.at(-1)).toEqual(end && expect.stringMatching(end));
  expectError(run, fact);
});

describe("of a long log", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);

  test("step log and summary show the last 50 lines", async () => {
    const run = await failWith(lines);

    expect(loggedLines(run)).toEqual(lines.slice(-50));
    expect(quotedLines(run.summary)).toEqual(lines.slice(-50));
    expect(logQueries(run)).toHaveLength(1);
  });

  test("a preview's comment shows the last 20 lines", async () => {
    const faults: FaultRule[] = [{ kind: "logs", type: "build", lines }];
    const { github, open, preview } = await startFailing({
      failRefs: { "feature-7": "BUILD_FAILED" },
      faults,
    });
    open();

    await preview("opened");

    expect(github.comments(7).map(({ body }) => quotedLines(body))).toEqual([lines.slice(-20)]);
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
    expect(run.log + run.summary).not.toMatch(/_logs|end of the/i);
    expect(run.took).toBeLessThan(10);
    expect(logQueries(run)).toHaveLength(1);
  }

  const match = { path: "_logs$", times: "always" } as const;
  const slowDown = { body: { detail: "slow down" }, headers: { "retry-after": "600" } };

  test.each<[string, FaultRule]>([
    ["404", answer(match, 404, { body: { detail: "Not Found" } })],
    ["429 with a long Retry-After", answer(match, 429, slowDown)],
    ["a page of HTML", answer(match, 200, { body: "<html>" })],
    ["an empty log", answer(match, 200, { body: { logs: [], next_offset: "x" } })],
  ])("a failure log that can't be read (%s) is not mentioned", async (_what, fault) => {
    const { deploy } = await startFailing({ faults: [fault] });

    expectNotMentioned(await deploy());
  });

  test("no response within five seconds", async () => {
    const passTime = holdTimeouts();
    const { requested, startDeploy } = await startFailing({ faults: [{ kind: "hang", match }] });

    const { ended } = startDeploy();
    await requested("POST", /_logs$/);
    passTime(5000);

    expectNotMentioned(await ended);
  });

  test("no response until the run is cancelled, whose outcome stays failed", async () => {
    const { requested, startDeploy } = await startFailing({ faults: [{ kind: "hang", match }] });

    expectNotMentioned(await cancelOnce(startDeploy(), requested("POST", /_logs$/)));
  });
});

test("a run that is cancelled while it waits for the server's last lines has failed", async () => {
  const { pass, startDeploy } = await startFailing({ failRefs: { main: "DEPLOY_FAILED" }, statusSeconds: 0 });

  const run = await cancelOnce(startDeploy(), pass(1));

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOY_FAILED" });
  expect(logQueries(run)).toEqual([]);
});

test("the end of the server's log is read 2 s after a failure, because lines arrive with a delay", async () => {
  const { deploy } = await startFailing({ failRefs: { main: "DEPLOY_FAILED" }, statusSeconds: 0 });

  const run = await deploy();

  expect(run.took).toBe(2);
  expect(loggedLines(run)).toBeDefined();
});
