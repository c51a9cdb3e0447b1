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
    return {
      approved: false,
      log: String(Object(error).stdout),
      summary: readFileSync(summary, "utf8"),
      requests,
    };
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

test.each([
  ["its environment has no rules", 200, environment()],
  ["its environment has other rules only", 200, environment("branch_policy")],
  ["the environment can't be read", 403, { message: "Resource not accessible: required_reviewers" }],
])("the approval fails if %s", async (_when, status, body) => {
  expect(await check(reviewersCheck, status, body)).toMatchObject({
    approved: false,
    log: expect.stringContaining(
      "::error::Could not confirm that production-approval has required reviewers.",
    ),
    summary: expect.stringContaining("## ❌ Not approved"),
  });
});

// As in https://docs.github.com/en/rest/deployments/deployments#list-deployments
const recordOf = (sha: string) => ({ id: 1, sha, environment: "staging", task: "deploy:my-agent-staging" });

test("the approval holds if the newest record of staging is of this commit", async () => {
  expect(await check(stagingCheck, 200, [recordOf(commit)])).toEqual({
    approved: true,
    requests: [
      [
        "/repos/octo-org/my-agent/deployments?environment=staging&task=deploy:my-agent-staging&per_page=1",
        "Bearer local-token",
      ],
    ],
  });
});

test.each([
  ["it is of another one", [recordOf("2fd4e1c67a2d28fced849ee1bb76e7391b93eb12")]],
  ["there is none", []],
])("the approval fails if the newest record of staging is not of this commit: %s", async (_why, body) => {
  expect(await check(stagingCheck, 200, body)).toMatchObject({
    approved: false,
    log: expect.stringContaining(
      `::error::The newest deploy that GitHub shows in staging is not of commit ${commit}.`,
    ),
    summary: expect.stringContaining("## ❌ Not promoted"),
  });
});

test("the approval fails if the records of staging can't be read, and names the permission", async () => {
  expect(await check(stagingCheck, 403, { message: commit })).toMatchObject({
    approved: false,
    log: expect.stringMatching(/::error::Could not read which commit is in staging\..* deployments: read/),
    summary: expect.stringContaining("## ❌ Not promoted"),
  });
});
