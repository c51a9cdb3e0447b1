import { expect, test } from "@jest/globals";
import type { Ending, Outcome } from "../../../../src/errors.ts";
import { readWorkflowRun } from "../../../../src/github/workflow-run.ts";
import { classifyStatus } from "../../../../src/platform/status.ts";
import { resultMarkdown } from "../../../../src/report/sections/result.ts";
import { deploymentSummary } from "../../../../src/report/writers/summary.ts";
import { code, id, input, text, url } from "../../../../src/text/message.ts";
import { factsWith, plainRenderer } from "../support/facts.ts";

const workflow = readWorkflowRun({
  GITHUB_REPOSITORY: "octo-org/octo-repo",
  GITHUB_SHA: "0123456789abcdef0123456789abcdef01234567",
});
const outside = readWorkflowRun({});
const start = Date.parse("2026-03-02T09:00:00Z");
const [queued, ended] = [classifyStatus("QUEUED"), classifyStatus("DEPLOYED")];

type Facts = Parameters<typeof factsWith>[0];

const live: Facts = {
  title: "agent",
  name: "agent",
  deploymentId: "d-1",
  revisionId: "b637c2f0-1111-4222-8333-123456789abc",
  created: true,
  url: "https://agent.example/",
  source: text`${code("main")}`,
  requestedAt: start,
  statuses: [
    { status: queued, at: start },
    { status: ended, at: start + 30_000 },
  ],
};
const deployed: Ending = {
  outcome: "deployed",
  message: text`Revision ${id("b637c2f0-1111-4222-8333-123456789abc")} is live at ${url("https://agent.example/")}.`,
};
const failed: Ending = { outcome: "failed", message: text`It failed.` };

/** The summary of a run with these facts, by default one that is live, after 31 s. */
function summaryOf(result: Ending, facts: Facts = {}, now = start + 31_000): string {
  return deploymentSummary(
    { facts: factsWith({ ...live, ...facts }, start - 5000), result, workflow, now },
    plainRenderer,
  );
}

test("the summary of a success shows what was deployed where, with links, and how long it took", () => {
  expect(summaryOf(deployed).split("\n")).toEqual([
    "## ✅ Deployment `agent`: deployed",
    "",
    "This run's revision is live at [`https://agent.example/`](<https://agent.example/>).",
    "",
    "| URL | [`https://agent.example/`](<https://agent.example/>) |",
    "|:---|:---|",
    "| Deployment | `agent`, ID `d-1`, created by this run |",
    "| Revision | `b637c2f0-1111-4222-8333-123456789abc` |",
    "| Source | `main` |",
    "| Commit of this run | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>) |",
    "| Took | 31 s |",
    "",
    "| Status | First seen after | Duration |",
    "|---|---:|---:|",
    "| `QUEUED` | 0 s | 30 s |",
    "| `DEPLOYED` | 30 s | |",
    "",
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    "    Request sent :milestone, 0, 0",
    "    QUEUED :0, 30000",
    "    DEPLOYED :milestone, 30000, 30000",
    "```",
    "",
    "",
  ]);
});

test("the summary links to the deployment's page, and to Studio if it is live, unless it is deleted", () => {
  const facts = { consoleLinks: { url: "https://smith.langchain.com", workspaceId: "w" } };

  expect(summaryOf(deployed, facts)).toMatch(
    /\| On the platform \| .*\/o\/w\/host\/deployments\/d-1.*\/studio\//,
  );
  expect(summaryOf(failed, facts)).toContain("/o/w/host/deployments/d-1");
  expect(summaryOf(failed, facts)).not.toContain("/studio/");
  expect(summaryOf({ ...deployed, outcome: "deleted" }, facts)).not.toContain("On the platform");
});

test("the summary of a failure is an alert with problems and hint, and shows no URL as if it were deployed", () => {
  const summary = summaryOf({
    ...failed,
    details: [text`The health check failed.`],
    hint: text`Check ${input("app_config_path")}.`,
    problems: [text`${code("body.name")}: bad`, text`${code("body.wait")}: too bad`],
  });

  expect(summary.split("\n").slice(0, 11)).toEqual([
    "## ❌ Deployment `agent`: failed",
    "",
    "> [!CAUTION]",
    "> It failed.",
    ">",
    "> The health check failed.",
    "> - `body.name`: bad",
    "> - `body.wait`: too bad",
    ">",
    "> **What to do next:** Check `app_config_path`.",
    "",
  ]);
  expect(summary).not.toContain("agent.example");
});

