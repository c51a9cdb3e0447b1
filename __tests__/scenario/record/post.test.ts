import { describe, expect, test } from "@jest/globals";
import {
  type PreviewScenario,
  postEnvironment,
  type RecordedRun,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";

const env = { GITHUB_RUN_ID: "55" };

/** A preview whose process stopped existing while it watched: nothing that it does later counts. */
async function killed(scenario: PreviewScenario): Promise<Inputs> {
  const { clock, emulator, github, open, startPreview, until } = scenario;
  open();
  const stop = emulator.misbehave({ kind: "hang", match: { path: "/revisions/", from: 2, times: "always" } });
  const started = startPreview("opened", { env });
  await until(() => emulator.requests.filter(({ path }) => path.includes("/revisions/")).length === 2);
  expect(github.comments(7)[0]?.body).toContain("⏳");
  expect(clock.elapsed()).toBeGreaterThan(0);
  stop();
  return postEnvironment({ state: started.context.recorded.state });
}

function post({ run }: PreviewScenario, state: Inputs, inputs: Inputs = {}): Promise<RecordedRun> {
  return run("preview", { phase: "post", env: { ...env, ...state }, inputs });
}

/** The annotation of a step that was killed while it watched. */
const toldKilled = expect.stringMatching(/^The step was killed .* goes on on the platform\./);

function newest({ github }: PreviewScenario): (string | undefined)[] {
  return github.deployments()[0]?.statuses.map(({ state }) => state) ?? [];
}

describe("after a kill", () => {
  test("the record and the comment are settled, once", async () => {
    const scenario = await startPreviewScenario();
    const { github } = scenario;
    const state = await killed(scenario);
    const first = await post(scenario, state);
    expect(first.succeeded).toBe(true);
    expect(first.warnings).toEqual([]);
    expect(first.errors).toEqual([toldKilled]);
    const revision = scenario.emulator.deployments()[0]?.latest_revision_id;
    expect(first.errors[0]).toContain(`Revision ${revision} of deployment `);
    expect(first.summary).toContain("## ❌ Deployment: the step was killed");
    expect(first.summary).toContain(`\`${revision}\``);
    expect(newest(scenario)).toEqual(["error", "in_progress"]);
    expect(github.statuses(github.deployments()[0]?.id ?? 0)[0]?.description).toContain("killed");
    const [comment] = github.comments(7);
    expect(comment?.body).toContain("❌ the run was killed");
    expect(comment?.body).not.toContain("⏳");
    expect(comment?.body).toMatch(/\| Revision \| `[^`]+` \|/);
    const second = await post(scenario, state);
    expect(second.succeeded).toBe(true);
    expect(newest(scenario)).toEqual(["error", "in_progress"]);
    expect(github.comments(7)).toEqual([comment]);
    expect(second.github.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("a comment that another run has taken over is left alone", async () => {
    const scenario = await startPreviewScenario();
    const { github } = scenario;
    const state = await killed(scenario);
    const [comment] = github.comments(7);
    if (comment === undefined) throw new Error("There is no comment.");
    github.allComments.change(comment, comment.body.replaceAll("55", "56"));
    await post(scenario, state);
    expect(github.comments(7)[0]?.body).toContain("⏳");
  });

  test("an answer that shows another comment is none", async () => {
    const scenario = await startPreviewScenario();
    const { github } = scenario;
    const state = await killed(scenario);
    const [comment] = github.comments(7);
    const other = { ...comment, id: 99_999, user: null };
    github.fail({ kind: "answer", match: { method: "GET", path: "/comments/" }, status: 200, body: other });
    await post(scenario, state);
    expect(github.comments(7)).toEqual([comment]);
  });

  test("a record that was made inactive meanwhile stays so, a comment that is gone stays gone", async () => {
    const scenario = await startPreviewScenario();
    const { github } = scenario;
    const state = await killed(scenario);
    github.records.addStatus(github.deployments()[0]?.id ?? 0, { state: "inactive" }, "github-actions[bot]");
    github.allComments.delete(github.comments(7)[0]?.id ?? 0);
    const run = await post(scenario, state);
    expect(run.succeeded).toBe(true);
    expect(newest(scenario)).toEqual(["inactive", "in_progress"]);
    expect(github.comments(7)).toEqual([]);
  });
});

describe("it ends green, and at once", () => {
  test.each<[string, Inputs]>([
    ["without a token", { github_token: "" }],
    [
      "with inputs that are wrong",
      { request_timeout_seconds: "soon", control_plane_url: "x", secrets: "{{{", api_key: "" },
    ],
    ["with a token that nobody knows", { github_token: "ghs_unknown" }],
  ])("%s", async (_title, inputs) => {
    const scenario = await startPreviewScenario();
    const state = await killed(scenario);
    const run = await post(scenario, state, inputs);
    expect(run.succeeded).toBe(true);
    expect(run.errors).toEqual([toldKilled]);
  });

  test.each<[string, Inputs]>([
    ["no event file", { GITHUB_EVENT_PATH: "/nowhere/event.json" }],
    ["no repository", { GITHUB_REPOSITORY: "" }],
    ["state that is none", { STATE_record_id: "abc", STATE_comment_id: "-" }],
    ["state of something else", { STATE_record_id: "1", STATE_comment_id: "2" }],
  ])("with %s", async (_title, more) => {
    const scenario = await startPreviewScenario();
    const state = await killed(scenario);
    const run = await post(scenario, { ...state, ...more });
    expect(run.succeeded).toBe(true);
    expect(run.errors).toEqual([toldKilled]);
  });

  test.each([403, 404, 500])("where GitHub answers with %d", async (status) => {
    const scenario = await startPreviewScenario();
    const state = await killed(scenario);
    scenario.github.fail({ kind: "answer", match: { times: "always" }, status, body: { message: "no" } });
    const run = await post(scenario, state);
    expect(run.succeeded).toBe(true);
    expect(run.warnings).toEqual([
      expect.stringContaining('"deployments: '),
      expect.stringContaining('"pull-requests: write"'),
    ]);
  });

  test("where GitHub hangs", async () => {
    const scenario = await startPreviewScenario();
    const state = await killed(scenario);
    scenario.github.fail({ kind: "hang", match: { times: "always" } });
    const run = await post(scenario, state, { request_timeout_seconds: "0.05" });
    expect(run.succeeded).toBe(true);
    expect(run.warnings).toHaveLength(2);
  });
});

describe("after a clean end it does nothing", () => {
  test.each<[string, Inputs]>([
    ["deployed", {}],
    ["failed", { repo_ref: "broken" }],
    ["timed_out", { timeout_seconds: "5" }],
    ["planned", { dry_run: "true" }],
  ])("%s", async (outcome, inputs) => {
    const scenario = await startPreviewScenario({ emulator: { failRefs: { broken: "BUILD_FAILED" } } });
    const { github, open, preview } = scenario;
    open();
    github.repository.commit("f".repeat(40), { "app/config.json": "{}" }, "heads/broken");
    const main = await preview("opened", { inputs, env });
    expect(main.outputs.outcome).toBe(outcome);
    const run = await post(scenario, postEnvironment(main), inputs);
    expect(run.succeeded).toBe(true);
    expect(run.github).toEqual([]);
    expect(run.log).toBe("");
    expect(run.summary).toBe("");
    expect(run.outputs).toEqual({});
  });

  test("deleted", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    scenario.open();
    await scenario.preview("opened");
    scenario.shut();
    const closed = await scenario.preview("closed");
    expect((await post(scenario, postEnvironment(closed))).github).toEqual([]);
  });
});

describe("killed while it said how it ended, it is said in its place:", () => {
  /** The end's write to GitHub is never answered, `applied` or not, and there the step is killed. */
  async function killedAtEnd(applied: boolean): Promise<{ scenario: PreviewScenario; state: Inputs }> {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    const { github, open, preview, startPreview, until } = scenario;
    open();
    await preview("opened");
    const statuses = { path: "/statuses$", method: "POST", from: 2 };
    const heal = github.fail({ kind: "hang", match: statuses, applied });
    const asked = () =>
      github.requests.filter(({ method, path }) => method === "POST" && /statuses$/.test(path));
    const before = asked().length;
    const started = startPreview("synchronize", { env });
    await until(() => asked().length === before + 2);
    heal();
    return { scenario, state: postEnvironment({ state: started.context.recorded.state }) };
  }

  test.each([false, true])("deployed, GitHub having taken that: %s", async (applied) => {
    const { scenario, state } = await killedAtEnd(applied);
    const { github } = scenario;
    const run = await post(scenario, state);
    expect(run.succeeded).toBe(true);
    expect(github.deployments().map(({ statuses }) => statuses.map(({ state: each }) => each))).toEqual([
      ["success", "in_progress"],
      ["inactive", "success", "in_progress"],
    ]);
    expect(github.comments(7)[0]?.body).toContain("✅ deployed");
    expect(run.errors).toEqual([]);
  });

  test("the record of one that was seen DEPLOYED doesn't say that it goes on", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    const { emulator, github, open, startPreview, until } = scenario;
    open();
    emulator.misbehave({ kind: "hang", match: { method: "GET", path: "^/v2/deployments/[^/]+$" } });
    const started = startPreview("opened", { env });
    await until(() =>
      emulator.requests.some(({ path, method }) => method === "GET" && /s\/[^/]+$/.test(path)),
    );
    await until(() => started.context.recorded.state.left_running?.includes("DEPLOYED") === true);
    await post(scenario, postEnvironment({ state: started.context.recorded.state }));
    const [status] = github.statuses(github.deployments()[0]?.id ?? 0);
    expect(status?.description).toMatch(
      /^The step was killed\. Revision \S+ of deployment \S+ is DEPLOYED\.$/,
    );
  });
});

describe("what the main step couldn't say, because GitHub failed at its end, is said then", () => {
  test.each<[string, string]>([
    ["deployed", "feature-7"],
    ["failed", "broken"],
  ])("%s", async (outcome, repo_ref) => {
    const scenario = await startPreviewScenario({ emulator: { failRefs: { broken: "BUILD_FAILED" } } });
    const { github, open, preview } = scenario;
    open();
    github.repository.commit("f".repeat(40), { "app/config.json": "{}" }, "heads/broken");
    const lastWrites = { path: "/statuses$|/comments/", from: 6, times: "always" } as const;
    const heal = github.fail({ kind: "answer", match: lastWrites, status: 502 });
    const main = await preview("opened", { env, inputs: { repo_ref } });
    expect(main.outputs.outcome).toBe(outcome);
    expect(newest(scenario)).toEqual(["in_progress"]);
    expect(github.comments(7)[0]?.body).toContain("⏳");
    heal();
    await post(scenario, postEnvironment(main));
    expect(newest(scenario)).toEqual([outcome === "deployed" ? "success" : "failure", "in_progress"]);
    expect(github.comments(7)).toHaveLength(1);
    expect(github.comments(7)[0]?.body).toContain(outcome === "deployed" ? "✅ deployed" : "❌ failed");
    const again = await post(scenario, postEnvironment(main));
    const isRead = (method: string, path: string) => method === "GET" || path === "/graphql";
    expect(again.github.filter(({ method, path }) => !isRead(method, path))).toEqual([]);
  });

  test("deployed: and then the earlier ones become inactive", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 0 } });
    const { github, open, preview } = scenario;
    const states = () => github.deployments().map(({ statuses }) => statuses[0]?.state);
    open();
    await preview("opened");
    const heal = github.fail({
      kind: "answer",
      match: { path: "/statuses$", method: "POST", from: 2, times: "always" },
      status: 502,
    });
    const main = await preview("synchronize", { env });
    expect(main.outputs.outcome).toBe("deployed");
    expect(states()).toEqual(["in_progress", "success"]);
    heal();
    await post(scenario, postEnvironment(main));
    expect(states()).toEqual(["success", "inactive"]);
  });
});
