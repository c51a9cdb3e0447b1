import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { rawText } from "../../../src/text/message.ts";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writes,
} from "../../support/scenario.ts";

const redeployment = { path: "/redeploy$" };
const rollsBack: Inputs = { rollback_on_failure: "true", repo_ref: "bad" };
const checked: Inputs = { ...rollsBack, health_check_path: "/ok", health_check_timeout_seconds: "5" };

/** Revisions of `bad` fail to deploy, and replace the live one. */
const failsLate: EmulatorOptions = {
  failRefs: { bad: "DEPLOY_FAILED" },
  faults: [{ kind: "failed_takes_over" }],
};
/** Revisions of `bad` are deployed, but not healthy. */
const isSick: EmulatorOptions = { unhealthyRefs: ["bad"] };
const hidesLive: FaultRule = { kind: "hide", fields: ["active_revision_id"] };

interface LiveScenario extends Scenario {
  /** The live revision. */
  readonly earlier: string;
}

/** A deployment whose live revision is of the ref `good`. */
async function startLive(options: EmulatorOptions = {}): Promise<LiveScenario> {
  const scenario = await startScenario({ platform: "langsmith", ...options });
  const source_revision_config = { ...defaultCreate.source_revision_config, repo_ref: "good" };
  const { revisionId } = await scenario.existing("agent", { source_revision_config });
  return { ...scenario, earlier: revisionId };
}

/** Such as `POST revisions`, `POST redeploy`. */
function writeLines({ requests }: ScenarioRun): string[] {
  return writes(requests).map(({ method, path }) =>
    [method, ...(/(?<=\/)(?:revisions|redeploy)$/.exec(path) ?? [])].join(" "),
  );
}

const rolledBack = ["POST revisions", "POST redeploy"];

describe("the revision that was live before is deployed again", () => {
  test("after a deploy that failed and replaced it", async () => {
    const { deploy, earlier, stored } = await startLive(failsLate);

    const run = await deploy(rollsBack);

    const [again, own] = stored().revisions;
    expect(writeLines(run)).toEqual(rolledBack);
    const request = run.requests.find(({ path }) => path.endsWith("/redeploy"));
    expect(request?.path).toContain(`/revisions/${earlier}/redeploy`);
    expect(request?.headers).toMatchObject({ "content-length": "0" });
    expect(request?.headers).not.toHaveProperty("content-type");
    expect(run.outputs).toMatchObject({
      outcome: "failed",
      status: "DEPLOY_FAILED",
      revision_id: own?.id,
      rolled_back_to: earlier,
    });
    expect(stored().active_revision_id).toBe(again?.id);
    expectError(
      run,
      `${own?.id} failed`,
      "DEPLOY_FAILED",
      "Rolled back",
      earlier,
      `is live again as revision ${again?.id}.`,
    );
    expect(run.summary).toContain(`| Rolled back to | \`${earlier}\` |`);
    expect(run.infos).toContainEqual(expect.stringMatching(/^\[\d+ s\] Rollback: DEPLOYED$/));
  });

  test("after a revision that is not healthy", async () => {
    const { deploy, earlier, stored } = await startLive(isSick);

    const run = await deploy({ ...checked, secrets: "MODEL_API_KEY=wrong" });

    expectError(run, "does not restore secrets: those of this run stay");
    expect(writeLines(run)).toEqual(rolledBack);
    const [again, own] = stored().revisions.map(({ id }) => id);
    expect(run.outputs).toMatchObject({
      outcome: "failed",
      status: "DEPLOYED",
      revision_id: own,
      rolled_back_to: earlier,
      live_revision_id: again,
    });
    expect(stored().active_revision_id).toBe(again);
    expectError(run, "health check", "Rolled back");
    expect(run.summary).toContain(`| URL | [\`${run.outputs.deployment_url}`);
    expect(run.summary).toContain(`| Previous revision | \`${earlier}\` |`);
    expect(run.summary).toContain(`| Live revision | \`${again}\` |`);
  });

  test("after a run that removed a secret, which the first remedy names", async () => {
    const { deploy } = await startLive(isSick);
    await deploy({ repo_ref: "good", secrets: "MODEL_API_KEY=one\nOTHER=two" });

    const run = await deploy({ ...checked, secrets: "OTHER=two" });

    expect(run.outputs.rolled_back_to).toMatch(/./);
    expectError(run, "Rolled back", "This run removed MODEL_API_KEY from the deployment");
    expect(run.summary).toContain("> **What to do next:** This run removed `MODEL_API_KEY`");
    expect(run.summary).not.toContain("those of this run stay in place");
  });

  test("is not advised after a run that removed a secret", async () => {
    const { deploy } = await startLive(isSick);
    await deploy({ repo_ref: "good", secrets: "MODEL_API_KEY=one\nOTHER=two" });

    const run = await deploy({ ...checked, secrets: "OTHER=two", rollback_on_failure: "false" });

    expectError(run, "This revision stays live. This run removed MODEL_API_KEY from the deployment.");
    expect(run.errors.join()).not.toContain("To roll back");
  });

  test("after an interrupted revision, if none is live", async () => {
    const { deploy, earlier, emulator, stored } = await startLive({ failRefs: { bad: "INTERRUPTED" } });
    const body = { ...stored(), active_revision_id: null };
    emulator.addFault(answer("GET ^/v2/deployments/[^/]+$", 200, { body, from: 3 }));

    const run = await deploy(rollsBack);

    expect(run.outputs).toMatchObject({ outcome: "interrupted", rolled_back_to: earlier });
  });

  test("after a revision that is not healthy, even if the platform does not show which one is live", async () => {
    const { deploy, earlier, emulator } = await startLive(isSick);
    emulator.addFault(hidesLive);

    const run = await deploy(checked);

    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
    expectError(run, "does not report which revision is live");
  });

  test("on every platform that can do that", async () => {
    const { deploy, earlier } = await startLive(failsLate);

    const run = await deploy({ ...rollsBack, platform: "standard" });

    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
  });
});

