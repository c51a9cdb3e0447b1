import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  cancelOnce,
  expectError,
  immediate,
  startScenario,
  taskOf7,
  writes,
} from "../../support/scenario.ts";
import { stableText } from "../../support/stable-text.ts";

const onLangsmith = { platform: "langsmith", statusSeconds: 5 } as const;
const healthCheck = { health_check_path: "/ok", health_check_timeout_seconds: "5" };

test("a preview that is not healthy is rolled back, and its comment and record show that", async () => {
  const { emulator, github, open, preview, push, requested } = await startScenario(onLangsmith);
  open();
  const first = await preview("opened");
  push("b".repeat(40));
  const unhealthy = { body: { detail: "Not yet." }, times: "always" } as const;
  const heal = emulator.addFault(answer("/ok$", 503, unhealthy));
  void requested("POST", /\/redeploy$/).then(heal);

  const run = await preview("synchronize", { inputs: { ...healthCheck, rollback_on_failure: "true" } });

  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: first.outputs.revision_id });
  expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST", "POST"]);
  expect(stableText(github.comments(7)[0]?.body ?? "")).toMatchInlineSnapshot(`
"<!-- deploy-agent-server preview:octo-repo-7739a-pr-7 -->
### ❌ Preview \`octo-repo-7739a-pr-7\`: failed (health check failed), rolled back

**[\`http://127.0.0.1/live/octo-repo-7739a-pr-7\`](<http://127.0.0.1/live/octo-repo-7739a-pr-7>)**

> [!CAUTION]
> Revision \`id-2…\` went live, but did not pass its checks. The health check failed: expected a 2xx status of \`GET /ok\` within 5 s, received 503, \`Not yet\`.
>
> Rolled back: the content of revision \`id-3…\` is live again as revision \`id-4…\`.
>
> **What to do next:** Check \`health_check_path\`, and read the log of the agent server. To give it more time, raise \`health_check_timeout_seconds\`.

| | Check | Seconds |
|:---|:---|---:|
| ✅ | serving check \`/info\` | 0.0 |
| ❌ | health check \`/ok\` | 5.0 |
| ✅ | Rollback: serving check \`/info\` | 0.0 |
| ✅ | Rollback: health check \`/ok\` | 0.0 |

<details open><summary>❌ health check <code>/ok</code></summary>

\`\`\`text
Request:  GET /ok
Expected: a 2xx status of GET /ok within 5 s
Received: 503, "Not yet"
\`\`\`

</details>

<details><summary>End of the deploy log</summary>

\`\`\`text
Pulling the image that was built
Starting the server
Waiting until the server is healthy
The server is healthy
\`\`\`

</details>

| Deployment | \`octo-repo-7739a-pr-7\`, ID \`id-1\` |
|:---|:---|
| Revision | \`id-2\` |
| Previous revision | \`id-3\` |
| Live revision | \`id-4\` |
| Rolled back to | \`id-3\` |
| Source | \`feature-7\` |
| Commit | \`204e9f51fce0554251a4646c37f0ac8b84770457\` |
| Agent server | \`1.0.0\` |
| Took | 58 s |
| Log | [view run](<https://github.com/octo-org/octo-repo/actions/runs/1002>) |

<sub>Updated 2026-03-02 09:01 UTC</sub>"
`);
  expect(github.deployments(taskOf7)[0]?.statuses[0]).toMatchObject({ state: "failure" });
});

test("a preview run that is cancelled after its checks says nothing about its revision", async () => {
  const { github, open, startPreview, until } = await startScenario(immediate);
  open();
  github.fail({ kind: "hang", match: { path: "/pulls/7$" } });

  const asked = until(() => github.requests.some(({ path }) => path.endsWith("/pulls/7")));
  const run = await cancelOnce(startPreview("opened"), asked);

  expect(run.outputs).toMatchObject({ outcome: "cancelled", status: "DEPLOYED" });
  expectError(run, "SIGINT");
  expect(run.errors[0]).not.toContain("Revision");
});

test("a preview that fails its checks is not told to roll back: the next push replaces it", async () => {
  const { emulator, open, preview } = await startScenario(onLangsmith);
  open();
  emulator.addFault(answer("/ok$", 503, { times: "always" }));

  const run = await preview("opened", { inputs: healthCheck });

  expectError(run, "This revision stays live. What to do next: Check health_check_path");
});
