import { describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { expectError, type Inputs, immediate, startScenario, writes } from "../../support/scenario.ts";
import { startAgent } from "../after/support.ts";

const deployment = { method: "GET", path: "^/v2/deployments/[^/]+$" };
const revision = { method: "GET", path: "/revisions/" };
const hidesLive: FaultRule = { kind: "hide", fields: ["active_revision_id"] };
/** The health check passes with the fourth request. */
const slowHealth = answer("GET ^/live/.*/ok$", 503, { times: 3 });
const healthCheck: Inputs = { serving_check: "off", health_check_path: "/ok" };

describe("after DEPLOYED, a run", () => {
  test("succeeds if the platform does not show which revision is live", async () => {
    const { deploy, emulator } = await startScenario(immediate);
    emulator.addFault(hidesLive);

    const run = await deploy();

    expect(run.outputs).toMatchObject({ outcome: "deployed", live_revision_id: run.outputs.revision_id });
  });

  test("succeeds if the platform shows that none is live, and showed none before", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    const body = { id, name: "agent", latest_revision_id: "r", active_revision_id: null };
    emulator.addFault({ ...hidesLive, match: { method: "PATCH" } });
    emulator.addFault(answer({ ...deployment, times: "always" }, 200, { body }));

    const run = await deploy({ name: "", deployment_id: id });

    expect(run.outputs.outcome).toBe("deployed");
  });

  test("fails at the deadline if only the list of deployments showed which one is live", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id, revisionId } = await existing("agent");
    const listed = { id, name: "agent", active_revision_id: revisionId };
    emulator.addFault(answer("GET ^/v2/deployments$", 200, { body: { resources: [listed] } }));
    emulator.addFault(answer({ ...deployment, times: "always" }, 200, { body: { id, name: "agent" } }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expectError(run, "no revision is live");
  });

  test("fails at the deadline if only the response to its write showed which one is live", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id, revisionId } = await existing();
    const body = { id, name: "agent" };
    emulator.addFault(answer({ ...deployment, times: "always" }, 200, { body }));
    emulator.addFault(answer("PATCH", 200, { body: { ...body, active_revision_id: revisionId } }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs.outcome).toBe("failed");
  });

  test.each([
    ["waits until an older revision is no longer live", "older", 3, "deployed"],
    ["fails at the deadline if an older revision is still live", "older", "always", "failed"],
    ["waits until a revision is live again", "none", 3, "deployed"],
    ["fails at the deadline if no revision is live any more", "none", "always", "failed"],
  ] as const)("%s", async (_what, live, times, outcome) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id, revisionId } = await existing();
    const body = { id, name: "agent", active_revision_id: live === "older" ? revisionId : null };
    emulator.addFault(answer({ ...deployment, from: 3, times }, 200, { body }));

    const run = await deploy({ timeout_seconds: "30", rollback_on_failure: "true", ...healthCheck });

    expect(run.outputs).toMatchObject({ outcome, status: "DEPLOYED" });
    expect(run.infos.filter((line) => line.endsWith("live. Retrying."))).toHaveLength(1);
    if (outcome === "deployed") return;
    expectError(run, live === "older" ? `but revision ${revisionId} is live` : "no revision is live");
    expect(run.outputs.live_revision_id ?? "").toBe(live === "older" ? revisionId : "");
    expect(run.took).toBe(30);
    expect(writes(run.requests)).toHaveLength(1);
  });

  test.each([
    ["waits until the list shows that too", 2, "deployed"],
    ["fails at the deadline if the list still shows that it failed", "always", "failed"],
  ] as const)("%s", async (_what, times, outcome) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault(answer("PATCH", 200, { body: { id, latest_revision_id: "r" } }));
    const ours = { id: "r", status: "DEPLOYED" };
    emulator.addFault(answer("GET /revisions/r$", 200, { body: ours, times: "always" }));
    const live = { id, name: "agent", active_revision_id: "r", latest_revision_id: "r" };
    emulator.addFault(answer({ ...deployment, from: 3, times: "always" }, 200, { body: live }));
    const failed = [{ ...ours, status: "DEPLOY_FAILED" }];
    emulator.addFault(answer("GET /revisions$", 200, { body: { resources: failed }, from: 2, times }));
    emulator.addFault(
      answer("GET /revisions$", 200, { body: { resources: [ours] }, from: 2, times: "always" }),
    );

    const run = await deploy({ timeout_seconds: "30", serving_check: "off" });

    expect(run.outputs.outcome).toBe(outcome);
    if (outcome === "failed") expectError(run, "Could not confirm that revision r is live.");
  });

  test("takes an ID in another case for the same", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    emulator.addFault(answer("PATCH", 200, { body: { id, latest_revision_id: "r" } }));
    const ours = { id: "r", status: "DEPLOYED" };
    emulator.addFault(answer("GET /revisions/r$", 200, { body: ours, times: "always" }));
    const shown = { id: id.toUpperCase(), name: "agent", active_revision_id: "R", latest_revision_id: "R" };
    emulator.addFault(answer({ ...deployment, from: 3, times: "always" }, 200, { body: shown }));
    const body = { resources: [ours] };
    emulator.addFault(answer("GET /revisions$", 200, { body, from: 2, times: "always" }));

    const run = await deploy({ serving_check: "off" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: "r" });
    expect(run.summary).not.toContain("Live revision");
    expect(run.infos.filter((line) => line.startsWith("Found deployment"))).toHaveLength(1);
  });

  test.each([[[]], [["active_revision_id"]]])(
    "does not take an older live revision for a newer one while the list lags (without %j)",
    async (fields) => {
      const { deploy, emulator, existing, stored } = await startScenario(immediate);
      const { id, revisionId } = await existing();
      const body = { id, name: "agent", active_revision_id: revisionId };
      if (fields.length === 0) emulator.addFault(answer({ ...deployment, from: 3, times: 2 }, 200, { body }));
      emulator.addFault({ kind: "hide", fields });
      emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 20_000 });

      const run = await deploy();

      expect(run.outputs).toMatchObject({ outcome: "deployed", revision_id: stored().latest_revision_id });
    },
  );

  test.each([[[]], [["active_revision_id"]]])(
    "is superseded if a newer revision is live, and makes no check (without %j)",
    async (fields) => {
      const { clock, deploy, emulator, existing, stored } = await startScenario({
        platform: "langsmith",
      });
      const { id } = await existing();
      emulator.addFault({ kind: "hide", fields });
      emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
      clock.at(clock.elapsed() + 2000, () => void emulator.addConcurrentRevision(id, "theirs"));

      const run = await deploy({ ...healthCheck, rollback_on_failure: "true" });

      expect(run.succeeded).toBe(false);
      expect(run.outputs).toMatchObject({
        outcome: "superseded",
        status: "DEPLOYED",
        live_revision_id: stored().latest_revision_id,
      });
      expectError(run, stored().latest_revision_id);
      expect(run.log).not.toContain("ealth check");
      expect(writes(run.requests)).toHaveLength(1);
    },
  );

  test.each([
    ["waits until the list shows that this run's revision is live", 3, "deployed", "is live at"],
    [
      "fails at the deadline if only an older one is listed",
      "always",
      "failed",
      "The list of revisions does not",
    ],
  ] as const)("%s", async (_what, times, outcome, says) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { revisionId } = await existing();
    emulator.addFault(hidesLive);
    const body = { resources: [{ id: revisionId, status: "DEPLOYED" }] };
    emulator.addFault(answer({ method: "GET", path: "/revisions$", times }, 200, { body }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs).toMatchObject({ outcome, status: "DEPLOYED" });
    expect(run.log).toContain(says);
  });

  test("fails at the deadline if the list shows none as DEPLOYED any more", async () => {
    const { deploy, emulator, existing } = await startScenario({ platform: "langsmith", ...immediate });
    await existing();
    emulator.addFault(hidesLive);
    emulator.addFault(answer("GET /revisions$", 200, { body: { resources: [] }, from: 2, times: "always" }));

    const run = await deploy({ timeout_seconds: "30" });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expectError(run, "no revision is live");
  });

  test("fails if its deployment is being deleted, and rolls nothing back", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id } = await existing();
    const body = { id, name: "agent", status: "AWAITING_DELETE", active_revision_id: null };
    emulator.addFault(answer({ ...deployment, from: 3, times: "always" }, 200, { body }));

    const run = await deploy({ rollback_on_failure: "true", timeout_seconds: "30" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, `deployment ${id} is being deleted`);
    expect(writes(run.requests)).toHaveLength(1);
    expect(run.took).toBeLessThan(5);
  });
});

