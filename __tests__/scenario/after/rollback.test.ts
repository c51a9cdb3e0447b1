import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions, FaultRule } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  expectError,
  type Inputs,
  type Scenario,
  type ScenarioRun,
  startScenario,
  writeLines,
} from "../../support/scenario.ts";
import { stableHead, stableText } from "../../support/stable-text.ts";
import { startWithRevisions } from "../rollback/support.ts";

const readDeployment = "GET ^/v2/deployments/[^/]+$";
const rollsBack: Inputs = { rollback_on_failure: "true", repo_ref: "bad" };
const checked: Inputs = { ...rollsBack, health_check_path: "/ok", health_check_timeout_seconds: "5" };
/** Revisions of `bad` are deployed, but not healthy. */
const isSick: EmulatorOptions = { unhealthyRefs: ["bad"] };
const hidesLive: FaultRule = { kind: "hide", fields: ["active_revision_id"] };
const listsLate: FaultRule = { kind: "hide_new", where: ["revisions"], milliseconds: 60_000 };

/** A deployment whose live revision, `earlier`, is of the ref `good`. */
async function startLive(options: EmulatorOptions = isSick) {
  const scenario = await startWithRevisions(["good"], options);
  return { ...scenario, earlier: scenario.ids[0] ?? "" };
}

const rolledBack = ["POST revisions", "POST redeploy"];

describe("the earlier revision is deployed again", () => {
  test("and not a newer one that was never live, although it is DEPLOYED", async () => {
    const { deploy, deploymentId: id, earlier, emulator, pass } = await startLive();
    emulator.addConcurrentRevision(id, "good");
    await pass(60);
    const body = { id, name: "agent", active_revision_id: earlier };
    emulator.addFault(answer(readDeployment, 200, { body, times: 2 }));

    const run = await deploy(checked);

    expect(run.outputs).toMatchObject({ previous_revision_id: earlier, rolled_back_to: earlier });
  });

  test("after a revision that is not healthy, and the summary shows both", async () => {
    const { deploy, earlier, stored } = await startLive();

    const run = await deploy({ ...checked, build_log: "off", secrets: "MODEL_API_KEY=wrong" });

    expect(writeLines(run)).toEqual(rolledBack);
    const request = run.requests.find(({ path }) => path.endsWith("/redeploy"));
    expect(request?.path).toContain(`/revisions/${earlier}/redeploy`);
    expect(request?.headers).toMatchObject({ "content-length": "0" });
    expect(request?.headers).not.toHaveProperty("content-type");
    const [again, own] = stored().revisions.map(({ id }) => id);
    expect(stored().active_revision_id).toBe(again);
    expect(run.outputs).toMatchObject({
      outcome: "failed",
      status: "DEPLOYED",
      revision_id: own,
      previous_revision_id: earlier,
      rolled_back_to: earlier,
      live_revision_id: again,
    });
    expectError(run, "does not restore secrets and env_vars: those of this run stay");
    expect(run.infos).toContainEqual(expect.stringMatching(/^\[\d+ s\] Rollback: DEPLOYED$/));
    expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ❌ Deployment \`agent\`: failed (health check failed), rolled back

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

> [!CAUTION]
> Revision \`id-2…\` went live, but did not pass its checks. The health check failed: expected a 2xx status of \`GET /ok\` within 5 s, received 503, \`Service Unavailable\`.
>
> Rolled back: the content of revision \`id-3…\` is live again as revision \`id-4…\`. A rollback does not restore \`secrets\` and \`env_vars\`: those of this run stay in place. If one of them is wrong, correct it and deploy again.
>
> **What to do next:** Check \`health_check_path\`, and read the log of the agent server. To give it more time, raise \`health_check_timeout_seconds\`.

| | Check | Seconds |
|:---|:---|---:|
| ⏭️ | serving check \`/info\`: skipped (the server did not report its revision: \`GET /info\` returned 503 without \`host.host_revision_id\`) | |
| ❌ | health check \`/ok\` | 5.0 |
| ✅ | Rollback: serving check \`/info\` | 0.0 |
| ✅ | Rollback: health check \`/ok\` | 0.0 |

<details open><summary>❌ health check <code>/ok</code></summary>

\`\`\`text
Request:  GET /ok
Expected: a 2xx status of GET /ok within 5 s
Received: 503, "Service Unavailable"
\`\`\`

</details>

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Live revision | \`id-4\` |
| Rolled back to | \`id-3\` |
| Source | \`bad\` |
| Commit | \`9c757cf3b4b6f5db73cda319aa2cea28de5f821f\` |
| Took | 22 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 3 s |
| \`BUILDING\` | 3 s | 3 s |
| \`DEPLOYED\` | 6 s | |
| Rollback: \`CREATING\` | 16 s | 3 s |
| Rollback: \`DEPLOYING\` | 19 s | 3 s |
| Rollback: \`DEPLOYED\` | 22 s | |

\`\`\`mermaid
gantt
    title Time in each status (in seconds)
    dateFormat x
    axisFormat %s
    Request sent :milestone, 0, 0
    CREATING :0, 3000
    BUILDING :3000, 6000
    Rollback CREATING :16000, 19000
    Rollback DEPLOYING :19000, 22000
\`\`\`

"
`);
  });

  test.each<[string, FaultRule]>([
    ["show which one is live", hidesLive],
    ["list this run's revision yet", listsLate],
  ])("even if the platform does not %s", async (_what, fault) => {
    const { deploy, earlier } = await startLive({ ...isSick, faults: [fault] });

    const run = await deploy(checked);

    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
  });

  test("with a warning before the write on platform standard, which describes no way to do that", async () => {
    const { deploy, earlier } = await startLive();

    const run = await deploy({ ...checked, platform: "standard" });

    expect(run.warnings).toEqual([expect.stringContaining("a rollback may fail")]);
    expect(run.log.indexOf("a rollback may fail")).toBeLessThan(run.log.indexOf("This run's revision is"));
    expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: earlier });
  });

  test("which is the newest DEPLOYED one: what another run deployed meanwhile is not undone", async () => {
    const { clock, deploy, earlier, startDeploy, stored } = await startLive({ ...isSick, statusSeconds: 5 });

    const first = startDeploy({ repo_ref: "better" });
    const second = new Promise<ScenarioRun>((resolve) => {
      clock.at(clock.elapsed() + 5_000, () => void deploy(checked).then(resolve));
    });
    const [deployed, failed] = await Promise.all([first.ended, second]);

    expect(deployed.outputs).toMatchObject({ outcome: "deployed", previous_revision_id: earlier });
    expect(failed.outputs).toMatchObject({ outcome: "failed", previous_revision_id: earlier });
    expect(failed.outputs.rolled_back_to).toBe(deployed.outputs.revision_id);
    expect(stored().revisions[0]).toMatchObject({ source_revision_config: { repo_ref: "better" } });
  });
});

