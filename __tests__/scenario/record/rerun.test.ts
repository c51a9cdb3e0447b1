import { describe, expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import {
  type PreviewScenario,
  type RecordedRun,
  sha,
  startPreviewScenario,
} from "../../support/preview-scenario.ts";
import { writes } from "../../support/scenario.ts";

const sameRun = { GITHUB_RUN_ID: "77" };
const inputs = { name: "agent", environment: "staging", timeout_seconds: "60" };
/** Longer than the first attempt waits, shorter than both. */
const slow = { emulator: { statusSeconds: 15 } };

function attempt(
  { run }: PreviewScenario,
  more: Record<string, string> = {},
  env: Record<string, string> = sameRun,
) {
  return run("deploy", { inputs: { ...inputs, ...more }, env });
}

function states({ github }: PreviewScenario): (string | undefined)[][] {
  return github.deployments().map(({ statuses }) => statuses.map(({ state }) => state).toReversed());
}

function expectWatched(again: RecordedRun, first: RecordedRun): void {
  expect(again.outputs).toMatchObject({
    outcome: "deployed",
    deployment_id: first.outputs.deployment_id,
    revision_id: first.outputs.revision_id,
    created: "false",
  });
  expect(writes(again.requests)).toEqual([]);
  expect(again.log).toContain("An earlier attempt or step of this run started revision");
}

/** The lines that tell of an earlier attempt's revision. */
function toldOfEarlier({ infos }: RecordedRun): string[] {
  return infos.filter((line) => line.startsWith("An earlier attempt or step of this run"));
}

function expectToldAfterThePlan({ infos, ...run }: RecordedRun): void {
  const [told] = toldOfEarlier({ infos, ...run });
  const plan = infos.findIndex((line) => line.startsWith("Deploy main as agent"));
  expect(infos[plan + 1]).toBe(told);
}

describe("a re-run watches what its earlier attempt started", () => {
  test("after a timeout", async () => {
    const scenario = await startPreviewScenario(slow);
    const first = await attempt(scenario);
    expect(first.outputs.outcome).toBe("timed_out");
    const again = await attempt(scenario);
    expectWatched(again, first);
    expect(states(scenario)).toEqual([["in_progress", "error", "in_progress", "success"]]);
    expect(toldOfEarlier(again)).toEqual([
      `An earlier attempt or step of this run started revision ${first.outputs.revision_id}, which hasn't ended: watching that one.`,
    ]);
    expectToldAfterThePlan(again);
    expect(again.summary).toContain(
      `| Revision | \`${first.outputs.revision_id}\`, started by an earlier attempt or step of this run, so nothing was sent to start another |`,
    );
    expect(again.summary).not.toContain("updated by this run");
    expect(first.summary).not.toContain("earlier attempt");
  });

  test("after a cancel", async () => {
    const scenario = await startPreviewScenario(slow);
    const started = scenario.start("deploy", { inputs, env: sameRun });
    scenario.clock.at(50_000, () => started.context.cancel(new CancelledError("SIGINT")));
    const first = await started.ended;
    expect(first.outputs.outcome).toBe("cancelled");
    expectWatched(await attempt(scenario), first);
    expect(states(scenario)).toEqual([["in_progress", "error", "in_progress", "success"]]);
  });

  test("of a preview", async () => {
    const scenario = await startPreviewScenario(slow);
    const { github, open, preview } = scenario;
    open();
    const options = { inputs: { timeout_seconds: "60" }, env: sameRun };
    const first = await preview("opened", options);
    expect(first.outputs.outcome).toBe("timed_out");
    expect(github.comments(7)[0]?.body).toContain("❌ timed out");
    expectWatched(await preview("opened", options), first);
    expect(states(scenario)).toEqual([["in_progress", "error", "in_progress", "success"]]);
    expect(github.comments(7)).toHaveLength(1);
    expect(github.comments(7)[0]?.body).toContain("✅ deployed");
  });

  test("and is told of its time anew", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 40 } });
    await attempt(scenario);
    const again = await attempt(scenario);
    expect(again.outputs.outcome).toBe("timed_out");
    expect(again.took).toBeGreaterThanOrEqual(60);
    expect(again.outputs.duration_seconds).toBe("60");
  });

  test("with the same secrets, of which the record gives nothing away", async () => {
    const scenario = await startPreviewScenario(slow);
    const secrets = "MODEL_KEY=correct-horse-battery\nSHORT=abcd";
    const first = await attempt(scenario, { secrets });
    expectWatched(await attempt(scenario, { secrets }), first);
    const { payload } = scenario.github.deployments()[0] ?? {};
    expect(payload).toEqual({
      deployment_id: first.outputs.deployment_id,
      revision_id: first.outputs.revision_id,
      name: "agent",
      run_id: "77",
      request_digest: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test.each<[string, readonly unknown[]]>([
    ["older ones alone", [{ id: "older", status: "DEPLOYED", created_at: "2020-01-01T00:00:00Z" }]],
    ["none at all", []],
  ])("where the list doesn't show it yet, but %s", async (_what, resources) => {
    const scenario = await startPreviewScenario(slow);
    const first = await attempt(scenario);
    const match = { method: "GET", path: "/revisions$" };
    scenario.emulator.misbehave({ kind: "answer", match, status: 200, body: { resources } });
    expectWatched(await attempt(scenario), first);
  });

  test("also where it comes from an earlier step of one attempt", async () => {
    const scenario = await startPreviewScenario();
    const first = await attempt(scenario, { wait: "false" });
    expect(first.outputs.outcome).toBe("started");
    expectWatched(await attempt(scenario), first);
  });

  test("and is superseded where another run makes a newer record while it watches", async () => {
    const scenario = await startPreviewScenario(slow);
    const first = await attempt(scenario);
    const { context, ended } = scenario.start("deploy", { inputs, env: sameRun });
    await scenario.until(() => context.recorded.lines.some(({ text }) => text.includes("watching that one")));
    const other = await attempt(scenario, { wait: "false" }, { GITHUB_RUN_ID: "78" });
    expect(other.outputs.outcome).toBe("started");
    const { outputs } = await ended;
    expect(outputs).toMatchObject({ outcome: "deployed", revision_id: first.outputs.revision_id });
    expect(scenario.github.deployments().map(({ statuses }) => statuses[0]?.state)).toEqual([
      "queued",
      "inactive",
    ]);
  });
});

describe("a re-run makes a new revision", () => {
  async function twice(
    scenario: PreviewScenario,
    between: () => unknown,
    ...second: [Record<string, string>?, Record<string, string>?]
  ) {
    const first = await attempt(scenario);
    await between();
    const again = await attempt(scenario, ...second);
    expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
    expect(writes(again.requests)).toHaveLength(1);
    return { first, again };
  }

  test("where the first one's has ended meanwhile", async () => {
    const scenario = await startPreviewScenario(slow);
    await twice(scenario, () => scenario.pass(60));
  });

  test("where the first one's succeeded", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 1 } });
    const { again } = await twice(scenario, () => undefined);
    expect(again.outputs.outcome).toBe("deployed");
  });

  test("where it is another run", async () => {
    const scenario = await startPreviewScenario(slow);
    await twice(scenario, () => undefined, {}, { GITHUB_RUN_ID: "78" });
  });

  test("where the deployment is gone", async () => {
    const scenario = await startPreviewScenario(slow);
    const { again } = await twice(scenario, async () => {
      const [deployment] = scenario.emulator.deployments();
      await scenario.run("delete", { inputs: { deployment_id: deployment?.id ?? "" } });
    });
    expect(again.outputs.created).toBe("true");
  });

  test("where it deploys something else, as the legs of a matrix do", async () => {
    const scenario = await startPreviewScenario(slow);
    scenario.github.repository.commit(sha("f"), { "app/config.json": "{}" }, "heads/other");
    await twice(scenario, () => undefined, { repo_ref: "other" });
  });

  test("where another run made a newer one meanwhile, which is told", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 100 } });
    let other: RecordedRun | undefined;
    const { first, again } = await twice(scenario, async () => {
      other = await attempt(scenario, { wait: "false" }, { GITHUB_RUN_ID: "78" });
    });
    expect(toldOfEarlier(again)).toEqual([
      `An earlier attempt or step of this run started revision ${first.outputs.revision_id}, which hasn't ended, but ${other?.outputs.revision_id} came after it: making a new revision.`,
    ]);
    expectToldAfterThePlan(again);
    expect(again.summary).toContain("updated by this run");
  });

  const differs =
    /An earlier attempt or step of this run started revision .*, but this one's inputs differ: making a new/;

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ["a mended secret", { secrets: "MODEL_KEY=wrong-key-value" }, { secrets: "MODEL_KEY=right-key-value" }],
    ["one more secret", {}, { secrets: "MODEL_KEY=right-key-value" }],
    ["another address", {}, { custom_url: "https://new.example" }],
  ])("where it would send something else, which is told: %s", async (_what, before, now) => {
    const scenario = await startPreviewScenario(slow);
    const first = await attempt(scenario, before);
    expect(first.outputs.outcome).toBe("timed_out");
    const again = await attempt(scenario, now);
    expect(again.outputs).toMatchObject({ outcome: "timed_out", created: "false" });
    expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
    expect(toldOfEarlier(again)).toEqual([expect.stringMatching(differs)]);
    expectToldAfterThePlan(again);
    const [deployment] = scenario.emulator.deployments();
    if (now.secrets) expect(deployment?.secrets).toEqual([{ name: "MODEL_KEY" }]);
    else expect(deployment?.source_config.custom_url).toBe(now.custom_url);
  });

  test("where an attempt in between sent something else: that one would stay live", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 100 } });
    const first = await attempt(scenario);
    const second = await attempt(scenario, { secrets: "MODEL_KEY=other-key-value" });
    const third = await attempt(scenario);
    const revisions = [first, second, third].map(({ outputs }) => outputs.revision_id);
    expect(new Set(revisions).size).toBe(3);
    expect(third.log).toContain(`started revision ${second.outputs.revision_id}`);
  });

  test("which isn't told where the other one's has ended, nor where it can't be read", async () => {
    const scenario = await startPreviewScenario({ emulator: { statusSeconds: 1 } });
    await attempt(scenario);
    const ended = await attempt(scenario, { secrets: "MODEL_KEY=other-key-value" });
    scenario.emulator.misbehave({ kind: "answer", match: { path: "/revisions/" }, status: 500 });
    const unread = await attempt(scenario, { secrets: "MODEL_KEY=third-key-value" });
    for (const run of [ended, unread]) {
      expect(run.outputs.outcome).toBe("deployed");
      expect(run.log).not.toMatch(differs);
    }
  });

  test("where somebody else wrote the record", async () => {
    const scenario = await startPreviewScenario(slow);
    const { github } = scenario;
    const first = await attempt(scenario);
    const payload = JSON.stringify(github.deployments()[0]?.payload);
    github.records.add({ ref: "main", task: "deploy:agent", environment: "qa", payload }, "mallory");
    const again = await attempt(scenario, { environment: "qa" });
    expect(again.outputs.revision_id).not.toBe(first.outputs.revision_id);
  });

  test("where the record is of another environment or another name", async () => {
    const scenario = await startPreviewScenario(slow);
    await twice(scenario, () => undefined, { environment: "production" });
  });
});
