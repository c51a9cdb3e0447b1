import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { type Inputs, pushToMain, startScenario } from "../../support/scenario.ts";

const langsmith: Inputs = { platform: "langsmith", integration_id: "", app_config_path: "" };
const own = pushToMain.GITHUB_SHA ?? "";
const newer = "f".repeat(40);
const movedOn = `The revision was built from commit ${newer}, but this run is about ${own}: its branch or tag seems to have moved on.`;

const folder = mkdtempSync(join(tmpdir(), "verify-commit-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const path = join(folder, "event.json");
  writeFileSync(path, text);
  return path;
}

test("nothing is said where the platform built this run's commit", async () => {
  const scenario = await startScenario({ platform: "langsmith", commits: { main: own } });
  const run = await scenario.deploy({ ...langsmith, verify_commit: "true" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([]);
  expect(run.summary).toContain(`| Built from commit | \`${own}\` |`);
});

describe("a branch that moved on", () => {
  test("is a warning that names both commits", async () => {
    const scenario = await startScenario({ platform: "langsmith", commits: { main: newer } });
    const run = await scenario.deploy(langsmith);
    expect(run.outputs.outcome).toBe("deployed");
    expect(run.warnings).toEqual([movedOn]);
  });

  test("is a failure with verify_commit", async () => {
    const scenario = await startScenario({ platform: "langsmith", commits: { main: newer } });
    const run = await scenario.deploy({ ...langsmith, verify_commit: "true" });
    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.errors).toEqual([
      `${movedOn} The revision is live all the same. Run the workflow for the newer commit, or leave verify_commit out.`,
    ]);
  });
});

test("on a pull request the commit is its head's, not the merge's", async () => {
  const head = "a".repeat(40);
  const scenario = await startScenario({ platform: "langsmith", commits: { "feature/x": head } });
  const payload = JSON.stringify({ pull_request: { head: { sha: head } } });
  const env = {
    GITHUB_EVENT_NAME: "pull_request",
    GITHUB_REF: "refs/pull/7/merge",
    GITHUB_HEAD_REF: "feature/x",
  };
  const run = await scenario.deploy(
    { ...langsmith, verify_commit: "true" },
    { ...env, GITHUB_EVENT_PATH: fileWith(payload) },
  );
  expect(run.errors).toEqual([]);
  expect(run.outputs.outcome).toBe("deployed");
});

test("a platform that shows no commit fails only what asked for it", async () => {
  const scenario = await startScenario({ platform: "langsmith" });
  scenario.emulator.misbehave({ kind: "hide", fields: ["repo_commit_sha"] });
  expect((await scenario.deploy(langsmith)).outputs.outcome).toBe("deployed");
  const run = await scenario.deploy({ ...langsmith, verify_commit: "true" });
  expect(run.outputs.outcome).toBe("failed");
  expect(run.errors).toEqual([
    `The platform doesn't tell which commit it built, so it isn't known to be this run's, ${own}. The revision is live all the same. Leave verify_commit out where the platform tells no commit.`,
  ]);
});

test("another ref than the run's own has another commit, and that is fine", async () => {
  const scenario = await startScenario({ platform: "langsmith", commits: { release: newer } });
  const run = await scenario.deploy({ ...langsmith, repo_ref: "release", verify_commit: "true" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([]);
});

test("a branch by the name of the run's tag is another ref", async () => {
  const scenario = await startScenario({ platform: "langsmith", commits: { v1: newer } });
  const inputs = { ...langsmith, repo_ref: "v1", verify_commit: "true" };
  const run = await scenario.deploy(inputs, { GITHUB_REF: "refs/tags/v1" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([]);
});

test.each([own.toUpperCase(), own.slice(0, 7)])("a platform may write the commit as %s", async (shown) => {
  const scenario = await startScenario({ platform: "langsmith", commits: { main: shown } });
  const run = await scenario.deploy({ ...langsmith, verify_commit: "true" });
  expect(run.outputs.outcome).toBe("deployed");
  expect(run.warnings).toEqual([]);
});

test("too few digits to know a commit by are another", async () => {
  const scenario = await startScenario({ platform: "langsmith", commits: { main: own.slice(0, 6) } });
  expect((await scenario.deploy(langsmith)).warnings).toHaveLength(1);
});