test("one failed read at the end of a rollback does not make live_revision_id name the revision that failed", async () => {
  const undisturbed = await (await startLive()).deploy(checked);
  const reads = undisturbed.requests.filter(
    ({ method, path }) => method === "GET" && /^\/v2\/deployments\/[^/]+$/.test(path),
  );
  const lastFails = answer(readDeployment, 503, { from: reads.length });
  const { deploy, earlier, stored } = await startLive({ ...isSick, faults: [lastFails] });

  const { outputs, requests } = await deploy(checked);

  expect(requests.some(({ status }) => status === 503)).toBe(true);
  expect(outputs.rolled_back_to).toBe(earlier);
  expect(outputs.live_revision_id).toBe(stored().active_revision_id);
  expect(outputs.live_revision_id).not.toBe(outputs.revision_id);
});

describe("nothing is rolled back", () => {
  async function expectNoRollback({ deploy }: Scenario, inputs: Inputs): Promise<ScenarioRun> {
    const run = await deploy(inputs);

    expect(writeLines(run)).toHaveLength(1);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    return run;
  }

  test("without rollback_on_failure, which the error names", async () => {
    const run = await expectNoRollback(await startLive(), { ...checked, rollback_on_failure: "false" });

    expectError(
      run,
      "This revision stays live. To roll back, use the rollback action or rollback_on_failure",
    );
    expect(run.outputs.live_revision_id).toBe(run.outputs.revision_id);
  });

  test("after a failed build, which left the earlier revision live", async () => {
    const live = await startLive({ failRefs: { bad: "BUILD_FAILED" } });

    const run = await expectNoRollback(live, rollsBack);

    expectError(run, `Revision ${live.earlier} is live.`);
    expect(run.outputs.live_revision_id).toBe(live.earlier);
    expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ❌ Deployment \`agent\`: failed (build failed)

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

> [!CAUTION]
> Revision \`id-2…\` failed with status \`BUILD_FAILED\`.
>
> The platform says: \`The image could not be built: installing the dependencies ended with code 1\`. Revision \`id-3…\` is live.
>
> **What to do next:** Fix the error in the log. The end of the build log is in the job summary. If that does not help, check \`app_config_path\`, \`repo_ref\` and \`secrets\`.

<details open><summary>End of the build log</summary>

\`\`\`text
Checking out bad at 9c757cf3b4b6f5db73cda319aa2cea28de5f821f
Reading langgraph.json
Installing dependencies
Collecting packages
Building the image
The image could not be built: installing the dependencies ended with code 1.
\`\`\`

</details>

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Live revision | \`id-3\` |
| Source | \`bad\` |
| Commit | \`9c757cf3b4b6f5db73cda319aa2cea28de5f821f\` |
| Took | 6 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 3 s |
| \`BUILDING\` | 3 s | 3 s |
| \`BUILD_FAILED\` | 6 s | |

"
`);
  });

  test("after a failed build, while another run's revision became live, which is named", async () => {
    const live = await startLive({ failRefs: { bad: "BUILD_FAILED" }, statusSeconds: 5 });
    const { clock, emulator, stored } = live;
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
    clock.at(clock.elapsed() + 1000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));

    const run = await expectNoRollback(live, rollsBack);

    const { active_revision_id: theirs } = stored();
    expect(theirs).not.toBe(live.earlier);
    expectError(run, "BUILD_FAILED", `Revision ${theirs} is live.`);
  });

  test("after a failed build of a first deploy", async () => {
    const run = await expectNoRollback(await startScenario({ failRefs: { bad: "BUILD_FAILED" } }), rollsBack);

    expectError(run, "BUILD_FAILED", "No revision is live.");
  });

  test.each<[string, EmulatorOptions, Inputs]>([
    ["timed_out", { failRefs: { bad: "BUILDING" } }, {}],
    ["superseded", { failRefs: { bad: "SKIPPED" } }, {}],
    ["interrupted", { failRefs: { bad: "INTERRUPTED" } }, {}],
    ["failed", { commits: { main: "f".repeat(40) } }, { repo_ref: "main", verify_commit: "true" }],
  ])("after outcome %s for a reason that is not the agent's", async (outcome, options, inputs) => {
    const given = { ...rollsBack, timeout_seconds: "20", ...inputs };

    const run = await expectNoRollback(await startLive(options), given);

    expect(run.outputs.outcome).toBe(outcome);
    expect(run.errors[0]).not.toContain("olled back");
  });

  test.each(["BUILDING", "DEPLOYED"])(
    "if a newer revision is %s, which would be replaced",
    async (status) => {
      const live = await startLive();
      const { clock, emulator, stored } = live;
      emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status }] });
      // After this run's revision is live, and during its health check.
      clock.at(clock.elapsed() + 8000, () => {
        const { id, name, active_revision_id } = stored();
        const body = { id, name, active_revision_id };
        emulator.addFault(answer(readDeployment, 200, { body, times: "always" }));
        void emulator.addConcurrentRevision(id, "theirs");
      });

      const run = await expectNoRollback(live, checked);

      const why = `Nothing was rolled back: the newer revision ${stored().revisions[0]?.id} is ${status}`;
      expectError(run, "did not pass its checks", why);
      expect(run.outputs).toMatchObject({ outcome: "failed", live_revision_id: run.outputs.revision_id });
    },
  );

  test.each<[string, (listed: readonly { id: string }[], earlier: string) => unknown]>([
    ["lacks it", (listed, earlier) => listed.filter(({ id }) => id !== earlier)],
    ["is null", () => null],
  ])("if what was live before is not shown any more, because the list %s", async (_what, shown) => {
    const live = await startLive();
    const { clock, emulator, stored, earlier } = live;
    clock.at(clock.elapsed() + 8000, () => {
      const resources = shown(stored().revisions, earlier);
      emulator.addFault(answer("GET /revisions$", 200, { body: { resources }, times: "always" }));
    });

    const run = await expectNoRollback(live, checked);

    expectError(run, "there is nothing to roll back to. This revision stays live.");
  });

  test("if a newer revision is not listed yet, but the deployment names it", async () => {
    const live = await startLive();
    const { clock, emulator, stored } = live;
    emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "BUILDING" }] });
    emulator.addFault(listsLate);
    clock.at(clock.elapsed() + 8000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));

    const run = await expectNoRollback(live, checked);

    const theirs = stored().revisions[0]?.id ?? "";
    expectError(run, "did not pass its checks", `Nothing was rolled back: revision ${theirs} is newer`);
  });

  test("if the deployment was renamed during the checks", async () => {
    const live = await startLive();
    const started = live.startDeploy(checked);
    await live.requested("GET", /\/ok$/);
    const { id, active_revision_id, latest_revision_id } = live.stored();
    const body = { id, name: "production", active_revision_id, latest_revision_id };
    live.emulator.addFault(answer(readDeployment, 200, { body, times: "always" }));

    const run = await started.ended;

    expect(writeLines(run)).toEqual(["POST revisions"]);
    expectError(run, "The rollback failed: Deployment", "is named production now, not agent");
  });

  test("if no earlier revision was deployed", async () => {
    const scenario = await startScenario({ platform: "langsmith", ...isSick });

    const run = await expectNoRollback(scenario, checked);

    expectError(run, "there is nothing to roll back to. This revision stays live.");
  });
});

