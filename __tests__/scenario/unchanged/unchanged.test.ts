import { describe, expect, test } from "@jest/globals";
import { call } from "../../../emulator/__tests__/support/client.ts";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  sha,
  writes,
} from "../../support/scenario.ts";
import { startAgent, startAgentWith } from "../after/support.ts";
import { commentOf7 } from "../record/support.ts";
import { useWorkspace } from "../upload/support.ts";
import {
  commitOfMain,
  deployIfChanged,
  expectNoRecord,
  expectUnchanged,
  recordsAfter,
  startIfChanged,
  startUnchangedScenario,
  updateByOther,
} from "./support.ts";

const workspace = useWorkspace();
const runUrl = "https://github.com/octo-org/octo-repo/actions/runs/77";
const firstRun = { env: { GITHUB_RUN_ID: "77" } };
const image: Inputs = {
  source: "external_docker",
  image_uri: `registry.example/agent@sha256:${"0".repeat(64)}`,
  integration_id: "",
  app_config_path: "",
};

describe("only_if_changed sends nothing", () => {
  test.each<[string, Inputs, Inputs]>([
    ["for the commit that is live, which serving_check: auto finds", {}, {}],
    ["for the same secrets in another order", { secrets: "A=one\nB=two" }, { secrets: "B=two\nA=one" }],
    ["with verify_commit, because the commit is live", {}, { verify_commit: "true" }],
    ["without waiting either", {}, { wait: "false" }],
  ])("%s", async (_when, before, after) => {
    const scenario = await startUnchangedScenario();
    const first = await deployIfChanged(scenario, before);

    expectUnchanged(await deployIfChanged(scenario, after), first);
  });

  test("for the same files of source_path, whatever the commit", async () => {
    const scenario = await startUnchangedScenario();
    const inputs = { source_path: "." };
    const first = await deployIfChanged(scenario, inputs, { env: workspace.env });

    const env = { ...workspace.env, GITHUB_SHA: sha("e") };
    const again = await deployIfChanged(scenario, inputs, { env });

    expectUnchanged(again, first);
    expect(again.outputs.source_digest).toBe(first.outputs.source_digest);
  });

  test("if the platform shows the image that it built", async () => {
    const scenario = await startUnchangedScenario();
    const first = await deployIfChanged(scenario);
    const [revision] = scenario.stored().revisions;
    const built = { image_uri: "registry.example/built:1" };
    const source_revision_config = { ...revision?.source_revision_config, ...built };
    const body = { ...revision, source_revision_config };
    scenario.emulator.addFault(answer("GET /revisions/[^/]+$", 200, { body, times: "always" }));

    expectUnchanged(await deployIfChanged(scenario), first);
  });

  test("for the same image by digest", async () => {
    const scenario = await startUnchangedScenario({ platform: "standard" });
    const first = await deployIfChanged(scenario, image);

    expectUnchanged(await deployIfChanged(scenario, image), first);
  });

  test("to a deployment given by its id", async () => {
    const scenario = await startUnchangedScenario();
    const { outputs } = await deployIfChanged(scenario);
    const inputs = { name: "", deployment_id: String(outputs.deployment_id) };
    const first = await deployIfChanged(scenario, inputs);

    expectUnchanged(await deployIfChanged(scenario, inputs), first);
  });

  test("and passes over records of another control plane and of other logins", async () => {
    const scenario = await startUnchangedScenario();
    const first = await deployIfChanged(scenario);
    const [newest] = scenario.github.deployments();
    const record = { ref: "main", task: "deploy:agent", environment: "staging" };
    const elsewhere = { ...Object(newest?.payload), control_plane_digest: "f".repeat(64) };
    scenario.github.records.add({ ...record, payload: elsewhere }, newest?.login ?? "");
    scenario.github.records.add({ ...record, payload: Object(newest?.payload) }, "mallory");

    expectUnchanged(await deployIfChanged(scenario), first);
  });

  test("but watches the revision that an earlier attempt of this run started", async () => {
    const scenario = await startUnchangedScenario({ statusSeconds: 15 });
    const slow = { timeout_seconds: "10" };
    const first = await deployIfChanged(scenario, slow, firstRun);

    const again = await deployIfChanged(scenario, { timeout_seconds: "600" }, firstRun);

    expect(first.outputs.outcome).toBe("timed_out");
    expect(again.outputs).toMatchObject({ outcome: "deployed", revision_id: first.outputs.revision_id });
    expectUnchanged(await deployIfChanged(scenario), again);
  });
});