describe("nothing is rolled back", () => {
  async function expectNoRollback(
    { deploy }: Scenario,
    inputs: Inputs,
    ...facts: string[]
  ): Promise<ScenarioRun> {
    const run = await deploy(inputs);

    expect(writeLines(run)).toHaveLength(1);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, ...facts);
    return run;
  }

  test("without rollback_on_failure, and only the live revision is read after the log", async () => {
    const run = await expectNoRollback(await startLive(failsLate), { repo_ref: "bad" });

    const [log, live] = run.requests.slice(-2).map(({ path }) => path);
    expect(log).toMatch(/\/logs$/);
    expect(live).toBe(`/v2/deployments/${run.outputs.deployment_id}`);
    // The failed revision took over.
    expect(run.outputs.live_revision_id).toBe(run.outputs.revision_id);
  });

  test("after a failed build, because the earlier revision is still live", async () => {
    const live = await startLive({ failRefs: { bad: "BUILD_FAILED" } });

    const { outputs } = await expectNoRollback(live, rollsBack, live.earlier, "still live");

    expect(outputs.live_revision_id).toBe(live.earlier);
    expect(live.stored().active_revision_id).toBe(live.earlier);
  });

  test("after a failed build, while another run's revision became live", async () => {
    const live = await startLive({ failRefs: { bad: "BUILD_FAILED" }, statusSeconds: 5 });
    const { clock, emulator, stored } = live;
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
    clock.at(1000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));

    const run = await live.deploy({ repo_ref: "bad" });

    const { active_revision_id: theirs } = stored();
    expect(theirs).not.toBe(live.earlier);
    expectError(run, "BUILD_FAILED", `Revision ${theirs} is live.`);
  });

  test.each([
    ["timed_out", { failRefs: { bad: "BUILDING" } }, {}],
    ["superseded", { failRefs: { bad: "SKIPPED" } }, {}],
    ["failed", { commits: { main: "f".repeat(40) } }, { repo_ref: "main", verify_commit: "true" }],
  ])("after outcome %s for a reason that is not the revision's", async (outcome, options, inputs) => {
    const run = await expectNoRollback(await startLive(options), {
      ...rollsBack,
      ...inputs,
      timeout_seconds: "20",
    });

    expect(run.outputs.outcome).toBe(outcome);
    expect(run.errors[0]).not.toContain("olled back");
  });
});

describe("after a first deploy that failed, the error says what is live:", () => {
  test("none, if it was never live", async () => {
    const { deploy } = await startScenario({ failRefs: { bad: "BUILD_FAILED" } });

    const run = await deploy(rollsBack);

    expect(writeLines(run)).toEqual(["POST"]);
    expectError(run, "nothing to roll back to", "No revision is live");
  });

  test.each([
    ["its revision, if a check failed", [], /^(?!.*sually)/],
    ["usually its revision, on a platform that does not show which one is live", [hidesLive], /usually/i],
  ] as const)("%s", async (_what, faults, certainty) => {
    const { deploy } = await startScenario({ ...isSick, faults });

    const run = await deploy(checked);

    expectError(run, "nothing to roll back to");
    const [sentence] = /[^.]*still live[^.]*\./.exec(run.errors[0] ?? "") ?? [];
    expect(sentence).toContain(run.outputs.revision_id);
    expect(sentence).toMatch(certainty);
  });
});

