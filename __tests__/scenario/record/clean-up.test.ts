import { describe, expect, test } from "@jest/globals";
import { commentBody } from "../../../src/github/comment-writer.ts";
import { answer } from "../../support/faults.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { recordingContext } from "../../support/recording-context.ts";
import {
  type Inputs,
  postEnvironment,
  previewOf7,
  type Scenario,
  type ScenarioRun,
  startScenario,
  taskOf7,
} from "../../support/scenario.ts";
import { commentOf7, pushBranch, recordStates } from "./support.ts";

const env = { GITHUB_RUN_ID: "55" };
const left = "Revision r-1 of deployment d-1 is still running on the platform.";
const leftInMarkdown = `Unfinished work: \`${left}\``;

/** What a preview leaves behind that was killed while it waited. Bundle tests kill real processes. */
function killedStep({ github, open }: Scenario): Inputs {
  open();
  const payload = { deployment_id: "d-1", revision_id: "r-1", name: previewOf7, run_id: "55" };
  const record = github.records.add(
    { ref: "main", task: taskOf7, environment: "Preview", payload },
    actionsLogin,
  );
  github.records.addStatus(record.id, { state: "in_progress" }, actionsLogin);
  const variables = { ...github.env, ...env, GITHUB_SERVER_URL: "https://github.com" };
  const context = recordingContext(variables, undefined, "Preview");
  context.report.set({ shownName: previewOf7 });
  github.allComments.add(7, commentBody(previewOf7, context), actionsLogin);
  return {
    STATE_record: JSON.stringify({ environment: "Preview", task: taskOf7 }),
    STATE_comment: JSON.stringify({ name: previewOf7, pullRequest: 7 }),
    STATE_unfinished: JSON.stringify({ shownName: "agent", work: left }),
  };
}

function cleanUp({ run }: Scenario, state: Inputs, inputs: Inputs = {}): Promise<ScenarioRun> {
  return run("preview", { phase: "post", env: { ...env, ...state }, inputs });
}

function writesOf(run: ScenarioRun) {
  return run.github.filter(({ method, path }) => method !== "GET" && path !== "/graphql");
}

describe("after a killed step", () => {
  test("the post step reports it, and gives the record and the comment their end, once", async () => {
    const scenario = await startScenario();
    const state = killedStep(scenario);

    const first = await cleanUp(scenario, state);

    expect(first.succeeded).toBe(true);
    expect(first.warnings).toEqual([]);
    expect(first.errors).toEqual([expect.stringContaining(left)]);
    expect(first.summary).toContain(leftInMarkdown);
    expect(first.summary).toContain("Preview `agent`: failed (killed)\n");
    expect(first.annotations).toContainEqual({ title: "Preview agent: killed" });
    expect(recordStates(scenario)).toEqual([["in_progress", "error"]]);
    expect(scenario.github.deployments()[0]?.statuses[0]?.description).toMatch(
      /killed.* r-1 of deployment d-1/,
    );
    expect(commentOf7(scenario)).toMatch(/^### ❌ Preview .*: failed \(killed\)$/m);
    expect(commentOf7(scenario)).not.toContain("⏳");
    expect(commentOf7(scenario)).toContain(leftInMarkdown);

    const second = await cleanUp(scenario, state);

    expect(second.succeeded).toBe(true);
    expect(writesOf(second)).toEqual([]);
  });

  test("the post step reports it if the revision was live already", async () => {
    const scenario = await startScenario();

    const run = await cleanUp(scenario, { ...killedStep(scenario), STATE_unfinished: "" });

    expect(run.errors).toEqual([expect.stringContaining("The step was killed.")]);
    expect(run.summary).toContain("failed (killed)");
  });

  test("a comment of a newer run stays as it is", async () => {
    const scenario = await startScenario();
    const state = killedStep(scenario);
    const [comment] = scenario.github.comments(7);
    if (comment) scenario.github.allComments.change(comment, comment.body.replaceAll("55", "56"));

    await cleanUp(scenario, state);

    expect(commentOf7(scenario)).toContain("⏳");
  });

  test("a record that became inactive and a comment that was deleted stay so", async () => {
    const scenario = await startScenario();
    const { github } = scenario;
    const state = killedStep(scenario);
    github.records.addStatus(github.deployments()[0]?.id ?? 0, { state: "inactive" }, actionsLogin);
    github.allComments.delete(github.comments(7)[0]?.id ?? 0);

    const run = await cleanUp(scenario, state);

    expect(run.succeeded).toBe(true);
    expect(recordStates(scenario)).toEqual([["in_progress", "inactive"]]);
    expect(github.comments(7)).toEqual([]);
  });

  test.each<[string, Inputs, Inputs]>([
    ["without a token", {}, { github_token: "" }],
    ["with invalid inputs", {}, { request_timeout_seconds: "soon", control_plane_url: "x", api_key: "" }],
    ["with an unknown token", {}, { github_token: "ghs_unknown" }],
    ["without an event", { GITHUB_EVENT_PATH: "" }, {}],
    ["without a repository", { GITHUB_REPOSITORY: "" }, {}],
    ["with state that it did not save", { STATE_record: "abc", STATE_comment: "-" }, {}],
  ])("the post step reports it and succeeds %s", async (_what, more, inputs) => {
    const scenario = await startScenario();

    const run = await cleanUp(scenario, { ...killedStep(scenario), ...more }, inputs);

    expect(run.succeeded).toBe(true);
    expect(run.errors).toEqual([expect.stringContaining(left)]);
  });

  test.each([403, 404, 500])(
    "the post step succeeds with warnings if GitHub responds with %i",
    async (status) => {
      const scenario = await startScenario();
      const state = killedStep(scenario);
      scenario.github.fail(answer("any", status, { times: "always" }));

      const run = await cleanUp(scenario, state);

      expect(run.succeeded).toBe(true);
      expect(run.warnings).toEqual([
        expect.stringContaining('"deployments: write"'),
        expect.stringContaining('"pull-requests: write"'),
      ]);
    },
  );
});

test.each<[string, Inputs]>([
  ["deployed", {}],
  ["failed", { repo_ref: "broken" }],
  ["planned", { dry_run: "true" }],
  ["deleted", {}],
])("after the outcome %s the post step does nothing", async (outcome, inputs) => {
  const failRefs = { broken: "BUILD_FAILED" } as const;
  const scenario = await startScenario({ statusSeconds: 0, failRefs });
  scenario.open();
  pushBranch(scenario, "broken");
  if (outcome === "deleted") scenario.shut();
  const main = await scenario.preview(outcome === "deleted" ? "closed" : "opened", { inputs, env });
  expect(main.outputs.outcome).toBe(outcome);

  const run = await cleanUp(scenario, postEnvironment(main), inputs);

  expect(run.succeeded).toBe(true);
  expect(run).toMatchObject({ github: [], log: "", summary: "", outputs: {} });
});
