import { describe, expect, test } from "@jest/globals";
import { bury } from "../../support/buried-previews.ts";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import { type PreviewScenario, startPreviewScenario } from "../../support/preview-scenario.ts";
import { type Inputs, writes } from "../../support/scenario.ts";
import { names, newestState, previews, quick, type Swept, sweep } from "./support.ts";

test("previews of closed pull requests go, the others stay", async () => {
  const scenario = await previews([1, 2, 12], [1]);
  const { run, deleted, kept } = await sweep(scenario);
  expect(run.succeeded).toBe(true);
  expect(run.outputs.outcome).toBe("deleted");
  expect(deleted).toEqual(["octo-repo-pr-1"]);
  expect(kept).toEqual(["octo-repo-pr-12", "octo-repo-pr-2"]);
  expect(names(scenario)).toEqual(["octo-repo-pr-2", "octo-repo-pr-12"]);
  expect([1, 2, 12].map((number) => newestState(scenario, number))).toEqual([
    "inactive",
    "success",
    "success",
  ]);
  expect([...run.warnings, ...run.errors]).toEqual([]);
  expect(run.summary).toContain("| Preview | What became of it | Why |");
  expect(run.summary).toContain("| `octo-repo-pr-1` | deleted | pull request `#1` is closed |");
  expect(run.summary).toContain("| `octo-repo-pr-2` | kept | pull request `#2` is open |");
});

test("a merged one is a closed one", async () => {
  const scenario = await previews([1], []);
  scenario.github.pullRequests.change(1, { state: "closed", merged: true });
  expect((await sweep(scenario)).deleted).toEqual(["octo-repo-pr-1"]);
});

test("all records of a preview become inactive, however many there are", async () => {
  const scenario = await previews([1], []);
  await scenario.preview("synchronize", { number: 1 });
  const [, older] = scenario.github.deployments();
  scenario.github.records.addStatus(older?.id ?? 0, { state: "in_progress" }, actionsLogin);
  scenario.shut(1);
  await sweep(scenario);
  for (const { statuses } of scenario.github.deployments()) expect(statuses[0]?.state).toBe("inactive");
});

test("there is nothing to do twice: what is inactive isn't looked at again", async () => {
  const scenario = await previews([1, 2], [1]);
  await sweep(scenario);
  const { run, deleted, kept } = await sweep(scenario);
  expect({ deleted, kept }).toEqual({ deleted: [], kept: ["octo-repo-pr-2"] });
  expect(run.requests).toEqual([]);
  expect(run.github.filter(({ path }) => path.endsWith("/pulls/1"))).toEqual([]);
  expect(run.succeeded).toBe(true);
});

test("no preview at all is fine", async () => {
  const { run, deleted, kept } = await sweep(await previews([], []));
  expect(run.succeeded).toBe(true);
  expect({ deleted, kept }).toEqual({ deleted: [], kept: [] });
});

test("what is gone from the control plane already is marked inactive", async () => {
  const scenario = await previews([1], [1]);
  const [deployment] = scenario.emulator.deployments();
  await scenario.run("delete", { inputs: { deployment_id: String(deployment?.id) } });
  const { run, deleted } = await sweep(scenario);
  expect(deleted).toEqual(["octo-repo-pr-1"]);
  expect(run.notices).toEqual([expect.stringContaining("nothing left to delete")]);
  expect(newestState(scenario, 1)).toBe("inactive");
});

describe("max_age_days", () => {
  const day = 86_400;

  test("lets older ones go, though their pull request is open", async () => {
    const scenario = await previews([1], []);
    await scenario.pass(3 * day);
    scenario.open({ number: 2 });
    await scenario.preview("opened", { number: 2 });
    await scenario.pass(5 * day);
    const { deleted, kept } = await sweep(scenario, { max_age_days: "7" });
    expect({ deleted, kept }).toEqual({ deleted: ["octo-repo-pr-1"], kept: ["octo-repo-pr-2"] });
  });

  test("counts from the newest record", async () => {
    const scenario = await previews([1], []);
    await scenario.pass(8 * day);
    await scenario.preview("synchronize", { number: 1 });
    expect((await sweep(scenario, { max_age_days: "7" })).kept).toEqual(["octo-repo-pr-1"]);
  });

  test("without it none goes for its age", async () => {
    const scenario = await previews([1], []);
    await scenario.pass(1000 * day);
    expect((await sweep(scenario)).kept).toEqual(["octo-repo-pr-1"]);
  });

  test.each(["0", "-1", "soon", "1.5"])("of %s is refused", async (max_age_days) => {
    const scenario = await previews([], []);
    const run = await scenario.run("sweep", { inputs: { max_age_days } });
    expect(run.errors).toEqual([expect.stringContaining("Input max_age_days")]);
    expect(run.outputs).toMatchObject({ deleted: "[]", kept: "[]", outcome: "failed" });
    expect(run.github).toEqual([]);
  });
});

