import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  expectError,
  type Inputs,
  immediate,
  type Scenario,
  type ScenarioRun,
  startEmulatorOn,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { commentOf7, newestStates, pushBranch, recordStates } from "./support.ts";

const inputs: Inputs = {
  name: "agent",
  environment: "staging",
  timeout_seconds: "60",
  poll_interval_seconds: "30",
};
const sameRun = { GITHUB_RUN_ID: "77" };
const otherRun = { GITHUB_RUN_ID: "78" };
const nullRecord = { data: { nodes: [null] } };

/** A platform on which a revision takes longer than one attempt waits, and less than two. */
function startSlowScenario(): Promise<Scenario> {
  return startScenario({ statusSeconds: 15 });
}

function attempt({ run }: Scenario, more: Inputs = {}, env: Inputs = sameRun): Promise<ScenarioRun> {
  return run("deploy", { inputs: { ...inputs, ...more }, env });
}

/** What the log says of an earlier attempt's revision. */
function linesOfEarlier({ infos }: ScenarioRun): string[] {
  return infos.filter((line) => line.startsWith("An earlier attempt or step of this run"));
}

function expectResumed(again: ScenarioRun, first: ScenarioRun): void {
  expect(again.outputs).toMatchObject({
    outcome: "deployed",
    deployment_id: first.outputs.deployment_id,
    revision_id: first.outputs.revision_id,
    created: first.outputs.created,
  });
  expect(writes(again.requests)).toEqual([]);
}

test("a re-run after a timeout watches the earlier attempt's revision, whose ref may be gone, and says so", async () => {
  const scenario = await startSlowScenario();
  const { outputs: before } = await attempt(scenario, { timeout_seconds: "600" }, otherRun);

  const first = await attempt(scenario);
  const again = await attempt(scenario);

  expect(first.outputs).toMatchObject({ outcome: "timed_out", previous_revision_id: before.revision_id });
  expect(again.outputs.previous_revision_id).toBe(before.revision_id);
  expectResumed(again, first);
  expect(again.log).toMatch(new RegExp(`earlier attempt .*${first.outputs.revision_id}`));
  expect(again.github.filter(({ path }) => path.includes("/contents/"))).toEqual([]);
  expect(recordStates(scenario)[0]).toEqual(["in_progress", "error", "in_progress", "success"]);
});

test("a re-run that watches a created revision holds it to the default configuration path", async () => {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds: 15 });
  const first = await attempt(scenario);
  const source_revision_config = { langgraph_config_path: "app/langgraph.json" };
  const body = { id: first.outputs.revision_id, status: "DEPLOYED", source_revision_config };
  scenario.emulator.addFault(answer("GET /revisions/", 200, { body, times: "always" }));

  const again = await attempt(scenario);

  expect(first.outputs).toMatchObject({ outcome: "timed_out", created: "true" });
  expect(linesOfEarlier(again)).toHaveLength(1);
  expectError(again, "is not this run's", "different source");
});

test("a re-run that watches does not compare its revision with itself, and says so", async () => {
  const scenario = await startSlowScenario();
  await attempt(scenario, { timeout_seconds: "600" }, otherRun);
  const compared = { compare_with: "previous" };
  const first = await attempt(scenario, compared);

  const again = await attempt(scenario, compared);

  expectResumed(again, first);
  expect(again.notices).toContainEqual(
    "Nothing is compared with the previous revision, because an earlier attempt or step of this run started the revision.",
  );
  expect(again.outputs).not.toHaveProperty("contract_changes");
  expect(again.requests.filter(({ path }) => path.includes("/assistants/"))).toEqual([]);
});

test("a re-run after a cancellation watches the revision of its earlier attempt", async () => {
  const scenario = await startSlowScenario();
  const first = await cancelOnce(scenario.start("deploy", { inputs, env: sameRun }), scenario.pass(50));

  expectResumed(await attempt(scenario), first);
  expect(recordStates(scenario)).toEqual([["in_progress", "error", "in_progress", "success"]]);
});

test("a re-run watches the revision of an earlier attempt that could not read it any more", async () => {
  const scenario = await startSlowScenario();
  scenario.emulator.addFault(answer("GET /revisions/[^/]+$", 403, { from: 2 }));
  const first = await attempt(scenario);

  expect(first.outputs.outcome).toBe("failed");
  expectResumed(await attempt(scenario), first);
});

test("a re-run deploys if its earlier attempt could not tell which revision was its own", async () => {
  const scenario = await startSlowScenario();
  await attempt(scenario, { timeout_seconds: "600" }, otherRun);
  scenario.emulator.addFault({ kind: "concurrent_revision", when: "before" });
  const first = await attempt(scenario, { wait: "false" });

  const again = await attempt(scenario, { timeout_seconds: "600" });

  expect(first.outputs.outcome).toBe("failed");
  expectError(first, "Can't tell which revision is this run's");
  expect(writes(again.requests)).toHaveLength(1);
});

