import { expect, test } from "@jest/globals";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/server.ts";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { previewOf7, repositoryInputs, sha, taskOf7 } from "../support/preview-scenario.ts";
import { type ActionRun, type RunOptions, runAction, startAction } from "../support/runner/run-action.ts";
import { type Inputs, writes } from "../support/scenario.ts";

interface Servers {
  readonly emulator: Emulator;
  readonly github: GitHubStandIn;
  /** What the runner is told to run the preview action for an event of pull request 7. */
  readonly options: (action: string, runId: number, inputs?: Inputs) => RunOptions;
}

const limit = 60_000;

/** GitHub's pause between writes is real time here, so these tests run side by side, each with servers of its own. */
function scenario(
  title: string,
  emulatorOptions: EmulatorOptions,
  play: (servers: Servers) => Promise<void>,
): void {
  test.concurrent(
    title,
    async () => {
      const emulator = await startEmulator({ statusSeconds: 0, ...emulatorOptions });
      const github = await startGitHub({ files: { "app/config.json": "{}" } });
      github.pullRequests.open({ number: 7, sha: sha("a") });
      const access = {
        control_plane_url: emulator.url,
        api_key: emulator.apiKey,
        workspace_id: emulator.workspaceId,
      };
      const options = (action: string, runId: number, inputs: Inputs = {}): RunOptions => {
        const { event, env } = github.pullRequestRun(7, action);
        const given = { poll_interval_seconds: "0.2", ...access, ...repositoryInputs, ...inputs };
        return { action: "preview", event, env: { ...env, GITHUB_RUN_ID: String(runId) }, inputs: given };
      };
      try {
        await play({ emulator, github, options });
        expect(github.violations).toEqual([]);
      } finally {
        await emulator.close();
        await github.close();
      }
    },
    limit,
  );
}

function post(main: ActionRun, options: RunOptions): Promise<ActionRun> {
  return runAction({ ...options, phase: "post", state: main.state });
}

function recordStates(github: GitHubStandIn): (string | undefined)[][] {
  return github.deployments(taskOf7).map(({ statuses }) => statuses.map(({ state }) => state).toReversed());
}

scenario("a whole life: open, push, push, close", {}, async ({ emulator, github, options }) => {
  const runs: ActionRun[] = [];
  for (const [index, head] of ["a", "b", "d"].entries()) {
    github.pullRequests.change(7, { sha: sha(head) });
    const given = options(index === 0 ? "opened" : "synchronize", index);
    const main = await runAction(given);
    const asked = github.requests.length;
    expect(await post(main, given)).toMatchObject({ exitCode: 0, stdout: "", stderr: "", summary: "" });
    expect(github.requests).toHaveLength(asked);
    runs.push(main);
  }
  const [deployment, ...others] = emulator.deployments();
  expect(others).toEqual([]);
  expect(deployment).toMatchObject({
    name: previewOf7,
    revisions: runs.toReversed().map(({ outputs }) => ({ id: outputs.revision_id })),
  });
  expect(github.deployments(taskOf7).map(({ ref }) => ref)).toEqual([sha("d"), sha("b"), sha("a")]);
  const replaced = ["in_progress", "success", "inactive"];
  expect(recordStates(github)).toEqual([["in_progress", "success"], replaced, replaced]);

  github.pullRequests.change(7, { state: "closed" });
  const closed = await runAction(options("closed", 3));
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: deployment?.id });
  expect(emulator.deployments()).toEqual([]);
  expect(recordStates(github)).toEqual([replaced, replaced, replaced]);
  expect(github.comments(7)).toHaveLength(1);
  expect(github.comments(7)[0]?.body).toContain("🗑️ deleted");
  for (const run of [...runs, closed]) {
    expect(run).toMatchObject({ exitCode: 0, conclusion: "success", stderr: "" });
    expect(run.log.annotations).toEqual([]);
  }
});

scenario(
  "two runs of one pull request at once leave one preview",
  {},
  async ({ emulator, github, options }) => {
    const runs = await Promise.all([1, 2].map((id) => runAction(options("opened", id))));
    const [deployment, ...others] = emulator.deployments();
    expect(others).toEqual([]);
    for (const run of runs) {
      expect(run.exitCode).toBe(0);
      expect(run.outputs).toMatchObject({ outcome: "deployed", deployment_id: deployment?.id });
    }
    expect(new Set(runs.map(({ outputs }) => outputs.revision_id)).size).toBe(2);
    expect(github.comments(7)).toHaveLength(1);
    expect(recordStates(github).map((states) => states.at(-1))).toEqual(["success", "inactive"]);
  },
);

