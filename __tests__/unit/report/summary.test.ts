import { expect, test } from "@jest/globals";
import type { Ending, Outcome } from "../../../src/ending.ts";
import { classifyStatus } from "../../../src/platform/status.ts";
import { initialState, type RunState } from "../../../src/report/run-state.ts";
import { deploymentSummary, endingMarkdown } from "../../../src/report/summary.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { pushToMain } from "../../support/scenario.ts";

const { workflow } = recordingContext(pushToMain);
const outside = recordingContext({}).workflow;
const start = recordingContext({}).clock.now();
const [queued, ended] = [classifyStatus("QUEUED"), classifyStatus("DEPLOYED")];

const live: RunState = {
  ...initialState(start - 5000),
  title: "agent",
  name: "agent",
  deploymentId: "d-1",
  revisionId: "r-1",
  created: true,
  url: "https://agent.example/",
  source: "main",
  writtenAt: start,
  statuses: [
    { status: queued, at: start },
    { status: ended, at: start + 30_000 },
  ],
};
const deployed: Ending = { outcome: "deployed", headline: "Revision r-1 is live at https://agent.example/." };
const failed: Ending = { outcome: "failed", headline: "It failed." };

test("the summary of a success shows what was deployed where, with links, and how long it took", () => {
  expect(deploymentSummary(live, deployed, workflow, start + 31_000).split("\n")).toEqual([
    "## ✅ Deployment `agent`: deployed",
    "",
    "Revision `r-1` is live at `https://agent.example/`.",
    "",
    "| | |",
    "|---|---|",
    "| Deployment | `agent`, id `d-1`, created by this run |",
    "| Revision | `r-1` |",
    "| Deploys | `main` |",
    "| Commit of this run | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>) |",
    "| URL | [`https://agent.example/`](<https://agent.example/>) |",
    "| Took | 31 s |",
    "",
    "| Status | First seen after | Lasted |",
    "|---|---:|---:|",
    "| `QUEUED` | 0 s | 30 s |",
    "| `DEPLOYED` | 30 s | |",
    "",
    "```mermaid",
    "gantt",
    "    title Time in each status (in seconds)",
    "    dateFormat x",
    "    axisFormat %s",
    "    QUEUED :0, 30000",
    "```",
    "",
    "",
  ]);
});

test("the summary links to the deployment's page, and to Studio if it is live, unless it is deleted", () => {
  const state = { ...live, site: { url: "https://smith.langchain.com", workspaceId: "w" } };
  const summaryOf = (ending: Ending) => deploymentSummary(state, ending, workflow, start);

  expect(summaryOf(deployed)).toMatch(/\| On the platform \| .*\/o\/w\/host\/deployments\/d-1.*\/studio\//);
  expect(summaryOf(failed)).toContain("/o/w/host/deployments/d-1");
  expect(summaryOf(failed)).not.toContain("/studio/");
  expect(summaryOf({ ...deployed, outcome: "deleted" })).not.toContain("On the platform");
});

test("the summary of a failure is an alert with findings and hint, and shows no URL as if it were deployed", () => {
  const ending: Ending = {
    ...failed,
    details: ["The health check failed."],
    hint: "Look at app_config_path.",
    findings: ["body.name: bad", "body.wait: too bad"],
  };

  const summary = deploymentSummary(live, ending, workflow, start);

  expect(summary.split("\n").slice(0, 9)).toEqual([
    "## ❌ Deployment `agent`: failed",
    "",
    "> [!CAUTION]",
    "> It failed. The health check failed.",
    "> - `body.name`: bad",
    "> - `body.wait`: too bad",
    ">",
    "> **What to do next:** Look at `app_config_path`.",
    "",
  ]);
  expect(summary).not.toContain("agent.example");
});

test("the summary of a run that knows nothing has no empty table", () => {
  expect(deploymentSummary(initialState(start), failed, outside, start)).toBe(
    "## ❌ Deployment: failed\n\n> [!CAUTION]\n> It failed.\n\n",
  );
});

test("the heading shows the outcome as people read it", () => {
  expect(deploymentSummary(live, { ...failed, outcome: "timed_out" }, workflow, start)).toContain(
    "## ❌ Deployment `agent`: timed out\n",
  );
});

test.each<[string, Partial<RunState>, Outcome, string]>([
  [
    "an updated deployment",
    { created: false },
    "failed",
    "| Deployment | `agent`, id `d-1`, updated by this run |",
  ],
  [
    "a deployment that was not written",
    { writtenAt: undefined },
    "failed",
    "| Deployment | `agent`, id `d-1` |",
  ],
  ["a deleted deployment", { deleted: ["agent"] }, "deleted", "| Deployment | `agent`, id `d-1`, deleted |"],
  ["a deployment that was deleted before", {}, "deleted", "| Deployment | `agent`, id `d-1` |"],
  ["a deployment without an id", { deploymentId: undefined }, "failed", "| Deployment | `agent` |"],
  [
    "a resumed revision",
    { isResumed: true },
    "deployed",
    "| Deployment | `agent`, id `d-1` |\n| Revision | `r-1`, started by an earlier attempt or step of this run |",
  ],
  ["the built commit", { commitSha: "abc" }, "failed", "| Built from commit | `abc` |"],
  ["a rollback", { rolledBackTo: "r-0" }, "failed", "| Rolled back to | `r-0` |"],
  [
    "that the commit of a rollback's run is not deployed",
    { rollbackTarget: "r-0", rolledBackTo: "r-0" },
    "deployed",
    "| Commit of this run (not deployed by this step) | [`0123456`](<https://github.com/octo-org/octo-repo/commit/0123456789abcdef0123456789abcdef01234567>) |",
  ],
  ["the typical duration", { typicalMs: 60_000 }, "deployed", "| Took | 31 s (usually 1 min) |"],
])("the table shows %s", (_what, parts, outcome, rows) => {
  const summary = deploymentSummary(
    { ...live, ...parts },
    { ...deployed, outcome },
    workflow,
    start + 31_000,
  );

  expect(summary).toContain(`${rows}\n`);
});

test("the summary shows the end of a failure log and the request of a dry run as code", () => {
  const state: RunState = {
    ...live,
    request: '{\n  "a": 1\n}',
    failureLog: { type: "build", lines: ["no disk"] },
  };

  const summary = deploymentSummary(state, failed, workflow, start);

  expect(summary).toContain("### End of the build log\n\n```text\nno disk\n```");
  expect(summary).toContain('Request that would be sent:\n\n```text\n{\n  "a": 1\n}\n```');
});

test("an ending without a hint has no next step", () => {
  expect(endingMarkdown(failed)).toBe("> [!CAUTION]\n> It failed.");
  expect(endingMarkdown({ ...deployed, headline: "Live.", hint: "Look there." })).toBe("Live.");
});
