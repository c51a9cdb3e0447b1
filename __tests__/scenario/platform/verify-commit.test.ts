import { expect, test } from "@jest/globals";
import { expectError, type Inputs, pushToMain, sha, startScenario } from "../../support/scenario.ts";
import { startAgentWith } from "../after/support.ts";

const own = pushToMain.GITHUB_SHA ?? "";
const newer = sha("f");
const verified = { verify_commit: "true" };

function startWith(commits: Readonly<Record<string, string>>) {
  return startScenario({ platform: "langsmith", commits, statusSeconds: 0 });
}

test.each<[string, Inputs, string]>([
  ["this run's commit", verified, own],
  ["this run's commit in capitals", verified, own.toUpperCase()],
  ["another commit without verify_commit", {}, newer],
])("a revision of %s is deployed without a warning", async (_what, inputs, shown) => {
  const { deploy } = await startWith({ main: shown });

  const run = await deploy(inputs);

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.outputs.commit_sha).toBe(shown);
  expect(run.warnings).toEqual([]);
});

test("verify_commit alone requests nothing of the agent, not even to wake it", async () => {
  const agent = await startAgentWith(200);
  const { deploy } = await startScenario({ statusSeconds: 0 });

  const run = await deploy({ ...verified, serving_check: "off", custom_url: agent.url });

  expectError(run, "verify_commit");
  expect(agent.requests).toEqual([]);
});

test("a commit that later polls do not show any more is still reported", async () => {
  const { deploy, emulator } = await startWith({ main: own });
  emulator.addFault({ kind: "hide", fields: ["repo_commit_sha"], match: { path: "/revisions/", from: 2 } });
  emulator.addFault({ kind: "hide", fields: ["repo_commit_sha"], match: { path: "/revisions$" } });

  const run = await deploy(verified);

  expect(run.outputs).toMatchObject({ outcome: "deployed", commit_sha: own });
});

test.each<[string, Inputs, readonly string[]]>([
  ["main", {}, [newer, own, "live", "verify_commit"]],
  ["release", { repo_ref: "release" }, [newer, own, "repo_ref"]],
])("verify_commit fails the step if another commit of %s is deployed", async (ref, inputs, facts) => {
  const { deploy } = await startWith({ [ref]: newer });

  const run = await deploy({ ...verified, ...inputs });

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expectError(run, ...facts);
  expect(run.warnings).toEqual([]);
  expect(run.annotations).toMatchObject([{ title: "Deploy agent: commit check failed" }]);
});

test.each(["$(id)`x`;rm -rf", `${own}\n::error::x`, own.slice(0, 7)])(
  "what is no commit is no output, and verify_commit fails the step (%j)",
  async (shown) => {
    const { deploy } = await startWith({ main: shown });

    const run = await deploy(verified);

    expect(run.outputs).not.toHaveProperty("commit_sha");
    expectError(run, own, "verify_commit");
  },
);

test("the commit of a pull request is its head, not the merge", async () => {
  const { github, open, run } = await startWith({ "feature-7": sha("a") });
  open({ sha: sha("a") });
  const { event, env } = github.pullRequestRun(7, "opened");

  const inputs = { name: "agent", ...verified };
  const { outputs } = await run("deploy", { inputs, event, env: { ...env, GITHUB_HEAD_REF: "feature-7" } });

  expect(outputs).toMatchObject({ outcome: "deployed", commit_sha: sha("a") });
});

test("a platform that shows no commit fails a run with verify_commit, and no other", async () => {
  const { deploy, emulator } = await startWith({});
  emulator.addFault({ kind: "hide", fields: ["repo_commit_sha"] });

  const unverified = await deploy();
  const run = await deploy(verified);

  expect(unverified.outputs.outcome).toBe("deployed");
  expect(unverified.warnings).toEqual([]);
  expect(run.outputs.outcome).toBe("failed");
  expectError(run, own, "verify_commit");
});
