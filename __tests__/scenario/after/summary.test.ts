import { expect, test } from "@jest/globals";
import { cancelOnce, startScenario } from "../../support/scenario.ts";
import { stableHead, stableText } from "../../support/stable-text.ts";

// Whole job summaries, as people read them. Those of a rollback and a failed build are in other tests.

const smokeTests = (expected: string) => `
- { name: greets, request: GET /ok, expect: { contains: ${expected} } }
- { name: is well, request: GET /ok, expect: { contains: ${expected} } }
`;

async function startWithLive(statusSeconds = 5) {
  const scenario = await startScenario({ platform: "langsmith", statusSeconds });
  await scenario.existing();
  return scenario;
}

test("the summary of a deploy that passed its checks", async () => {
  const { deploy } = await startWithLive();

  const run = await deploy({ health_check_path: "/ok", smoke_tests: smokeTests("ok") });

  expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ✅ Deployment \`agent\`: deployed

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

Revision \`id-2…\` is live at [\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>). All 4 checks passed.

| | Check | Seconds |
|:---|:---|---:|
| ✅ | serving check \`/info\` | 0.0 |
| ✅ | health check \`/ok\` | 0.0 |
| ✅ | smoke test \`greets\` | 0.0 |
| ✅ | smoke test \`is well\` | 0.0 |

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Source | \`main\` |
| Commit | \`dcd290b424dd4bcf7885d142fbc8949fd14c957c\` |
| Agent server | \`1.0.0\` |
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

test("the summary of a deploy that failed two smoke tests says once what to do about both", async () => {
  const { deploy } = await startWithLive(0);

  const run = await deploy({ smoke_tests: smokeTests("nothing"), build_log: "off" });

  expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## ❌ Deployment \`agent\`: failed (smoke test failed)

**[\`http://127.0.0.1/live/agent\`](<http://127.0.0.1/live/agent>)**

> [!CAUTION]
> Revision \`id-2…\` went live, but did not pass its checks. The smoke test \`greets\` failed: expected a response that contains \`nothing\`, received \`{"ok":true}\`. Also failed: \`is well\`.
>
> This revision stays live. To roll back, use the rollback action or \`rollback_on_failure: true\`.
>
> **What to do next:** Compare the expected and received responses in the job summary, and read the log of the agent server. If the test is wrong, correct \`smoke_tests\`. Otherwise, fix the agent.

| | Check | Seconds |
|:---|:---|---:|
| ✅ | serving check \`/info\` | 0.0 |
| ❌ | smoke test \`greets\` | 0.0 |
| ❌ | smoke test \`is well\` | 0.0 |

<details open><summary>❌ smoke test <code>greets</code></summary>

\`\`\`text
Request:  GET /ok
Expected: a response that contains "nothing"
Received: {"ok":true}
\`\`\`

</details>

<details><summary>❌ smoke test <code>is well</code></summary>

\`\`\`text
Request:  GET /ok
Expected: a response that contains "nothing"
Received: {"ok":true}
\`\`\`

</details>

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Source | \`main\` |
| Commit | \`dcd290b424dd4bcf7885d142fbc8949fd14c957c\` |
| Agent server | \`1.0.0\` |
| Took | 0 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

"
`);
});

test("the summary of a superseded deploy says which revision is live", async () => {
  const { clock, deploy, emulator, stored } = await startWithLive(0);
  const building = { status: "BUILDING", seconds: 9 };
  emulator.addFault({ kind: "statuses", repo_ref: "main", sequence: [building, { status: "DEPLOYED" }] });
  emulator.addFault({ kind: "statuses", repo_ref: "theirs", sequence: [{ status: "DEPLOYED" }] });
  clock.at(clock.elapsed() + 5_000, () => void emulator.addConcurrentRevision(stored().id, "theirs"));

  const run = await deploy({ rollback_on_failure: "true" });

  expect(stableHead(run.summary)).toMatchInlineSnapshot(`
"## ⏭️ Deployment \`agent\`: superseded
> [!CAUTION]
> Revision \`id-2…\` was superseded: the newer revision \`id-4…\` is live.
> **What to do next:** If the newer revision is the one you want, there is nothing to do. To keep runs from overtaking each other, use a concurrency group in the workflow."
`);
  expect(run.summary).toContain(`| Live revision | \`${stored().latest_revision_id}\` |`);
});

test("the summary of a cancelled deploy", async () => {
  const { pass, startDeploy } = await startWithLive();

  const run = await cancelOnce(startDeploy(), pass(9));

  expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## 🚫 Deployment \`agent\`: cancelled

> [!CAUTION]
> The run was cancelled (\`SIGINT\`).
>
> Revision \`id-2…\` of deployment \`id-1\` is still running on the platform, and may go live without checks or a rollback.
>
> **What to do next:** If a newer run replaced this one, there is nothing to do. Otherwise, run the job again if it is still needed.

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Source | \`main\` |
| Commit | \`dcd290b424dd4bcf7885d142fbc8949fd14c957c\` |
| Took | 9 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 6 s |
| \`QUEUED\` | 6 s | 3 s |

"
`);
});

test("the summary of a deploy that nobody waits for", async () => {
  const { deploy } = await startWithLive();

  const run = await deploy({ wait: "false" });

  expect(stableText(run.summary)).toMatchInlineSnapshot(`
"## 🚀 Deployment \`agent\`: started

Revision \`id-2…\` was started. This run does not wait for it (\`wait: false\`).

| Deployment | \`agent\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Source | \`main\` |
| Commit | \`dcd290b424dd4bcf7885d142fbc8949fd14c957c\` |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1001>) |

| Status | First seen after | Duration |
|:---|---:|---:|
| \`CREATING\` | 0 s | 0 s |

"
`);
});
