import { expect, test } from "@jest/globals";
import { DEFAULT_WORKSPACE_ID } from "../../emulator/index.ts";
import { dispatch, schedule } from "./support/events.ts";
import { useReadyWorkflow } from "./support/use-workflow.ts";

/** Traces in the middle of last month. */
function tracesOfLastMonth(traces: number) {
  const now = new Date();
  const time = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString();
  const workspace = { workspace_id: DEFAULT_WORKSPACE_ID, workspace_name: "Mine" };
  const project = { project_id: "p1", project_name: "Support bot" };
  return { time, ...workspace, ...project, user_id: "u1", api_key_short_key: "lk-1f", traces };
}

const within = await useReadyWorkflow("usage.yml", { usage: [tracesOfLastMonth(12)] });
const beyond = await useReadyWorkflow("usage.yml", { usage: [tracesOfLastMonth(2_000_000)] });
const upload = "Main actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f";

test.each([
  ["every month", () => schedule("23 6 1 * *")],
  ["by hand", () => dispatch({})],
])("%s, last month's usage is reported and its files are kept", async (_when, event) => {
  const ended = await within.run(event());

  expect(ended).toMatchObject({ succeeded: true, jobs: { usage: "success" } });
  expect(ended.summary).toContain("Support bot");
  expect(ended.log).toMatch(/Artifact usage-\d{4}-\d{2}-01: usage.json\nArtifact usage-\S+: usage.csv\n/);
});

test.each([
  ["every month", () => schedule("23 6 1 * *")],
  ["by hand", () => dispatch({})],
])("a budget that was exceeded fails the job, and the files are kept anyway (%s)", async (_when, event) => {
  const ended = await beyond.run(event());

  expect(ended).toMatchObject({ succeeded: false, jobs: { usage: "failure" } });
  expect(ended.steps).toEqual([
    "usage: Main Work out last month, success",
    "usage: Main OWNER/REPO/usage@v1, failure",
    `usage: ${upload}, success`,
  ]);
  expect(ended.log).toMatch(/::error[^:]*::.*max_traces/);
});
