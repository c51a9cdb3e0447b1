import { describe, expect, test } from "@jest/globals";
import type { RuleInput } from "../../../emulator/misbehave/rules.ts";
import { CancelledError } from "../../../src/errors.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { sha, startPreviewScenario } from "../../support/preview-scenario.ts";
import type { Inputs } from "../../support/scenario.ts";

const quick = { emulator: { statusSeconds: 0 } };
const inputs: Inputs = { name: "agent", environment: "staging" };

test("a deployment with an environment is recorded, with all that GitHub should know", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const { outputs } = await run("deploy", { inputs });
  expect(github.deployments()).toMatchObject([
    {
      ref: github.env.GITHUB_SHA,
      task: "deploy:agent",
      environment: "staging",
      transient: false,
      production: false,
      payload: {
        deployment_id: outputs.deployment_id,
        revision_id: outputs.revision_id,
        name: "agent",
        run_id: "1001",
      },
    },
  ]);
  const created = github.requests.find(
    ({ method, path }) => method === "POST" && path.endsWith("/deployments"),
  );
  expect(created?.body).toMatchObject({ auto_merge: false, required_contexts: [] });
  const log = "https://github.com/octo-org/octo-repo/actions/runs/1001";
  expect(github.statuses(github.deployments()[0]?.id ?? 0)).toMatchObject([
    { state: "success", logUrl: log, environmentUrl: outputs.deployment_url },
    { state: "in_progress", logUrl: log, environmentUrl: "" },
  ]);
  const statuses = github.requests.filter(
    ({ method, path }) => method === "POST" && path.endsWith("/statuses"),
  );
  expect(statuses).toHaveLength(2);
  for (const { body } of statuses)
    expect(body).toMatchObject({ auto_inactive: false, description: expect.stringMatching(/^.{1,140}$/s) });
});

test("without an environment nothing is recorded, and GitHub isn't asked for records", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const { outputs, state } = await run("deploy", { inputs: { name: "agent" } });
  expect(outputs.outcome).toBe("deployed");
  expect(github.deployments()).toEqual([]);
  expect(github.requests.filter(({ path }) => /deployments|graphql/.test(path))).toEqual([]);
  expect(state).toEqual({ left_running: "" });
});

test("without a token the record that was asked for is a warning, once", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const recorded = await run("deploy", { inputs: { ...inputs, github_token: " " } });
  expect(recorded.outputs.outcome).toBe("deployed");
  expect(recorded.warnings).toEqual([
    expect.stringMatching(/^github_token is empty: .*isn't recorded in the environment "staging"/),
  ]);
  expect(github.requests).toEqual([]);
  const unrecorded = await run("deploy", { inputs: { name: "agent", github_token: "" } });
  expect(unrecorded.warnings).toEqual([]);
});

test.each<[string, Inputs, boolean]>([
  ["production", {}, true],
  ["prod-eu", {}, true],
  ["Production", {}, true],
  ["preprod", {}, false],
  ["staging", {}, false],
  ["staging", { production_environment: "true" }, true],
  ["production", { production_environment: "false" }, false],
])("environment %s with %j is production: %s", async (environment, more, production) => {
  const { github, run } = await startPreviewScenario(quick);
  await run("deploy", { inputs: { name: "agent", environment, ...more } });
  expect(github.deployments()).toMatchObject([{ environment, production }]);
});

test("of a deployment given by its id the task has the id", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const { outputs } = await run("deploy", { inputs: { name: "agent" } });
  const deployment_id = String(outputs.deployment_id);
  await run("deploy", { inputs: { deployment_id, environment: "staging" } });
  expect(github.deployments()).toMatchObject([
    { task: `deploy:${deployment_id}`, payload: { deployment_id, name: "agent" } },
  ]);
});

test.each(["pull_request", "pull_request_target"])(
  "on %s it is of the head, which is deployed, and not of the merge that GitHub tests, or the base",
  async (name) => {
    const { emulator, github, open, run } = await startPreviewScenario(quick);
    open({ sha: sha("e") });
    const { event, env } = github.pullRequestRun(7, "synchronize");
    await run("deploy", { inputs, event: { ...event, name }, env: { ...env, GITHUB_HEAD_REF: "feature-7" } });
    expect(github.deployments()).toMatchObject([{ ref: sha("e"), sha: sha("e") }]);
    expect(emulator.deployments()).toMatchObject([{ source_revision_config: { repo_ref: "feature-7" } }]);
  },
);

test("the earlier ones of the same task become inactive, and no others", async () => {
  const { github, run } = await startPreviewScenario(quick);
  await run("deploy", { inputs: { ...inputs, name: "other" } });
  await run("deploy", { inputs: { ...inputs, environment: "production" } });
  for (const _time of [1, 2, 3]) await run("deploy", { inputs });
  const states = github
    .deployments()
    .map(({ task, environment, statuses }) => `${task} ${environment} ${statuses[0]?.state}`);
  expect(states).toEqual([
    "deploy:agent staging success",
    "deploy:agent staging inactive",
    "deploy:agent staging inactive",
    "deploy:agent production success",
    "deploy:other staging success",
  ]);
});