test.each<[string, FaultRule, heading: string, fact: string, next: string]>([
  [
    "404",
    answer("/redeploy$", 404, { body: { detail: "Unknown route" } }),
    "rollback failed",
    "The rollback failed: The control plane refused",
    "Deploy the earlier version",
  ],
  [
    "a lost connection",
    { kind: "reset", match: { path: "/redeploy$" } },
    "rollback not confirmed",
    "Could not confirm whether the rollback",
    "Check on the platform which revision is live.",
  ],
])(
  "a redeployment is sent once: after %s nothing is searched, and the advice begins with it",
  async (...row) => {
    const [_what, fault, heading, fact, next] = row;
    const { deploy } = await startLive({ ...isSick, faults: [fault] });

    const run = await deploy(checked);

    expect(writeLines(run)).toEqual(rolledBack);
    expect(run.requests.at(-1)?.path).toMatch(/redeploy$/);
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expectError(run, "health check", fact, `What to do next: ${next}`);
    expect(run.errors[0]).not.toContain("safe");
    expect(run.summary).toContain(`: failed (health check failed), ${heading}\n`);
  },
);

describe("a rollback fails", () => {
  test("if what came back does not pass the same health check, with the same advice once", async () => {
    const { deploy, stored } = await startLive({ unhealthyRefs: ["bad", "good"] });

    const run = await deploy(checked);

    const paths = run.requests.map(({ path }) => path);
    const afterwards = paths.slice(paths.findIndex((path) => path.endsWith("/redeploy")));
    expect(afterwards).toContain("/live/agent/info");
    expect(afterwards.filter((path) => path === "/live/agent/ok").length).toBeGreaterThan(1);
    const { active_revision_id: live } = stored();
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(run.outputs.live_revision_id).toBe(live);
    expectError(run, `The rollback failed: Revision ${live} went live, but did not pass its checks`);
    expect(run.errors[0]?.split("read the log of the agent server")).toHaveLength(2);
    expect(run.summary).toContain("<summary>❌ health check <code>/ok</code></summary>");
    expect(run.summary).toContain("<summary>❌ Rollback: health check <code>/ok</code></summary>");
  });

  test("if its revision fails, and the error says which one is live", async () => {
    const { deploy, earlier, emulator, stored } = await startLive();
    emulator.addFault({ kind: "statuses", redeployed: true, sequence: [{ status: "DEPLOY_FAILED" }] });

    const run = await deploy(checked);

    expect(run.outputs).not.toHaveProperty("rolled_back_to");
    expect(run.outputs.live_revision_id).toBe(run.outputs.revision_id);
    expectError(run, "The rollback failed", "DEPLOY_FAILED", `Revision ${run.outputs.revision_id} is live.`);
    expect(stableHead(run.summary)).toMatchInlineSnapshot(`
"## ❌ Deployment \`agent\`: failed (health check failed), rollback failed
> [!CAUTION]
> Revision \`id-2…\` went live, but did not pass its checks. The health check failed: expected a 2xx status of \`GET /ok\` within 5 s, received 503, \`Service Unavailable\`.
> The rollback failed: Revision \`id-4…\` failed with status \`DEPLOY_FAILED\`. The platform says: \`The server did not become healthy: it ended with code 1 while it started\`. Revision \`id-2…\` is live.
> **What to do next:** The revision's build and server logs are on the platform. If a variable is missing or wrong, correct it and deploy again: a rollback does not restore variables. To roll back to a different revision, use the rollback action with \`revision_id\`. Check \`health_check_path\`, and read the log of the agent server. To give it more time, raise \`health_check_timeout_seconds\`."
`);
    expect(run.summary).toContain(`| Revision of the rollback | \`${stored().latest_revision_id}\` |`);
    expect(run.summary).toContain(`| Target of the rollback | \`${earlier}\` |`);
    expect(run.summary).toMatch(/\| Rollback: `DEPLOY_FAILED` \| \d+ s \| \|/);
  });

  test("if it takes longer than another timeout_seconds", async () => {
    const { deploy, emulator } = await startLive();
    emulator.addFault({ kind: "statuses", redeployed: true, sequence: [{ status: "BUILDING" }] });

    const run = await deploy({ ...checked, timeout_seconds: "20" });

    expectError(run, "20 s", "BUILDING");
    expect(run.outputs).not.toHaveProperty("rolled_back_to");
  });
});

