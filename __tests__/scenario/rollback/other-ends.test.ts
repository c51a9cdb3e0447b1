// How rollbacks end otherwise: what the heading says, and what to do next.
import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, type ScenarioRun } from "../../support/scenario.ts";
import { type RollbackScenario, startWithRevisions } from "./support.ts";

const healthCheck: Inputs = { health_check_path: "/ok", health_check_timeout_seconds: "5" };
const rollsBack: Inputs = { ...healthCheck, repo_ref: "bad", rollback_on_failure: "true" };
const interrupted: FaultRule = { kind: "statuses", redeployed: true, sequence: [{ status: "INTERRUPTED" }] };

const failedHeading = "## ❌ Deployment `agent`: failed (health check failed), rollback failed";
const rollBackAgain = "To roll back again, use the rollback action with `revision_id`.";

/** The heading of the summary, and its advice. */
function shownIn({ summary }: ScenarioRun): { heading: string | undefined; next: string | undefined } {
  const next = /^> \*\*What to do next:\*\* (.*)$/m.exec(summary)?.[1];
  return { heading: summary.split("\n")[0], next };
}

/** Somebody deploys a revision that is live at once. Returns its id. */
function deployForeign({ emulator, deploymentId }: RollbackScenario): string {
  emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
  return emulator.addConcurrentRevision(deploymentId, "theirs").id;
}

/** The revision of a rollback does not pass its health check, and a newer one is live by then. */
async function overtake(scenario: RollbackScenario): Promise<string> {
  const { emulator, requested } = scenario;
  emulator.addFault(answer("GET /ok$", 503, { times: "always" }));
  await requested("POST", /\/redeploy$/);
  const asked = () => emulator.requests.filter(({ path }) => path.endsWith("/ok")).length;
  const before = asked();
  await scenario.until(() => asked() > before + 1);
  return deployForeign(scenario);
}

describe("the rollback action", () => {
  test("is superseded if its checks failed and a newer revision is live by then", async () => {
    const scenario = await startWithRevisions(["one", "two"]);
    const started = scenario.startRollback(healthCheck);
    const newer = await overtake(scenario);

    const run = await started.ended;

    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({ outcome: "superseded" });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, `the newer revision ${newer} is live`, "The health check failed");
    expect(run.errors[0]).not.toContain("stays live");
    expect(shownIn(run)).toEqual({
      heading: "## ⏭️ Rollback of `agent`: superseded",
      next: expect.stringMatching(/^If the newer revision is the one you want, there is nothing to do\./),
    });
  });

  const unnamed = answer("POST /redeploy$", 200, { body: {}, applied: true });
  test.each<[string, readonly FaultRule[], Inputs]>([
    ["is live", [answer("GET ^/v2/deployments/[^/]+$", 500, { from: 2, times: "always" })], {}],
    ["is live (403)", [answer("GET /revisions/[^/]+$", 403)], {}],
    ["was started", [answer("GET /revisions/[^/]+$", 500, { times: "always" })], { wait: "false" }],
    ["is this run's (500)", [unnamed, answer("GET /revisions$", 500, { from: 2, times: "always" })], {}],
    ["is this run's (403)", [unnamed, answer("GET /revisions$", 403, { from: 2 })], {}],
  ])(
    "is not advised to run again, which would roll back further, if it can't read what %s",
    async (...row) => {
      const [_what, faults, inputs] = row;
      const { rollBack } = await startWithRevisions(["one", "two"], { faults });

      const run = await rollBack({ timeout_seconds: "60", ...inputs });

      expect(run.errors).toEqual([expect.stringMatching(/^Could not (confirm|read) .* failed with [45]0/)]);
      expect(shownIn(run).next).toBe(`Check the deployment on the platform. ${rollBackAgain}`);
    },
  );

  test("is interrupted with the advice to roll back again", async () => {
    const { rollBack } = await startWithRevisions(["one", "two"], { faults: [interrupted] });

    const run = await rollBack();

    expect(run.outputs.outcome).toBe("interrupted");
    expect(shownIn(run)).toEqual({
      heading: "## 🛑 Rollback of `agent`: interrupted",
      next: rollBackAgain,
    });
  });

  test("names the revision if another one appeared at the same time", async () => {
    const scenario = await startWithRevisions(["one", "two"]);
    const started = scenario.startRollback();
    await scenario.requested("POST", /\/redeploy$/);
    scenario.emulator.addConcurrentRevision(scenario.deploymentId, "theirs");

    const run = await started.ended;

    expectError(run, "Can't tell which revision is this run's", "use the rollback action with revision_id");
  });
});

describe("rollback_on_failure", () => {
  const startSick = (faults: readonly FaultRule[]) =>
    startWithRevisions(["good"], { unhealthyRefs: ["bad"], faults });

  test("fails if what came back fails its checks and a newer revision is live by then", async () => {
    const scenario = await startSick([]);
    const started = scenario.startDeploy({ platform: "langsmith", ...rollsBack });
    const newer = await overtake(scenario);

    const run = await started.ended;

    expect(run.outputs).toMatchObject({ outcome: "failed" });
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, `the newer revision ${newer} is live`);
    expectError(run, "If the newer revision is the one you want, there is nothing to do.");
    expect(run.errors[0]).not.toContain("stays live");
    expect(shownIn(run).heading).toBe(failedHeading);
  });

  test("fails if its revision is interrupted, with the advice to roll back again", async () => {
    const { deploy } = await startSick([interrupted]);

    const run = await deploy({ platform: "langsmith", ...rollsBack });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "To roll back again, use the rollback action with revision_id.");
    expectError(run, `Revision ${run.outputs.revision_id} is live.`);
    expect(shownIn(run).heading).toBe(failedHeading);
  });
});