test("a deployment that is being deleted is an error, not unchanged", async () => {
  const scenario = await startUnchangedScenario();
  const { outputs } = await deployIfChanged(scenario);
  const inputs = { name: "", deployment_id: String(outputs.deployment_id), serving_check: "off" };
  await deployIfChanged(scenario, inputs);
  scenario.emulator.addFault({ kind: "slow_delete", seconds: 600 });
  await call(scenario.emulator, `DELETE /v2/deployments/${outputs.deployment_id}`);

  const run = await deployIfChanged(scenario, inputs);

  expect(writes(run.requests)).toEqual([]);
  expectError(run, "is being deleted");
});

test("log and summary link to the run that deployed what is unchanged", async () => {
  const scenario = await startUnchangedScenario();
  const first = await deployIfChanged(scenario, {}, firstRun);

  const again = await deployIfChanged(scenario);

  const since = `is live at \\S+, unchanged since .* UTC \\(${runUrl}\\)`;
  expect(again.infos.at(-1)).toMatch(new RegExp(`^Revision ${first.outputs.revision_id} ${since}`));
  expect(again.summary).toMatch(/^## ✅ Deployment `agent`: unchanged\n/);
  expect(again.summary).toContain(`| Commit | [\`${commitOfMain.slice(0, 7)}\`](`);
  expect(again.summary).toMatch(/^Revision `[0-9a-f]{8}` is live at \[.*, unchanged since /m);
  expect(again.summary).not.toContain("First seen after");
});

test("only_if_changed costs a read of GitHub and of the platform each if the deploy has to be made", async () => {
  async function count(only_if_changed: string) {
    const scenario = await startUnchangedScenario();
    await deployIfChanged(scenario);
    const inputs = { only_if_changed, wait: "false" };
    const { github, requests, outputs } = await deployIfChanged(scenario, inputs, {
      env: { GITHUB_SHA: sha("e") },
    });
    expect(outputs.outcome).toBe("started");
    return { github: github.length, platform: requests.length };
  }

  const [without, with_] = [await count("false"), await count("true")];

  expect(with_).toEqual({ github: without.github + 1, platform: without.platform + 1 });
});

test("a dry run says that nothing would be sent, and checks nothing", async () => {
  const agent = await startAgentWith(200);
  const scenario = await startUnchangedScenario({ platform: "standard" });
  const inputs = { ...image, custom_url: agent.url };
  const first = await deployIfChanged(scenario, inputs, firstRun);
  const requests = agent.requests.length;

  const planned = await deployIfChanged(scenario, { ...inputs, dry_run: "true", health_check_path: "/ok" });

  expect(planned.outputs).toMatchObject({ outcome: "planned", revision_id: first.outputs.revision_id });
  expect(planned.infos.at(-1)).toMatch(/nothing would be sent.*unchanged since.*77/);
  expect(planned.summary).not.toContain("Request that would be sent");
  expect(agent.requests).toHaveLength(requests);
  expect(writes(planned.requests)).toEqual([]);
  expect(recordsAfter(scenario).count).toBe(1);
});

test("a dry run of something else says why, and shows the request", async () => {
  const scenario = await startUnchangedScenario();
  await deployIfChanged(scenario);

  const planned = await deployIfChanged(scenario, { dry_run: "true", secrets: "A=one" });

  expect(planned.outputs.outcome).toBe("planned");
  expect(planned.log).toContain("does not apply: the last deploy sent something different");
  expect(planned.summary).toContain("Request that would be sent");
});

describe("the checks are made on what is live", () => {
  function startImage(scenario: Scenario, custom_url: string, more: Inputs = {}) {
    return startIfChanged(scenario, { ...image, custom_url, serving_check: "off", ...more });
  }

  function deployImage(scenario: Scenario, url: string, more?: Inputs) {
    return startImage(scenario, url, more).ended;
  }

  test("health check and smoke tests pass on what is live, and are shown", async () => {
    const agent = await startAgentWith(200);
    const scenario = await startUnchangedScenario({ platform: "standard" });
    const first = await deployImage(scenario, agent.url);

    const again = await deployImage(scenario, agent.url, {
      health_check_path: "/ok",
      smoke_tests: "- { name: greets, request: GET /hello }",
    });

    expectUnchanged(again, first);
    expect(again.infos.at(-1)).toMatch(/unchanged since.*All 2 checks passed/);
    expect(JSON.parse(String(again.outputs.smoke_tests))).toMatchObject([{ name: "greets", passed: true }]);
  });

  test("a revision that is live but does not respond fails the serving check", async () => {
    const agent = await startAgent((_request, response) => {
      response.end(JSON.stringify({ host: { host_revision_id: "another" } }));
    });
    const scenario = await startUnchangedScenario({ platform: "standard" });
    await deployImage(scenario, agent.url);

    const again = await deployImage(scenario, agent.url, { serving_check: "auto" });

    expect(again.succeeded).toBe(false);
    expect(again.outputs.outcome).toBe("failed");
    expect(writes(again.requests)).toEqual([]);
  });

  test.each<[string, Inputs]>([
    ["health check", { health_check_path: "/ok", health_check_timeout_seconds: "1" }],
    ["smoke test", { smoke_tests: "- { name: greets, request: GET /hello }" }],
  ])(
    "a failed %s fails the step, without a rollback or a record, and the next run checks again",
    async (...row) => {
      const [, checks] = row;
      // The first request wakes it, the second one is the health check.
      const agent = await startAgentWith(200, 200, 503);
      const scenario = await startUnchangedScenario({ platform: "standard" });
      await deployImage(scenario, agent.url, { health_check_path: "/", only_if_changed: "false" });
      const inputs = { ...checks, rollback_on_failure: "true" };

      const again = await deployImage(scenario, agent.url, inputs);
      const third = await deployImage(scenario, agent.url, inputs);

      for (const run of [again, third]) {
        expect(run.outputs).toMatchObject({ outcome: "failed", created: "false" });
        expect(run.outputs).not.toHaveProperty("rolled_back_to");
        expectError(run, "unchanged since", "No changes were sent", "only_if_changed: false");
        expect(writes(run.requests)).toEqual([]);
        expectNoRecord(run);
      }
      expect(recordsAfter(scenario)).toEqual({ state: "success", count: 1 });
    },
  );

  test("a failed check says nothing of a revision that a newer one replaced meanwhile", async () => {
    const agent = await startAgentWith(503);
    const scenario = await startUnchangedScenario({ platform: "standard" });
    await deployImage(scenario, agent.url);
    const checks = { health_check_path: "/ok", health_check_timeout_seconds: "20" };
    const started = startImage(scenario, agent.url, checks);
    scenario.clock.at(5_000, () => void updateByOther(scenario));

    const run = await started.ended;

    expect(run.outputs.outcome).toBe("superseded");
    expectError(run, "is live", "The health check failed");
    expect(run.errors[0]).not.toContain("unchanged since");
  });

  test("a cancellation during a check leaves the record as it is", async () => {
    const agent = await startAgentWith(503);
    const scenario = await startUnchangedScenario({ platform: "standard" });
    await deployImage(scenario, agent.url);
    const started = startImage(scenario, agent.url, { health_check_path: "/ok" });
    const run = await cancelOnce(started, scenario.pass(5));

    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, "No changes were sent");
    expect(recordsAfter(scenario)).toEqual({ state: "success", count: 1 });
  });
});

describe("a comparison with only_if_changed", () => {
  const agentReads = (run: ScenarioRun) =>
    run.requests.filter(({ path }) => /\/(assistants|threads)\//.test(path));

  test("what is unchanged is not compared with itself", async () => {
    const scenario = await startUnchangedScenario();
    const first = await deployIfChanged(scenario);

    const again = await deployIfChanged(scenario, { compare_with: "previous" });

    expectUnchanged(again, first);
    expect(agentReads(again)).toEqual([]);
    expect(again.notices).toContain(
      "Nothing is compared with the previous revision, because the revision that is live stays the same.",
    );
    expect(again.log).not.toContain("no breaking change");
  });

  test("what is unchanged fails if it breaks the contract of another deployment", async () => {
    const scenario = await startUnchangedScenario();
    const { emulator } = scenario;
    const { outputs } = await deployIfChanged(scenario, { name: "other", environment: "other" });
    await deployIfChanged(scenario);
    emulator.addConcurrentRevision(String(outputs.deployment_id), "next");
    emulator.addFault({ kind: "graphs", repo_ref: "next", graphs: { agent: {}, missing: {} } });
    emulator.addFault({ kind: "graphs", repo_ref: "main", graphs: { agent: {} } });

    const again = await deployIfChanged(scenario, { compare_with: "other" });

    expect(again.outputs).toMatchObject({ outcome: "failed", created: "false" });
    expectError(again, 'The comparison with "other" failed: ', "Graph missing is missing.");
    expect(writes(again.requests).filter(({ path }) => path.startsWith("/v2/"))).toEqual([]);
  });
});

describe("a preview", () => {
  const inputs = { only_if_changed: "true" };

  test("a preview of the head that is live is unchanged, and one of a newer head is deployed", async () => {
    const commits = { "feature-7": sha("b") };
    const scenario = await startUnchangedScenario({ commits });
    scenario.open({ sha: sha("b") });
    const first = await scenario.preview("opened", { inputs });

    const again = await scenario.preview("reopened", { inputs });
    scenario.push(sha("e"));
    const pushed = await scenario.preview("synchronize", { inputs });

    expectUnchanged(again, first);
    expect(pushed.outputs.outcome).toBe("deployed");
    expect(pushed.log).toContain(`not from this run's ${sha("e")}`);
  });

  test("a preview of the same files is unchanged, and the comment links to the run that deployed it", async () => {
    const scenario = await startUnchangedScenario();
    scenario.open();
    const upload = { ...inputs, source_path: "." };
    const options = { inputs: upload, env: { ...workspace.env, GITHUB_RUN_ID: "77" } };
    const first = await scenario.preview("opened", options);
    scenario.push(sha("b"));

    const again = await scenario.preview("synchronize", { inputs: upload, env: workspace.env });

    expect(again.outputs).toMatchObject({ outcome: "unchanged", revision_id: first.outputs.revision_id });
    expect(writes(again.requests)).toEqual([]);
    expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: unchanged$/m);
    expect(commentOf7(scenario)).toMatch(new RegExp(`, unchanged since .*\\(<${runUrl}>\\)`));
    expect(recordsAfter(scenario)).toEqual({ state: "success", count: 1 });
  });

  test("a preview that is unchanged and closed meanwhile is deleted", async () => {
    const scenario = await startUnchangedScenario();
    scenario.open();
    const upload = { ...inputs, source_path: "." };
    await scenario.preview("opened", { inputs: upload, env: workspace.env });
    const started = scenario.startPreview("synchronize", { inputs: upload, env: workspace.env });
    scenario.shut();

    const { outputs } = await started.ended;

    expect(outputs.outcome).toBe("deleted");
    expect(scenario.emulator.deployments()).toEqual([]);
    expect(recordsAfter(scenario)).toEqual({ state: "inactive", count: 1 });
  });
});