describe("a cancellation during a rollback ends the run, and reports the rollback", () => {
  test("while its revision is pending, which is not interrupted", async () => {
    const { earlier, emulator, requested, startDeploy, stored } = await startLive();
    emulator.addFault({ kind: "statuses", redeployed: true, sequence: [{ status: "BUILDING" }] });
    const isWatched = requested("POST", /\/redeploy$/).then(() =>
      requested("GET", new RegExp(`/revisions/${stored().latest_revision_id}$`)),
    );

    const run = await cancelOnce(startDeploy({ ...checked, on_cancel: "interrupt" }), isWatched);

    const { id, latest_revision_id } = stored();
    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, `The rollback of deployment ${id} to revision ${earlier} may still be running`);
    expectError(run, latest_revision_id);
    expect(run.summary).toMatch(/^## 🚫 Deployment `agent`: cancelled\n/);
    expect(run.summary).toContain(
      "**What to do next:** If a newer run replaced this one, there is nothing to do. To roll back again, use the rollback action with `revision_id`.\n",
    );
    expect(writeLines(run)).toEqual(rolledBack);
  });

  test("while its request is in flight", async () => {
    const { earlier, emulator, requested, startDeploy, stored } = await startLive();
    emulator.addFault({ kind: "hang", match: { path: "/redeploy$" } });

    const run = await cancelOnce(startDeploy(checked), requested("POST", /\/redeploy$/));

    const { id, latest_revision_id } = stored();
    const words = `A revision from the rollback of deployment ${id} to revision ${earlier} may still be running`;
    expectError(run, words, `Revision ${latest_revision_id} went live, but did not pass its checks.`);
  });
});