test("dry_run tells what would go, and changes nothing", async () => {
  const scenario = await previews([1, 2], [1]);
  const before = scenario.github.deployments();
  const { run, deleted, kept } = await sweep(scenario, { dry_run: "true" });
  expect(run.outputs.outcome).toBe("planned");
  expect(run.succeeded).toBe(true);
  expect({ deleted, kept }).toEqual({ deleted: ["octo-repo-pr-1"], kept: ["octo-repo-pr-2"] });
  expect(run.log).toContain("1 would be deleted, 1 kept; nothing was changed, because dry_run is true.");
  expect(run.summary).toContain("| `octo-repo-pr-1` | would be deleted | pull request `#1` is closed |");
  expect(writes(run.requests)).toEqual([]);
  expect(names(scenario)).toHaveLength(2);
  expect(scenario.github.deployments()).toEqual(before);
});

test("a dry run in which something fails still says that nothing was deleted", async () => {
  const scenario = await previews([1, 2], [1, 2]);
  const match = { path: "/pulls/2$", times: "always" } as const;
  scenario.github.fail({ kind: "answer", match, status: 404, body: { message: "Not Found" } });
  const { run } = await sweep(scenario, { dry_run: "true" });
  expect(run.outputs.outcome).toBe("failed");
  expect(run.summary).toContain("| `octo-repo-pr-1` | would be deleted |");
});

test("only the given environment is swept", async () => {
  const scenario = await startPreviewScenario(quick);
  scenario.open({ number: 1 });
  await scenario.preview("opened", { number: 1, inputs: { environment: "Staging previews" } });
  scenario.shut(1);
  expect((await sweep(scenario)).deleted).toEqual([]);
  expect((await sweep(scenario, { environment: "Staging previews" })).deleted).toEqual(["octo-repo-pr-1"]);
});

describe.each([
  ["among few", 0],
  ["among many", 60],
])("what isn't certainly a preview of this action's isn't touched, %s", (_title, dead) => {
  /** A deployment called production, and a record that leads to it. */
  async function trap(record: { login?: string; name?: string; task?: string; pull_request?: number }) {
    const scenario = await startPreviewScenario(quick);
    bury(scenario.github, dead);
    scenario.open();
    scenario.shut();
    const { outputs } = await scenario.run("deploy", { inputs: { name: "production" } });
    const {
      name = "octo-repo-pr-7",
      task = "preview:octo-repo-pr-7",
      login = actionsLogin,
      pull_request = 7,
    } = record;
    const payload = { deployment_id: outputs.deployment_id, revision_id: "r", name, pull_request };
    const { id } = scenario.github.records.add({ ref: "main", task, environment: "Preview", payload }, login);
    const swept = await sweep(scenario, { max_age_days: "1" });
    expect(names(scenario)).toEqual(["production"]);
    expect(scenario.github.statuses(id)).toEqual([]);
    expect(swept.deleted).toEqual([]);
    return swept;
  }

  test("a record of somebody else's", async () => {
    expect((await trap({ login: "mallory" })).kept).toEqual([]);
  });

  test("a payload with another name than its task's", async () => {
    expect((await trap({ name: "production" })).kept).toEqual([]);
  });

  test("a task that is no preview's", async () => {
    expect((await trap({ task: "deploy:production", name: "production" })).kept).toEqual([]);
    expect((await trap({ task: "deploy", name: "deploy" })).kept).toEqual([]);
  });

  test("a deployment that shows another name", async () => {
    const { run, kept } = await trap({});
    expect(kept).toEqual(["octo-repo-pr-7"]);
    expect(run.summary).toMatch(/\| `octo-repo-pr-7` \| kept \|.*goes by the name production now \|/);
    expect(run.warnings).toEqual([expect.stringContaining("goes by the name production now")]);
    expect(run.succeeded).toBe(true);
  });

  test("a foreign record doesn't hide the preview behind it", async () => {
    const scenario = await previews([7], [7]);
    bury(scenario.github, dead);
    const payload = { deployment_id: "x", revision_id: "r", name: "octo-repo-pr-7", pull_request: 99 };
    const task = "preview:octo-repo-pr-7";
    scenario.github.records.add({ ref: "main", task, environment: "Preview", payload }, "mallory");
    expect((await sweep(scenario)).deleted).toEqual(["octo-repo-pr-7"]);
  });
});