describe("what was live before stays a success", () => {
  const broken = {
    emulator: { statusSeconds: 10, failRefs: { broken: "BUILD_FAILED", skipped: "SKIPPED" } },
  };

  async function afterOneThatIsLive() {
    const scenario = await startPreviewScenario(broken);
    const { github, run } = scenario;
    for (const [letter, branch] of [
      ["b", "broken"],
      ["c", "skipped"],
    ] as const) {
      github.repository.commit(sha(letter), { "app/config.json": "{}" }, `heads/${branch}`);
    }
    expect((await run("deploy", { inputs })).outputs.outcome).toBe("deployed");
    const states = () => github.deployments().map(({ statuses }) => statuses[0]?.state);
    const next = async (more: Inputs = {}) =>
      (await run("deploy", { inputs: { ...inputs, ...more } })).outputs.outcome;
    return { scenario, states, next };
  }

  test.each<[string, string, Inputs]>([
    ["failed", "failure", { repo_ref: "broken" }],
    ["superseded", "inactive", { repo_ref: "skipped" }],
    ["timed_out", "error", { timeout_seconds: "5" }],
  ])("after a run that ended as %s, until one is live", async (outcome, state, more) => {
    const { states, next } = await afterOneThatIsLive();
    expect(await next(more)).toBe(outcome);
    expect(states()).toEqual([state, "success"]);
    expect(await next()).toBe("deployed");
    expect(states()).toEqual(["success", "inactive", "inactive"]);
  });

  test("after a run that was cancelled", async () => {
    const { scenario, states } = await afterOneThatIsLive();
    const { context, ended } = scenario.start("deploy", { inputs });
    scenario.clock.at(scenario.clock.elapsed() + 15_000, () => context.cancel(new CancelledError("SIGINT")));
    expect((await ended).outputs.outcome).toBe("cancelled");
    expect(states()).toEqual(["error", "success"]);
  });

  test("while the next one is under way, and not once that was started and nobody looks again", async () => {
    const { scenario, states, next } = await afterOneThatIsLive();
    const { ended } = scenario.start("deploy", { inputs });
    await scenario.until(() => states()[0] === "in_progress");
    expect(states()).toEqual(["in_progress", "success"]);
    await ended;
    expect(await next({ wait: "false" })).toBe("started");
    expect(states()).toEqual(["queued", "inactive", "inactive"]);
  });

  test("however many ended badly in between: it is the first to be made inactive", async () => {
    const { states, next } = await afterOneThatIsLive();
    for (const _time of [1, 2, 3, 4]) await next({ repo_ref: "broken" });
    expect(states()).toEqual([...Array<string>(4).fill("failure"), "success"]);
    await next();
    expect(states()).toEqual(["success", "inactive", "inactive", "failure", "failure", "inactive"]);
  });

  test("and one that a failing GitHub left active before it becomes inactive with it", async () => {
    const { scenario, states, next } = await afterOneThatIsLive();
    const { github } = scenario;
    await next();
    const [, left] = github.deployments();
    github.records.addStatus(left?.id ?? 0, { state: "success", auto_inactive: false }, actionsLogin);
    expect(states()).toEqual(["success", "success"]);
    await next();
    expect(states()).toEqual(["success", "inactive", "inactive"]);
  });

  test("where it couldn't be looked at after the write: it is at the end", async () => {
    const { scenario, states, next } = await afterOneThatIsLive();
    scenario.github.fail({ kind: "answer", match: { method: "GET", path: "/statuses$" }, status: 502 });
    await next();
    expect(states()).toEqual(["success", "inactive"]);
  });

  test("where a newer run, made at the same time, comes to nothing", async () => {
    const { scenario, states } = await afterOneThatIsLive();
    const { run, start, until } = scenario;
    const older = start("deploy", { inputs });
    await until(() => states()[0] === "in_progress");
    const newer = run("deploy", { inputs: { ...inputs, repo_ref: "broken" } });
    expect((await older.ended).outputs.outcome).toBe("deployed");
    expect((await newer).outputs.outcome).toBe("failed");
    expect(states()).toEqual(["failure", "success", "inactive"]);
  });
});

test("one that was left active behind an inactive one is reached when its preview is deleted", async () => {
  const { github, open, preview, shut } = await startPreviewScenario(quick);
  open();
  await preview("opened");
  await preview("synchronize");
  const [, older] = github.deployments();
  github.records.addStatus(older?.id ?? 0, { state: "success" }, "github-actions[bot]");
  const [newest] = github.deployments();
  github.records.addStatus(newest?.id ?? 0, { state: "inactive" }, "github-actions[bot]");
  shut();
  await preview("closed");
  for (const { statuses } of github.deployments()) expect(statuses[0]?.state).toBe("inactive");
});