describe("after its checks, a run", () => {
  test.each([
    ["DEPLOY_FAILED", "failed"],
    ["SKIPPED", "superseded"],
    ["INTERRUPTED", "interrupted"],
  ])("whose revision turned %s meanwhile is %s", async (status, outcome) => {
    const { deploy, emulator, existing } = await startScenario();
    await existing();
    emulator.addFault({ kind: "statuses", sequence: [{ status: "DEPLOYED", seconds: 2 }, { status }] });
    emulator.addFault(slowHealth);

    const run = await deploy({ ...healthCheck, rollback_on_failure: "true" });

    expect(run.succeeded).toBe(false);
    expect(run.outputs).toMatchObject({ outcome, status });
    expect(run.log).toContain("The health check passed");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test.each([
    ["is deployed, if its revision is INTERRUPTED for a moment", "INTERRUPTED", 1, "deployed"],
    ["is deployed, if its revision is pending for a moment", "DEPLOYING", 3, "deployed"],
    ["is timed out, if its revision stays pending", "DEPLOYING", "always", "timed_out"],
  ] as const)("%s", async (_what, status, times, outcome) => {
    const { deploy, emulator, stored } = await startScenario(immediate);
    const agent = await startAgent((_request, response) => {
      const body = { id: stored().latest_revision_id, status };
      emulator.addFault(answer({ ...revision, times }, 200, { body }));
      response.end();
    });

    const run = await deploy({ ...healthCheck, custom_url: agent.url, timeout_seconds: "60" });

    expect(run.outputs).toMatchObject({ outcome, duration_seconds: String(Math.round(run.took)) });
    expect(run.log).toContain(`] ${status}`);
    if (outcome === "timed_out") expectError(run, `is still ${status}`);
  });

  test("fails if its revision shows another source then", async () => {
    const { deploy, emulator, stored } = await startScenario(immediate);
    const agent = await startAgent((_request, response) => {
      const source_revision_config = { repo_ref: "theirs" };
      const body = { id: stored().latest_revision_id, status: "DEPLOYED", source_revision_config };
      emulator.addFault(answer({ ...revision, times: "always" }, 200, { body }));
      response.end();
    });

    const run = await deploy({ ...healthCheck, custom_url: agent.url });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "is not this run's", "different source");
  });

  test("is superseded if a newer revision went live meanwhile", async () => {
    const { clock, deploy, emulator, existing, stored } = await startScenario({
      platform: "langsmith",
      ...immediate,
    });
    const { id } = await existing();
    emulator.addFault(slowHealth);
    clock.at(clock.elapsed() + 2000, () => void emulator.addConcurrentRevision(id));

    const run = await deploy(healthCheck);

    expect(run.outputs).toMatchObject({
      outcome: "superseded",
      live_revision_id: stored().latest_revision_id,
    });
  });

  test.each([
    ["an older revision is live again", { active: true }, "but now revision"],
    ["no revision is live any more", { active: false }, "no revision is live"],
    ["its deployment is being deleted", { status: "AWAITING_DELETE" }, "is being deleted"],
  ])("fails if %s", async (_what, { active, status }: { active?: boolean; status?: string }, fact) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    const { id, revisionId } = await existing();
    const body = { id, name: "agent", active_revision_id: active ? revisionId : null, status };
    emulator.addFault(answer({ ...deployment, from: 4, times: "always" }, 200, { body }));

    const run = await deploy({ ...healthCheck, rollback_on_failure: "true" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, fact);
    expect(run.log).toContain("The health check passed");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test.each([
    ["until the deadline", "100", 100],
    ["for at least 30 s", "10", 30],
  ])("that can't read what is live fails, after it tried %s", async (_what, timeout_seconds, took) => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    await existing();
    emulator.addFault(answer({ ...revision, from: 2, times: "always" }, 503));

    const run = await deploy({ serving_check: "off", timeout_seconds, rollback_on_failure: "true" });

    expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
    expect(run.outputs.live_revision_id ?? "").toBe("");
    expectError(run, "Could not confirm", "503");
    expect(run.took).toBe(took);
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("rolls nothing back after a failed check if it can't read what is live", async () => {
    const { deploy, emulator, existing } = await startScenario(immediate);
    await existing();
    emulator.addFault(answer({ ...revision, from: 2, times: "always" }, 503));
    emulator.addFault(answer("GET ^/live/.*/ok$", 503, { times: "always" }));

    const run = await deploy({ ...healthCheck, timeout_seconds: "10", rollback_on_failure: "true" });

    expect(run.outputs.outcome).toBe("failed");
    expectError(run, "health check", "Could not confirm");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("succeeds if it can read that within the 30 s, although the deadline has passed", async () => {
    const { deploy, emulator } = await startScenario(immediate);
    emulator.addFault(answer({ ...revision, from: 2, times: 5 }, 503));

    const run = await deploy({ serving_check: "off", timeout_seconds: "5" });

    expect(run.outputs).toMatchObject({ outcome: "deployed", live_revision_id: run.outputs.revision_id });
    expect(run.took).toBeGreaterThan(10);
  });
});
