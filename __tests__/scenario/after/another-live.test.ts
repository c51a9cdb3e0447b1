import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import { defaultCreate, expectError, type Scenario, startScenario, writes } from "../../support/scenario.ts";
import { startAgent, startAgentWith } from "./support.ts";

const rollsBack = { rollback_on_failure: "true" };
const healthCheck = { health_check_path: "/ok", health_check_timeout_seconds: "20" };
const smokeTest = { smoke_tests: "- { name: one, request: GET /one }" };

/** A deployment whose live revision is of the ref `good`. */
async function startLive(options: EmulatorOptions = {}): Promise<Scenario & { readonly earlier: string }> {
  const scenario = await startScenario(options);
  const source_revision_config = { ...defaultCreate.source_revision_config, repo_ref: "good" };
  const { revisionId } = await scenario.existing("agent", { source_revision_config });
  return { ...scenario, earlier: revisionId };
}

/** Somebody deploys a revision that is live at once. Returns its id. */
function deployForeign({ emulator, stored }: Scenario): string {
  emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
  return emulator.addConcurrentRevision(stored().id, "theirs").id;
}

describe("a newer revision that becomes live during the checks supersedes this run's, without a rollback,", () => {
  test("after a health check that failed", async () => {
    const agent = await startAgentWith(503);
    const scenario = await startLive({ statusSeconds: 0 });
    scenario.clock.at(10_000, () => void deployForeign(scenario));

    const run = await scenario.deploy({ custom_url: agent.url, ...healthCheck, ...rollsBack });

    const [newer, ours] = scenario.stored().revisions.map(({ id }) => id);
    expect(run.outputs).toMatchObject({ outcome: "superseded", revision_id: ours });
    expectError(run, `${ours} was superseded`, newer, "health check");
    expect(writes(run.requests)).toHaveLength(1);
  });

  test("also while that is read", async () => {
    const agent = await startAgentWith(503);
    const scenario = await startLive({ statusSeconds: 0 });
    const path = `^/v2/deployments/${scenario.stored().id}$`;
    // Two are before the write, one shows that the revision is live, and one confirms that after the checks.
    const match = { method: "GET", path, from: 4 };
    scenario.emulator.addFault(answer(match, 503, { headers: { "retry-after": "30" } }));
    scenario.clock.at(scenario.clock.elapsed() + 40_000, () => void deployForeign(scenario));

    const run = await scenario.deploy({ custom_url: agent.url, ...healthCheck, ...rollsBack });

    expect(run.log).toContain("failed with 503");
    expect(run.outputs.outcome).toBe("superseded");
    expect(run.log.match(/went live, but did not pass its checks/g)).toHaveLength(1);
    expect(writes(run.requests)).toHaveLength(1);
  });
});

test("a live revision that is never listed is not called an older one", async () => {
  const scenario = await startLive({ platform: "langsmith", statusSeconds: 0, unhealthyRefs: ["main"] });
  scenario.emulator.addFault({ kind: "hide_new", where: ["revisions"], milliseconds: 3_600_000 });
  scenario.clock.at(10_000, () => void deployForeign(scenario));

  const run = await scenario.deploy({ ...healthCheck, ...rollsBack, timeout_seconds: "60" });

  const [newer] = scenario.stored().revisions.map(({ id }) => id);
  expect(run.outputs.outcome).toBe("failed");
  expectError(run, `but now revision ${newer} is live.`);
  expect(run.errors[0]).not.toContain("Run this job again");
  expect(writes(run.requests)).toHaveLength(1);
});

test("a deployment that can't be read with this key after its checks fails the step", async () => {
  const scenario = await startLive({ statusSeconds: 0 });
  const agent = await startAgent(({ url }, response) => {
    const match = {
      method: "GET",
      path: `^/v2/deployments/${scenario.stored().id}$`,
      times: "always",
    } as const;
    if (url === "/one") scenario.emulator.addFault(answer(match, 403));
    response.end("{}");
  });

  const run = await scenario.deploy({ custom_url: agent.url, timeout_seconds: "60", ...smokeTest });

  expect(run.outputs.outcome).toBe("failed");
  expectError(run, `Could not confirm that revision ${run.outputs.revision_id} is live.`, "failed with 403");
});

test("the serving check comes first, so that the health check asks this run's revision", async () => {
  const scenario = await startLive({ statusSeconds: 0 });
  const agent = await startAgent(({ url }, response) => {
    const place = agent.requests.length > 3 ? 0 : 1;
    const id = scenario.stored().revisions[place]?.id;
    if (url === "/info") response.end(JSON.stringify({ host: { host_revision_id: id } }));
    else response.end();
  });

  const run = await scenario.deploy({ custom_url: agent.url, ...healthCheck });

  expect(run.outputs.outcome).toBe("deployed");
  expect(agent.requests.map(({ url }) => url)).toEqual(["/ok", "/info", "/info", "/info", "/info", "/ok"]);
});
