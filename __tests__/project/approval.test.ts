// The checks in the approval jobs of docs/workflows/promote.yml and release.yml, which act skips.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { parse } from "yaml";
import { root } from "../../scripts/support/run.ts";
import { closeServer, listen } from "../support/listen.ts";

const read = (path: string) => readFileSync(join(root, "docs", path), "utf8");

/** The scripts of the approval job: they check its reviewers, and that nothing newer is in staging. */
function approvalChecks(workflow: string): string[] {
  return parse(workflow).jobs.approval.steps.map((step: { readonly run: string }) => step.run);
}

const [reviewersCheck = "", stagingCheck = ""] = approvalChecks(read("workflows/promote.yml"));
const commit = "1f3870be274f6c49b3e31a0c6728957f5e1c9a10";
const path = "/repos/octo-org/my-agent/environments/production-approval";
// As in https://docs.github.com/en/rest/deployments/environments#get-an-environment
const environment = (...types: readonly string[]) => ({
  name: "production-approval",
  protection_rules: types.map((type, id) => ({ id, type })),
});

/** Runs a check against a GitHub that sends this response. */
async function check(script: string, status: number, body: unknown) {
  const requests: (string | undefined)[][] = [];
  const server = createServer(({ url, headers }, response) => {
    requests.push([url, headers.authorization]);
    response.writeHead(status).end(JSON.stringify(body, null, 2));
  });
  const port = await listen(server);
  const folder = mkdtempSync(join(tmpdir(), "approval-"));
  const summary = join(folder, "summary.md");
  const variables = {
    GITHUB_API_URL: `http://127.0.0.1:${port}`,
    GITHUB_REPOSITORY: "octo-org/my-agent",
    GITHUB_SHA: commit,
    GITHUB_STEP_SUMMARY: summary,
    TOKEN: "local-token",
  };
  try {
    // The shell of `run` on GitHub: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
    await promisify(execFile)("bash", ["-e", "-c", script], { env: { ...process.env, ...variables } });
    return { approved: true, requests };
  } catch (error) {
    return { approved: false, log: String(Object(error).stdout), summary: readFileSync(summary, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
    await closeServer(server);
  }
}

test("the approval of a release has the same check", () => {
  // It has no staging.
  expect(approvalChecks(read("workflows/release.yml"))).toEqual([reviewersCheck]);
});

test("the approval holds if its environment has required reviewers", async () => {
  expect(await check(reviewersCheck, 200, environment("wait_timer", "required_reviewers"))).toEqual({
    approved: true,
    requests: [[path, "Bearer local-token"]],
  });
});

// As in https://docs.github.com/en/rest/deployments/deployments#list-deployments
const recordOf = (sha: string) => ({ id: 1, sha, environment: "staging", task: "deploy:my-agent-staging" });

test("the approval holds if the newest record of staging is of this commit", async () => {
  const query = "environment=staging&task=deploy:my-agent-staging&per_page=1";

  expect(await check(stagingCheck, 200, [recordOf(commit)])).toEqual({
    approved: true,
    requests: [[`/repos/octo-org/my-agent/deployments?${query}`, "Bearer local-token"]],
  });
});

const unreviewed = /::error::Could not confirm that production-approval has required reviewers\./;
const notInStaging = new RegExp(
  `::error::The newest deploy that GitHub shows in staging is not of commit ${commit}\\.`,
);
const other = recordOf("2fd4e1c67a2d28fced849ee1bb76e7391b93eb12");
const unreadable = /::error::Could not read which commit is in staging\..* deployments: read/;
const refused = { message: `Resource not accessible: required_reviewers ${commit}` };

test.each([
  ["its environment has no rules", reviewersCheck, 200, environment(), unreviewed],
  ["its environment has other rules only", reviewersCheck, 200, environment("branch_policy"), unreviewed],
  ["the environment can't be read", reviewersCheck, 403, refused, unreviewed],
  ["the newest record of staging is of another commit", stagingCheck, 200, [other], notInStaging],
  ["staging has no record", stagingCheck, 200, [], notInStaging],
  ["the records of staging can't be read", stagingCheck, 403, refused, unreadable],
])("the approval fails if %s, and the summary says so", async (_when, script, status, body, error) => {
  expect(await check(script, status, body)).toMatchObject({
    approved: false,
    log: expect.stringMatching(error),
    summary: expect.stringContaining(script === stagingCheck ? "## ❌ Not promoted" : "## ❌ Not approved"),
  });
});