test.each<[string, { rules?: RuleInput[]; inputs?: Inputs }, string[]]>([
  ["deployed", {}, ["in_progress", "success"]],
  ["started", { inputs: { wait: "false" } }, ["in_progress", "queued"]],
  [
    "failed",
    {
      rules: [
        { kind: "statuses", sequence: [{ status: "BUILDING", seconds: 5 }, { status: "BUILD_FAILED" }] },
      ],
    },
    ["in_progress", "failure"],
  ],
  [
    "superseded",
    { rules: [{ kind: "statuses", sequence: [{ status: "SKIPPED" }] }] },
    ["in_progress", "inactive"],
  ],
  [
    "interrupted",
    { rules: [{ kind: "statuses", sequence: [{ status: "INTERRUPTED" }] }] },
    ["in_progress", "failure"],
  ],
  [
    "timed_out",
    { rules: [{ kind: "statuses", sequence: [{ status: "BUILDING" }] }] },
    ["in_progress", "error"],
  ],
  [
    "failed",
    {
      rules: [
        {
          kind: "answer",
          match: { path: "/revisions/", times: "always" },
          status: 401,
          body: { detail: "no" },
        },
      ],
    },
    ["in_progress", "failure"],
  ],
])("outcome %s of %j is recorded", async (outcome, given, states) => {
  const { emulator, github, run } = await startPreviewScenario(quick);
  for (const rule of given.rules ?? []) emulator.misbehave(rule);
  const { outputs, state } = await run("deploy", {
    inputs: { ...inputs, timeout_seconds: "60", ...given.inputs },
  });
  expect(outputs.outcome).toBe(outcome);
  expect(
    github
      .statuses(github.deployments()[0]?.id ?? 0)
      .map((one) => one.state)
      .toReversed(),
  ).toEqual(states);
  expect(state).toEqual({ record_id: "", record_end: "", left_running: "" });
});

test("what fails before there is a revision isn't recorded", async () => {
  const { emulator, github, run } = await startPreviewScenario(quick);
  emulator.misbehave({ kind: "answer", match: { method: "POST" }, status: 422, body: { detail: "no" } });
  expect((await run("deploy", { inputs })).outputs.outcome).toBe("failed");
  expect(github.deployments()).toEqual([]);
});

describe("the address", () => {
  test.each<[string, string]>([
    ["https://agent.example/x", "https://agent.example/x"],
    ["http://agent.example/", ""],
    ["javascript:alert(1)", ""],
  ])("%s is shown as %j", async (custom_url, shown) => {
    const { github, run } = await startPreviewScenario(quick);
    await run("deploy", { inputs: { ...inputs, custom_url } });
    const [record] = github.deployments();
    expect(record?.statuses[0]).toMatchObject({ state: "success", environmentUrl: shown });
  });
});

test("a status that the platform made up fits into a description", async () => {
  const { emulator, github, run } = await startPreviewScenario(quick);
  const status = `X${"😀".repeat(200)}_FAILED`;
  emulator.misbehave({ kind: "statuses", sequence: [{ status }] });
  await run("deploy", { inputs });
  const [last] = github.statuses(github.deployments()[0]?.id ?? 0);
  expect(last?.state).toBe("failure");
  expect(last?.description.length).toBeLessThanOrEqual(140);
  expect(last?.description.isWellFormed()).toBe(true);
});

test("a 202 is told, and not asked for again", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const match = { method: "POST", path: "/deployments$", times: "always" } as const;
  github.fail({ kind: "answer", match, status: 202, body: { message: "Auto-merged main into feature." } });
  const { outputs, warnings } = await run("deploy", { inputs });
  expect(outputs.outcome).toBe("deployed");
  expect(warnings).toEqual([expect.stringContaining("without making one")]);
  expect(
    github.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/deployments")),
  ).toHaveLength(1);
});

test("neither a branch that is behind nor a failing check keeps the record from being made", async () => {
  const { github, run } = await startPreviewScenario(quick);
  github.obstacles = { behindDefaultBranch: "conflicts", failingContexts: ["ci"] };
  const { warnings } = await run("deploy", { inputs });
  expect(warnings).toEqual([]);
  expect(github.deployments()).toHaveLength(1);
});

test("a 409 all the same is a warning", async () => {
  const { github, run } = await startPreviewScenario(quick);
  const match = { method: "POST", path: "/deployments$", times: "always" } as const;
  github.fail({ kind: "answer", match, status: 409, body: { message: "Conflict" } });
  const { outputs, warnings } = await run("deploy", { inputs });
  expect(outputs.outcome).toBe("deployed");
  expect(warnings).toEqual([expect.stringMatching(/409.*"deployments: write"/)]);
});

test("dry_run records nothing", async () => {
  const { github, run } = await startPreviewScenario(quick);
  expect((await run("deploy", { inputs: { ...inputs, dry_run: "true" } })).outputs.outcome).toBe("planned");
  expect(github.deployments()).toEqual([]);
});
