import { describe, expect, test } from "@jest/globals";
import { startPreviewScenario } from "../../support/preview-scenario.ts";
import { startScenario } from "../../support/scenario.ts";
import { langsmith, loggedLines, logQueries, startFailing, summaryLines } from "./support.ts";

test("a failed build tells the end of its log and the platform's reason", async () => {
  const { deploy, emulator } = await startFailing();
  emulator.misbehave({
    kind: "statuses",
    sequence: [
      { status: "BUILDING", seconds: 5 },
      { status: "BUILD_FAILED", message: "pip exited with code 1" },
    ],
  });
  const entry = (second: number, level: string, message: string) => ({
    timestamp: `2026-03-02T09:00:0${second}.123456+00:00`,
    level,
    message,
  });
  emulator.misbehave({
    kind: "logs",
    type: "build",
    lines: [
      entry(1, "INFO", "Collecting langgraph"),
      entry(2, "ERROR", "Traceback:\n\tline 1\r\n    raise Broken\n"),
    ],
  });
  const run = await deploy(langsmith);
  const lines = [
    "09:00:01 INFO Collecting langgraph",
    "09:00:02 ERROR Traceback:",
    "  line 1",
    "    raise Broken",
  ];
  expect(run.outputs).toMatchObject({ outcome: "failed", status: "BUILD_FAILED" });
  expect(loggedLines(run)).toEqual(lines);
  expect(summaryLines(run)).toEqual(lines);
  expect(run.errors).toEqual([
    `Revision ${run.outputs.revision_id} failed with status BUILD_FAILED. The platform says: pip exited with code 1. The end of the build log stands in this step's log and in the job summary; check app_config_path, repo_ref and secrets.`,
  ]);
  expect(run.summary).toContain("The platform says: pip exited with code 1.");
  expect(logQueries(run)).toEqual([{ type: "build", order: "desc", limit: "50" }]);
});

test("a failed deploy tells the deploy's log", async () => {
  const { deploy } = await startFailing({ failRefs: { main: "DEPLOY_FAILED" } });
  const run = await deploy(langsmith);
  expect(logQueries(run)).toMatchObject([{ type: "deploy" }]);
  expect(run.log).toContain("The end of the deploy log");
  expect(loggedLines(run)?.at(-1)).toMatch(/^09:\d\d:\d\d ERROR The server did not become healthy/);
});

test("what fails before the deploy is looked for in the build's log", async () => {
  const { deploy } = await startFailing({ failRefs: { main: "CREATE_FAILED" } });
  const run = await deploy(langsmith);
  expect(logQueries(run)).toMatchObject([{ type: "build" }]);
  expect(loggedLines(run)).toBeUndefined();
  expect(run.errors[0]).toContain("The platform says: The revision could not be created");
});

describe("of a long log", () => {
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`);
  const shown = (count: number) => lines.slice(-count).map((line) => `09:00:00 INFO ${line}`);

  test("the log shows the last 50 lines and the summary the last 20", async () => {
    const { deploy, emulator } = await startFailing();
    emulator.misbehave({ kind: "logs", type: "build", lines });
    const run = await deploy(langsmith);
    expect(loggedLines(run)).toEqual(shown(50));
    expect(summaryLines(run)).toEqual(shown(20));
    expect(logQueries(run)).toHaveLength(1);
  });

  test("the comment shows the last 8", async () => {
    const { emulator, github, open, preview } = await startPreviewScenario({
      emulator: { platform: "langsmith", failRefs: { "feature-7": "BUILD_FAILED" } },
      github: { files: { "langgraph.json": "{}" } },
    });
    emulator.misbehave({ kind: "logs", type: "build", lines });
    open();
    await preview("opened", { inputs: langsmith });
    expect(github.comments(7)).toHaveLength(1);
    const [, block] =
      /\*\*The end of the build log:\*\*\n\n```text\n([\s\S]*?)\n```\n/.exec(
        github.comments(7)[0]?.body ?? "",
      ) ?? [];
    expect(block?.split("\n")).toEqual(shown(8));
  });
});

test("a revision that is skipped, interrupted or late has no log to show", async () => {
  for (const end of ["SKIPPED", "INTERRUPTED", "BUILDING"]) {
    const { deploy } = await startFailing({ failRefs: { main: end } });
    const run = await deploy({ ...langsmith, timeout_seconds: "60" });
    expect(run.succeeded).toBe(false);
    expect(logQueries(run)).toEqual([]);
  }
});

test("on a platform of which no logs are known none is asked for, and nothing is quoted", async () => {
  const { deploy, emulator } = await startScenario({ failRefs: { main: "BUILD_FAILED" } });
  emulator.misbehave({
    kind: "statuses",
    sequence: [{ status: "BUILD_FAILED", message: "pip exited with code 1" }],
  });
  const run = await deploy();
  expect(run.outputs.outcome).toBe("failed");
  expect(logQueries(run)).toEqual([]);
  expect(run.log + run.summary).not.toContain("platform says");
});
