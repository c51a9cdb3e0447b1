import { describe, expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  cancelOnce,
  type Inputs,
  immediate,
  type ScenarioOptions,
  startScenario,
} from "../../support/scenario.ts";
import { newestStates, pushBranch } from "./support.ts";

const inputs: Inputs = { name: "agent", environment: "staging" };

test("a record makes the earlier ones of its task and environment inactive, and no others", async () => {
  const { github, run } = await startScenario(immediate);
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

describe("the record of the live deployment", () => {
  /** A scenario with a record of a live deployment, in which the branches `broken` and `skipped` fail. */
  async function startWithLiveRecord(options: ScenarioOptions = immediate) {
    const failRefs = { broken: "BUILD_FAILED", skipped: "SKIPPED" };
    const scenario = await startScenario({ ...options, failRefs });
    for (const branch of Object.keys(failRefs)) pushBranch(scenario, branch);
    const deploy = async (more: Inputs = {}) =>
      (await scenario.run("deploy", { inputs: { ...inputs, ...more } })).outputs.outcome;
    expect(await deploy()).toBe("deployed");
    return { scenario, deploy };
  }

  test("stays a success after runs that end in any other way, until a later one is live", async () => {
    const { scenario, deploy } = await startWithLiveRecord({ statusSeconds: 10 });

    expect(await deploy({ repo_ref: "broken" })).toBe("failed");
    expect(await deploy({ repo_ref: "skipped" })).toBe("superseded");
    expect(await deploy({ timeout_seconds: "5" })).toBe("timed_out");
    const { outputs } = await cancelOnce(scenario.start("deploy", { inputs }), scenario.pass(15));
    expect(outputs.outcome).toBe("cancelled");
    expect(newestStates(scenario)).toEqual(["error", "error", "inactive", "failure", "success"]);

    expect(await deploy()).toBe("deployed");
    expect(newestStates(scenario)).toEqual(["success", ...Array(5).fill("inactive")]);
  });

  test("stays a success while the next revision is in progress, and is replaced if nobody waits for it", async () => {
    const { scenario, deploy } = await startWithLiveRecord({ statusSeconds: 1 });

    const { ended } = scenario.start("deploy", { inputs });
    await scenario.until(() => newestStates(scenario)[0] === "in_progress");
    expect(newestStates(scenario)).toEqual(["in_progress", "success"]);
    await ended;

    expect(await deploy({ wait: "false" })).toBe("started");
    expect(newestStates(scenario)).toEqual(["queued", "inactive", "inactive"]);
  });

  test("becomes inactive with the five newest ones, and one that is older with the next run", async () => {
    const { scenario, deploy } = await startWithLiveRecord();
    for (const _time of [1, 2, 3, 4, 5]) await deploy({ repo_ref: "broken" });

    await deploy();
    expect(newestStates(scenario)).toEqual(["success", ...Array(5).fill("inactive"), "success"]);

    await deploy();
    expect(newestStates(scenario)).toEqual(["success", ...Array(7).fill("inactive")]);
  });

  test("becomes inactive together with one that a failure of GitHub left active", async () => {
    const { scenario, deploy } = await startWithLiveRecord();
    await deploy();
    const [, older] = scenario.github.deployments();
    scenario.github.records.addStatus(older?.id ?? 0, { state: "success" }, actionsLogin);

    await deploy();

    expect(newestStates(scenario)).toEqual(["success", "inactive", "inactive"]);
  });

  test("is replaced by the older of two runs if the newer one fails", async () => {
    const { scenario } = await startWithLiveRecord({ platform: "langsmith", statusSeconds: 10 });
    const older = scenario.start("deploy", { inputs });
    await scenario.until(() => newestStates(scenario)[0] === "in_progress");
    const newer = scenario.start("deploy", { inputs: { ...inputs, repo_ref: "broken" } });

    expect((await older.ended).outputs.outcome).toBe("deployed");
    expect((await newer.ended).outputs.outcome).toBe("failed");
    expect(newestStates(scenario)).toEqual(["failure", "success", "inactive"]);
  });
});

test("deleting a preview also reaches a record that was left active behind an inactive one", async () => {
  const scenario = await startScenario(immediate);
  const { github, open, preview, shut } = scenario;
  open();
  await preview("opened");
  await preview("synchronize");
  const [newest, older] = github.deployments();
  github.records.addStatus(older?.id ?? 0, { state: "success" }, actionsLogin);
  github.records.addStatus(newest?.id ?? 0, { state: "inactive" }, actionsLogin);
  shut();

  await preview("closed");

  expect(newestStates(scenario)).toEqual(["inactive", "inactive"]);
});