test("a rollback appears in heartbeats, and in what the post step reports of a killed step", async () => {
  const { clock, earlier, emulator, startDeploy } = await startLive();
  const sequence = [{ status: "BUILDING", seconds: 150 }, { status: "DEPLOYED" }];
  emulator.addFault({ kind: "statuses", redeployed: true, sequence });
  const { context, ended } = startDeploy(checked);
  const kept: (string | undefined)[] = [];
  const stop = clock.every(1000, () => kept.push(context.recorded.state.unfinished));

  const run = await ended;
  stop();

  const heartbeat = /^\[\d+ min.*\] still rolling back: BUILDING, for /;
  expect(run.infos).toContainEqual(expect.stringMatching(heartbeat));
  const texts = kept.map((state) => state && JSON.parse(state).work);
  const work = new RegExp(`^The rollback .*to revision ${earlier} is still running`);
  expect(texts).toContainEqual(expect.stringMatching(work));
  expect(context.recorded.state.unfinished).toBe("");
});

describe("a run that is cancelled after a failed check says that the revision went live", () => {
  function expectWentLive(run: ScenarioRun, { stored }: Scenario): void {
    expect(run.outputs.outcome).toBe("cancelled");
    expectError(run, `Revision ${stored().latest_revision_id} went live, but did not pass its checks.`);
    expect(writeLines(run)).toEqual(["POST revisions"]);
  }

  test("while it waits for the end of the server's log", async () => {
    const live = await startLive();

    expectWentLive(await cancelOnce(live.startDeploy(checked), live.pass(17)), live);
  });

  test("before its rollback is sent", async () => {
    const live = await startLive();
    const { emulator, startDeploy, until } = live;
    const started = startDeploy(checked);
    const lists = () => emulator.requests.filter(({ path }) => path.endsWith("/revisions")).length;
    await until(() =>
      started.context.recorded.lines.some(({ text }) => text.includes("health check failed")),
    );
    const before = lists();
    emulator.addFault({ kind: "hang", match: { method: "GET", path: "/revisions$" } });

    expectWentLive(
      await cancelOnce(
        started,
        until(() => lists() === before + 1),
      ),
      live,
    );
  });
});