describe("a redeployment is sent once:", () => {
  test.each([
    ["500", { kind: "answer", applied: true, status: 500 }, 1],
    ["no revision", { kind: "answer", applied: true, status: 200 }, 0],
  ] as const)("after %s, its revision is searched and found", async (_what, fault, warnings) => {
    const { deploy, earlier, emulator, stored } = await startLive(failsLate);
    emulator.addFault({ ...fault, match: redeployment });

    const run = await deploy(rollsBack);

    expect(writeLines(run)).toEqual(rolledBack);
    expect(run.outputs.rolled_back_to).toBe(earlier);
    expect(run.warnings).toHaveLength(warnings);
    expectError(run, `as revision ${stored().revisions[0]?.id}`);
  });

  test.each([
    ["a lost connection", { kind: "reset" }, ["Could not confirm", "connection"]],
    ["403", { kind: "answer", status: 403 }, ["rollback failed", "403", "workspace_id"]],
  ] as const)(
    "after %s without an effect, the error says which revision is live",
    async (_what, fault, facts) => {
      const { deploy, emulator } = await startLive(failsLate);
      emulator.addFault({ ...fault, match: redeployment });

      const run = await deploy(rollsBack);

      expect(writeLines(run)).toEqual(rolledBack);
      expect(run.outputs).not.toHaveProperty("rolled_back_to");
      expectError(run, ...facts, `${run.outputs.revision_id} is live`);
    },
  );
});

describe("a rollback fails, and the error says which revision is live,", () => {
  test("if its revision fails", async () => {
    const { deploy, emulator, stored } = await startLive(failsLate);
    emulator.addFault({ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] });

    const run = await deploy({ ...rollsBack, secrets: "TOKEN=of-the-agent" });

    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    const { active_revision_id, revisions } = stored();
    expectError(
      run,
      `${revisions[0]?.id} failed`,
      `${active_revision_id} is live`,
      "A rollback does not restore secrets",
      "To make another revision live, use the rollback action.",
    );
    expect(run.summary).toMatch(/^## ❌ Deployment `agent`: failed, rollback failed\n/);
    expect(run.summary).toContain("| Rollback: `DEPLOY_FAILED` |");
    expect(run.summary).toMatch(/\| Took \| .* s, with the rollback \|/);
  });

  test("if it takes longer than another timeout_seconds", async () => {
    const { deploy, emulator } = await startLive(failsLate);
    emulator.addFault({ kind: "statuses", redeployed: true, sequence: [{ status: "BUILDING" }] });

    const run = await deploy({ ...rollsBack, timeout_seconds: "20" });

    expectError(run, "20 s", "BUILDING");
    expect(run.took).toBeGreaterThanOrEqual(6 + 20);
    expect(run.took).toBeLessThan(6 + 20 + 3);
  });

  test("unless the deployment can't be read", async () => {
    const { deploy, emulator } = await startLive(failsLate);
    emulator.addFault(
      answer("GET ^/v2/deployments/[^/]+$", 401, { body: { detail: "Who?" }, from: 3, times: "always" }),
    );

    const run = await deploy(rollsBack);

    expect(writeLines(run)).toEqual(["POST revisions"]);
    expectError(run, "rollback failed", "GET", "401");
  });
});

describe("a cancellation during a rollback ends the run, and reports the rollback", () => {
  test("while its revision is pending, which is not interrupted", async () => {
    const { clock, earlier, startDeploy, stored } = await startLive(failsLate);

    const running = startDeploy({ ...rollsBack, on_cancel: "interrupt" });
    clock.at(clock.elapsed() + 8_000, running.cancel);
    const run = await running.ended;

    const { id, latest_revision_id } = stored();
    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, `deployment ${id} to revision ${earlier} is still running`, latest_revision_id);
    expect(writeLines(run)).toEqual(rolledBack);
  });

  test("while its request is in flight", async () => {
    const { earlier, emulator, requested, startDeploy, stored } = await startLive(failsLate);
    emulator.addFault({ kind: "hang", match: redeployment });

    const running = startDeploy(rollsBack);
    await requested("POST", /\/redeploy$/);
    running.cancel();
    const run = await running.ended;

    expectError(run, `deployment ${stored().id} to revision ${earlier} may still be running`);
  });
});

test("a rollback appears in heartbeats, and in what the post step reports of a killed step", async () => {
  const { clock, earlier, startDeploy } = await startLive({ ...failsLate, statusSeconds: 9 });
  const { context, ended } = startDeploy(rollsBack);
  const kept: (string | undefined)[] = [];
  const stop = clock.every(1000, () => kept.push(context.recorded.state.unfinished_work));

  const run = await ended;
  stop();

  expect(run.infos).toContainEqual(
    expect.stringMatching(new RegExp(`^\\[\\d+ min.*\\] .*rolling back to revision ${earlier}: [A-Z_]+$`)),
  );
  const texts = kept.map((state) => state && rawText(JSON.parse(state)));
  expect(texts).toContainEqual(
    expect.stringMatching(
      new RegExp(`^The rollback .*to revision ${earlier} is still running.*own revision`),
    ),
  );
  expect(kept.at(-1)).toContain(`| Previous revision | \`${earlier}\` |`);
  expect(context.recorded.state.unfinished_work).toBe("");
});