test("records are read over all pages", async () => {
  const scenario = await previews([1], [1]);
  const payload = { deployment_id: "x", revision_id: "r", name: "x" };
  for (let count = 0; count < 210; count += 1)
    scenario.github.records.add(
      { ref: "main", task: "preview:x", environment: "Preview", payload },
      "mallory",
    );
  expect((await sweep(scenario)).deleted).toEqual(["octo-repo-pr-1"]);
});

describe("one failing doesn't stop the others, and fails the step at the end", () => {
  async function expectOneFailed(scenario: PreviewScenario, words: string): Promise<Swept> {
    const swept = await sweep(scenario);
    expect(swept.run.succeeded).toBe(false);
    expect(swept.run.outputs.outcome).toBe("failed");
    expect(swept.deleted).toEqual(["octo-repo-pr-3", "octo-repo-pr-1"]);
    expect(names(scenario)).toEqual(["octo-repo-pr-2"]);
    expect(newestState(scenario, 2)).toBe("success");
    expect(swept.run.errors[0]).toContain(words);
    expect(swept.run.errors.at(-1)).toContain("could not be swept: octo-repo-pr-2");
    const row = swept.run.summary
      .split("\n")
      .find((line) => line.startsWith("| `octo-repo-pr-2` | ❌ failed |"));
    expect(row?.replaceAll("`", "")).toContain(words);
    expect(swept.run.errors.at(-1)).toContain("The next sweep tries again what could not be swept.");
    return swept;
  }

  test("where the control plane refuses", async () => {
    const scenario = await previews([1, 2, 3], [1, 2, 3]);
    const id = scenario.emulator.deployments()[1]?.id;
    const match = { method: "DELETE", path: `/${id}$`, times: "always" } as const;
    const heal = scenario.emulator.misbehave({
      kind: "answer",
      match,
      status: 400,
      body: { detail: "it is stuck" },
    });
    const { run } = await expectOneFailed(scenario, "it is stuck");
    // There is one thing to do, so the end says it.
    expect(run.errors.at(-1)).toContain("check the inputs that its words name");
    heal();
    expect((await sweep(scenario)).deleted).toEqual(["octo-repo-pr-2"]);
    expect(names(scenario)).toEqual([]);
  });

  test("where GitHub doesn't tell whether the pull request is open", async () => {
    const scenario = await previews([1, 2, 3], [1, 2, 3]);
    scenario.github.fail({ kind: "answer", match: { path: "/pulls/2$", times: "always" }, status: 502 });
    await expectOneFailed(scenario, "pull-requests: read");
  });
});

test("a record that can't be marked is a warning: the next sweep marks it", async () => {
  const scenario = await previews([1], [1]);
  const match = { method: "POST", path: "/statuses$", times: "always" } as const;
  const heal = scenario.github.fail({ kind: "answer", match, status: 403 });
  const { run, deleted } = await sweep(scenario);
  expect(run.succeeded).toBe(true);
  expect(deleted).toEqual(["octo-repo-pr-1"]);
  expect(run.warnings).toEqual([expect.stringContaining('"deployments: write"')]);
  heal();
  expect((await sweep(scenario)).run.succeeded).toBe(true);
  expect(newestState(scenario, 1)).toBe("inactive");
});

test.each<[string, Inputs]>([
  ["GitHub can't be read", {}],
  ["there is no token", { github_token: "" }],
])("%s: the step fails, for without records there is no sweep", async (_title, inputs) => {
  const scenario = await previews([1], [1]);
  scenario.github.permissions = { ...scenario.github.permissions, deployments: "none" };
  const { run } = await sweep(scenario, inputs);
  expect(run.succeeded).toBe(false);
  expect(run.errors).toHaveLength(1);
  expect(run.errors[0]).toMatch(/"deployments: write"|github_token/);
  expect(names(scenario)).toHaveLength(1);
});