test("the summary of a run that knows nothing has no empty table", () => {
  const nothing = { facts: factsWith({}, start), result: failed, workflow: outside, now: start };

  expect(deploymentSummary(nothing, plainRenderer)).toBe(
    "## ❌ Deployment: failed\n\n> [!CAUTION]\n> It failed.\n\n",
  );
});

test("the heading of a run begins with the outcome's mark, and shows the outcome as people read it", () => {
  expect(summaryOf({ ...failed, outcome: "timed_out" })).toContain("## ❌ Deployment `agent`: timed out\n");
});

test.each<[string, Facts, Outcome, string]>([
  [
    "an updated deployment",
    { created: false },
    "failed",
    "| Deployment | `agent`, ID `d-1`, updated by this run |\n|:---|:---|",
  ],
  [
    "a deployment that was not written",
    { requestedAt: undefined },
    "failed",
    "| Deployment | `agent`, ID `d-1` |",
  ],
  ["a deleted deployment", { deleted: ["agent"] }, "deleted", "| Deployment | `agent`, ID `d-1`, deleted |"],
  ["a deployment that was deleted before", {}, "deleted", "| Deployment | `agent`, ID `d-1` |"],
  ["a deployment without an id", { deploymentId: undefined }, "failed", "| Deployment | `agent` |"],
  [
    "a resumed revision",
    { isResumed: true },
    "deployed",
    "| Deployment | `agent`, ID `d-1` |\n| Revision | `b637c2f0-1111-4222-8333-123456789abc`, started by an earlier attempt or step of this run |",
  ],
  ["the built commit", { commitSha: "abc" }, "failed", "| Built from commit | `abc` |"],
  [
    "the built commit as a link if it is the run's",
    { commitSha: "0123456789abcdef0123456789abcdef01234567" },
    "deployed",
    "| Built from commit | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>), the commit of this run |",
  ],
  ["a rollback", { rolledBackTo: "r-0" }, "failed", "| Rolled back to | `r-0` |"],
  [
    "that the commit of a rollback's run is not deployed",
    { rollbackTarget: "r-0", rolledBackTo: "r-0" },
    "deployed",
    "| Commit of this run (not what is deployed) | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>) |",
  ],
  ["the typical duration", { typicalMs: 60_000 }, "deployed", "| Took | 31 s (expected: 1 min) |"],
])("the table shows %s", (_what, facts, outcome, rows) => {
  expect(summaryOf({ ...deployed, outcome }, facts)).toContain(`${rows}\n`);
});

const failureLog = { type: "deploy", lines: [{ label: "", text: "no disk" }] } as const;

test("the end of the log is open if the revision failed, and collapsed if a check did", () => {
  const statuses = [{ status: classifyStatus("DEPLOY_FAILED"), at: start }];

  expect(summaryOf(failed, { statuses, failureLog })).toContain(
    "### End of the deploy log\n\n```text\nno disk\n```",
  );
  expect(summaryOf(failed, { failureLog })).toContain(
    "<details><summary>End of the deploy log</summary>\n\n```text\nno disk\n```\n\n</details>",
  );
});

test("the summary shows the request of a dry run as code", () => {
  const summary = summaryOf(failed, { requests: [{ request: "POST /v2/d", body: '{\n  "a": 1\n}' }] });

  const title = "<details><summary>Request that would be sent: <code>POST /v2/d</code></summary>";
  expect(summary).toContain(`${title}\n\n\`\`\`text\n{\n  "a": 1\n}\n\`\`\`\n\n</details>`);
});

test("of several checks that passed, the summary has one sentence and a table", () => {
  const check = {
    kind: "smoke test",
    name: "greets",
    passed: true,
    message: text`It passed.`,
    durationMs: 1800,
  } as const;
  const details = [text`The first passed. The second passed.`];

  const summary = summaryOf({ ...deployed, details }, { checks: [check, { ...check, name: "answers" }] });

  expect(summary).toContain("(<https://agent.example/>). Both checks passed.\n");
  expect(summary).toContain("| ✅ | smoke test `answers` | 1.8 |");
  expect(summary).not.toContain("The first passed");
});

test("a result without a hint has no next step, and neither has a success", () => {
  expect(resultMarkdown(failed, plainRenderer)).toBe("> [!CAUTION]\n> It failed.");
  expect(
    resultMarkdown({ outcome: "deployed", message: text`Live.`, hint: text`Look there.` }, plainRenderer),
  ).toBe("Live.");
});