test.each([
  ["its server fails", answer("/graphql$", 500, { from: 2, times: "always" })],
  ["its record is null", answer("/graphql$", 200, { from: 2, times: "always", body: nullRecord })],
])("a re-run deploys if GitHub does not show whether its earlier attempt failed: %s", async (_why, fault) => {
  const scenario = await startSlowScenario();
  await attempt(scenario, { timeout_seconds: "600" }, otherRun);
  const first = await attempt(scenario);
  scenario.github.fail(fault);

  const again = await attempt(scenario);

  expect(first.outputs.outcome).toBe("timed_out");
  expect(writes(again.requests)).toHaveLength(1);
});

test.each([
  ["begins", 0],
  ["watches", 70],
])(
  "a re-run fails if a second revision, which may be its own, is listed when it %s",
  async (_when, seconds) => {
    const scenario = await startSlowScenario();
    const { clock, emulator, pass, requested, stored } = scenario;
    await attempt(scenario, { timeout_seconds: "600" }, otherRun);
    const started = scenario.start("deploy", { inputs, env: sameRun });
    const first = await cancelOnce(
      started,
      requested("PATCH").then(() => pass(5)),
    );
    const { id, latest_revision_id: ours } = stored();
    clock.at(clock.elapsed() + seconds * 1000, () => {
      const [own, ...older] = stored().revisions;
      const theirs = { id: "theirs", status: "QUEUED", created_at: own?.created_at };
      const body = { resources: [own, theirs, ...older] };
      emulator.addFault(answer(`GET ^/v2/deployments/${id}/revisions$`, 200, { body, times: "always" }));
    });
    await pass(1);

    const again = await attempt(scenario, { timeout_seconds: "600", poll_interval_seconds: "3" });

    expect(first.outputs).toMatchObject({ outcome: "cancelled", revision_id: ours });
    expect(writes(again.requests)).toEqual([]);
    expect(again.outputs.outcome).toBe("failed");
    expectError(again, "Can't tell which revision is this run's", ours, "theirs");
  },
);

