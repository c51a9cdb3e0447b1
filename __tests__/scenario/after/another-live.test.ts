import { describe, expect, test } from "@jest/globals";
import type { EmulatorOptions } from "../../../emulator/index.ts";
import { answer } from "../../support/faults.ts";
import {
  defaultCreate,
  expectError,
  type Inputs,
  type Scenario,
  startScenario,
  writes,
} from "../../support/scenario.ts";
import { stableText } from "../../support/stable-text.ts";
import { startAgent, startAgentWith } from "./support.ts";

const onLangsmith = { platform: "langsmith", statusSeconds: 1 } as const;
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

describe("a newer revision that is live once this run's is DEPLOYED", () => {
  /** It appears while this run's is built. */
  async function overtaken(inputs: Inputs, unhealthyRefs: readonly string[] = []) {
    const scenario = await startLive({ ...onLangsmith, statusSeconds: 5, unhealthyRefs });
    scenario.clock.at(3_000, () => void deployForeign(scenario));
    const run = await scenario.deploy({ ...rollsBack, ...inputs });
    const [newer, ours] = scenario.stored().revisions.map(({ id }) => id);
    // Before the write, the version of the earlier revision's server is read.
    const written = run.requests.findIndex(({ method }) => method === "POST");
    const asked = run.requests.slice(written).filter(({ path }) => path.startsWith("/live/"));
    return { run, newer, ours, asked };
  }

  test("supersedes it if no check was asked for, and the summary says which one is live", async () => {
    const { run, newer, ours, asked } = await overtaken({});

    expect(run.outputs).toMatchObject({
      outcome: "superseded",
      revision_id: ours,
      live_revision_id: newer,
    });
    expect(asked).toEqual([]);
    expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ⏭️ Deployment \`agent\`: superseded

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

> [!CAUTION]
> Revision \`id-2…\` was superseded: the newer revision \`id-4…\` is live.
>
> **What to do next:** If the newer revision is the one you want, there is nothing to do. To keep runs from overtaking each other, use a concurrency group in the workflow.

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Live revision | \`id-4\` |
| Source | \`main\` |
| Commit | \`dcd290b424dd4bcf7885d142fbc8949fd14c957c\` |
| Took | 30 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 6 s |
| \`QUEUED\` | 6 s | 6 s |
| \`AWAITING_BUILD\` | 12 s | 3 s |
| \`BUILDING\` | 15 s | 6 s |
| \`AWAITING_DEPLOY\` | 21 s | 6 s |
| \`DEPLOYING\` | 27 s | 3 s |
| \`DEPLOYED\` | 30 s | |

\`\`\`mermaid
gantt
    title Time in each status (in seconds)
    dateFormat x
    axisFormat %s
    Request sent :milestone, 0, 0
    CREATING :0, 6000
    QUEUED :6000, 12000
    AWAITING_BUILD :12000, 15000
    BUILDING :15000, 21000
    AWAITING_DEPLOY :21000, 27000
    DEPLOYING :27000, 30000
\`\`\`

"
`);
  });
});

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

test("rolled_back_to is empty if a newer revision is live in place of the rollback's", async () => {
  const scenario = await startLive({ ...onLangsmith, unhealthyRefs: ["bad"] });
  const started = scenario.startDeploy({ repo_ref: "bad", ...healthCheck, ...rollsBack });
  await scenario.requested("POST", /\/redeploy$/);
  const newer = deployForeign(scenario);

  const run = await started.ended;

  expect(run.outputs.outcome).toBe("failed");
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
  expectError(run, "The rollback failed", `was superseded: the newer revision ${newer} is live`);
});