scenario(
  "killed while it watches: the post step settles record and comment, and a second one has nothing to do",
  { failRefs: { "feature-7": "BUILDING" } },
  async ({ emulator, github, options }) => {
    const given = options("opened", 1);
    const started = await startAction(given);
    // From the second look on at the latest the record and the comment have been made.
    await started.waitForLog("BUILDING");
    started.sendSignal("SIGKILL");
    const killed = await started.result;
    expect(killed).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(killed.outputs).toMatchObject({ deployment_id: emulator.deployments()[0]?.id });
    expect(killed.outputs.revision_id).toBe(emulator.deployments()[0]?.latest_revision_id);
    expect(recordStates(github)).toEqual([["in_progress"]]);
    expect(github.comments(7)[0]?.body).toContain("⏳");
    expect(await post(killed, given)).toMatchObject({ exitCode: 0, conclusion: "success" });
    expect(recordStates(github)).toEqual([["in_progress", "error"]]);
    const [comment] = github.comments(7);
    expect(comment?.body).toContain("❌ the run was killed");
    const written = writesTo(github).length;
    expect(await post(killed, given)).toMatchObject({ exitCode: 0, conclusion: "success" });
    expect(writesTo(github)).toHaveLength(written);
    expect(github.comments(7)).toEqual([comment]);

    github.fail({ kind: "hang", match: { times: "always" } });
    const broken = { request_timeout_seconds: "0.2", control_plane_url: "nonsense", secrets: "{" };
    const stubborn = await post(killed, options("opened", 1, broken));
    expect(stubborn).toMatchObject({ exitCode: 0, conclusion: "success" });
  },
);

function writesTo(github: GitHubStandIn): string[] {
  return github.requests
    .filter(({ method, path }) => method !== "GET" && path !== "/graphql")
    .map(({ method, path }) => `${method} ${path}`);
}

scenario(
  "killed right after the create, before there was a record: the next run finds the deployment by its name",
  {},
  async ({ emulator, github, options }) => {
    const heal = github.fail({ kind: "hang", match: { method: "POST", path: "/deployments$" } });
    const started = await startAction(options("opened", 1));
    await started.waitForLog("Created deployment");
    started.sendSignal("SIGKILL");
    const killed = await started.result;
    const left = expect.stringMatching(/^A revision of deployment \S+ may have been started/);
    expect(killed.state).toEqual({ left_running: left });
    const afterwards = await post(killed, options("opened", 1));
    expect(afterwards.exitCode).toBe(0);
    expect(afterwards.log.annotations).toMatchObject([
      { level: "error", message: expect.stringContaining(`${killed.state.left_running}`) },
    ]);
    heal();
    expect(github.deployments()).toEqual([]);
    const next = await runAction(options("synchronize", 2));
    expect(next.outputs).toMatchObject({
      outcome: "deployed",
      created: "false",
      deployment_id: killed.outputs.deployment_id,
    });
    expect(emulator.deployments()).toHaveLength(1);
    expect(writes(emulator.requests).map(({ method }) => method)).toEqual(["POST", "PATCH"]);
  },
);

scenario(
  "cancelled while it watches: record and comment say so before the runner would kill it",
  { failRefs: { "feature-7": "BUILDING" } },
  async ({ github, options }) => {
    const started = await startAction(options("opened", 1));
    await started.waitForLog("BUILDING");
    await started.cancel();
    const run = await started.result;
    expect(run).toMatchObject({ exitCode: 1, signal: null });
    expect(run.outputs.outcome).toBe("cancelled");
    expect(recordStates(github)).toEqual([["in_progress", "error"]]);
    expect(github.comments(7)[0]?.body).toContain("❌ cancelled");
    expect(run.state).toEqual({
      record_id: "",
      record_end: "",
      comment_id: "",
      comment_end: "",
      left_running: "",
    });
  },
);

scenario(
  "cancelled while GitHub hangs: it ends by itself, and the post step tells it",
  { failRefs: { "feature-7": "BUILDING" } },
  async ({ github, options }) => {
    const given = options("opened", 1);
    const started = await startAction(given);
    await started.waitForLog("BUILDING");
    const heal = github.fail({ kind: "hang", match: { times: "always" } });
    await started.cancel();
    const run = await started.result;
    expect(run).toMatchObject({ exitCode: 1, signal: null });
    expect(run.outputs.outcome).toBe("cancelled");
    heal();
    expect(await post(run, given)).toMatchObject({ exitCode: 0 });
    expect(recordStates(github)).toEqual([["in_progress", "error"]]);
    expect(github.comments(7)[0]?.body).toContain("❌ cancelled");
  },
);

scenario(
  "with nothing but silence from GitHub the deployment goes through",
  {},
  async ({ github, options }) => {
    github.fail({ kind: "hang", match: { times: "always" } });
    const run = await runAction(options("opened", 1, { request_timeout_seconds: "0.3" }));
    expect(run).toMatchObject({ exitCode: 0, conclusion: "success" });
    expect(run.outputs.outcome).toBe("deployed");
    const { annotations } = run.log;
    expect(annotations.map(({ level }) => level)).toEqual(["warning", "warning"]);
    for (const permission of ["deployments: write", "pull-requests: write"])
      expect(annotations.filter(({ message }) => message.includes(permission))).toHaveLength(1);
  },
);