test("a re-run of a preview watches the revision of its earlier attempt, with one record and one comment", async () => {
  const scenario = await startSlowScenario();
  scenario.open();
  const options = { inputs: { timeout_seconds: "60" }, env: sameRun };

  const first = await scenario.preview("opened", options);
  expect(commentOf7(scenario)).toMatch(/^### ❌ Preview .*: timed out/m);

  expectResumed(await scenario.preview("opened", options), first);
  expect(recordStates(scenario)).toEqual([["in_progress", "error", "in_progress", "success"]]);
  expect(scenario.github.comments(7)).toHaveLength(1);
  expect(commentOf7(scenario)).toMatch(/^### ✅ Preview .*: deployed/m);
});

test("a re-run watches the revision of its earlier attempt for another whole timeout", async () => {
  const scenario = await startScenario({ statusSeconds: 40 });
  await attempt(scenario);

  const again = await attempt(scenario);

  expect(again.outputs).toMatchObject({ outcome: "timed_out", duration_seconds: "60" });
});

test("a re-run with the same secrets watches, and the record reveals nothing of them", async () => {
  const scenario = await startSlowScenario();
  const secrets = "MODEL_KEY=correct-horse-battery\nSHORT=abcd";

  const first = await attempt(scenario, { secrets });

  expectResumed(await attempt(scenario, { secrets }), first);
  expect(scenario.github.deployments()[0]?.payload).toEqual({
    control_plane_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    created: true,
    is_certain: true,
    deployment_id: first.outputs.deployment_id,
    revision_id: first.outputs.revision_id,
    name: "agent",
    run_id: "77",
    request_digest: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test("a step watches the revision that an earlier step of the same attempt started", async () => {
  const scenario = await startScenario({ statusSeconds: 5 });
  const first = await attempt(scenario, { wait: "false" });
  expect(first.outputs.outcome).toBe("started");

  expectResumed(await attempt(scenario), first);
});

async function expectNewRevision(
  scenario: Scenario,
  between: (scenario: Scenario) => unknown,
  more: Inputs = {},
  env: Inputs = sameRun,
) {
  const first = await attempt(scenario);
  await between(scenario);
  const again = await attempt(scenario, more, env);
  expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
  expect(writes(again.requests)).toHaveLength(1);
  return { first, again };
}

const nothing = () => undefined;

function addForgedRecord({ github }: Scenario): void {
  const payload = JSON.stringify(github.deployments()[0]?.payload);
  github.records.add({ ref: "main", task: "deploy:agent", environment: "qa", payload }, "mallory");
}

test.each<[string, (scenario: Scenario) => unknown, Inputs, Inputs]>([
  ["if that of the earlier attempt has ended meanwhile", ({ pass }) => pass(60), {}, sameRun],
  ["if the record is of another run", nothing, {}, otherRun],
  ["if the record is of another environment", nothing, { environment: "production" }, sameRun],
  ["if somebody else wrote the record", addForgedRecord, { environment: "qa" }, sameRun],
  ["if it sends another URL", nothing, { custom_url: "https://new.example" }, sameRun],
  [
    "of another ref, as the legs of a matrix do",
    (scenario) => pushBranch(scenario, "other"),
    { repo_ref: "other" },
    sameRun,
  ],
])("a re-run makes a new revision %s", async (_why, between, more, env) => {
  await expectNewRevision(await startSlowScenario(), between, more, env);
});

test("a re-run makes a new revision if that of the earlier attempt succeeded", async () => {
  const { again } = await expectNewRevision(await startScenario(immediate), nothing);

  expect(again.outputs.outcome).toBe("deployed");
});

test("a re-run makes a new revision if the deployment was deleted", async () => {
  const { again } = await expectNewRevision(await startSlowScenario(), ({ run, stored }) =>
    run("delete", { inputs: { deployment_id: stored().id } }),
  );

  expect(again.outputs.created).toBe("true");
});

test("a re-run makes a new revision if the name is another deployment's by then", async () => {
  const scenario = await startSlowScenario();
  const { id } = await scenario.existing("other");

  const { again } = await expectNewRevision(scenario, ({ emulator }) => {
    const body = { id, name: "agent" };
    const list = { body: { resources: [body] }, times: "always" } as const;
    emulator.addFault(answer("GET ^/v2/deployments$", 200, list));
    emulator.addFault(answer(`GET ^/v2/deployments/${id}$`, 200, { body, times: "always" }));
  });

  expect(again.outputs.deployment_id).toBe(id);
});

test("a re-run on another control plane asks for nothing of the first one, and leaves its record", async () => {
  const scenario = await startSlowScenario();
  const first = await attempt(scenario);
  const another = await startEmulatorOn(scenario.clock, { statusSeconds: 0 });
  const refused = { path: String(first.outputs.deployment_id), times: "always" } as const;
  another.addFault(answer(refused, 403, { body: { detail: "Forbidden" } }));

  const again = await attempt(scenario, { control_plane_url: another.url });

  expect(again.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(linesOfEarlier(again)).toEqual([]);
  expect(newestStates(scenario)).toEqual(["success", "error"]);
});

test("a re-run makes a new revision if another run made a newer one meanwhile, and says so", async () => {
  const scenario = await startScenario({ statusSeconds: 100 });
  let newer = "";

  const { first, again } = await expectNewRevision(scenario, async () => {
    const { outputs } = await attempt(scenario, { wait: "false" }, otherRun);
    newer = String(outputs.revision_id);
  });

  expect(linesOfEarlier(again)).toEqual([
    expect.stringMatching(new RegExp(`${first.outputs.revision_id}.*${newer}`)),
  ]);
});

test("a re-run makes a new revision if an attempt in between corrected a secret, which would stay", async () => {
  const scenario = await startScenario({ statusSeconds: 100 });

  const first = await attempt(scenario, { secrets: "MODEL_KEY=wrong-key-value" });
  const second = await attempt(scenario, { secrets: "MODEL_KEY=right-key-value" });
  const third = await attempt(scenario, { secrets: "MODEL_KEY=wrong-key-value" });

  const revisions = [first, second, third].map(({ outputs }) => outputs.revision_id);
  expect(new Set(revisions).size).toBe(3);
});

test("a re-run that can't resume its earlier attempt reports nothing of that deployment", async () => {
  const scenario = await startSlowScenario();
  const first = await attempt(scenario);
  const resources = [{ id: first.outputs.revision_id, status: "DEPLOYED" }];
  scenario.emulator.addFault(answer("GET /revisions$", 200, { body: { resources } }));
  scenario.emulator.addFault(
    answer("GET ^/v2/deployments$", 200, { body: { resources: [] }, times: "always" }),
  );
  scenario.emulator.addFault(answer("POST ^/v2/deployments$", 400, { body: { detail: "No" } }));

  const again = await attempt(scenario);

  expectError(again, "POST /v2/deployments failed with 400");
  expect(again.outputs).not.toHaveProperty("deployment_id");
  expect(again.log).not.toContain("Found deployment");
});
