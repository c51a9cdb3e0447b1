// The check in the approval job of docs/workflows/promote.yml, release.yml and docs/promote.md, which act skips.
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

function approvalCheck(workflow: string): string {
  return parse(workflow).jobs.approval.steps[0].run;
}

const run = approvalCheck(read("workflows/promote.yml"));
const path = "/repos/octo-org/my-agent/environments/production-approval";
// As in https://docs.github.com/en/rest/deployments/environments#get-an-environment
const environment = (...types: readonly string[]) => ({
  name: "production-approval",
  protection_rules: types.map((type, id) => ({ id, type })),
});

/** Runs the check against a GitHub that sends this response. */
async function check(status: number, body: unknown) {
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
    GITHUB_STEP_SUMMARY: summary,
    TOKEN: "local-token",
  };
  try {
    // The shell of `run` on GitHub: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
    await promisify(execFile)("bash", ["-e", "-c", run], { env: { ...process.env, ...variables } });
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

test("every way to promote has the same check", () => {
  const [, byImage = ""] = /^```yaml\n(permissions:.*?)^```$/ms.exec(read("promote.md")) ?? [];

  expect(approvalCheck(read("workflows/release.yml"))).toBe(run);
  expect(approvalCheck(byImage)).toBe(run);
});

test("the approval holds if its environment has required reviewers", async () => {
  expect(await check(200, environment("wait_timer", "required_reviewers"))).toEqual({
    approved: true,
    requests: [[path, "Bearer local-token"]],
  });
});

test.each([
  ["its environment has no rules", 200, environment()],
  ["its environment has other rules only", 200, environment("branch_policy")],
  ["the environment can't be read", 403, { message: "Resource not accessible: required_reviewers" }],
])("the approval fails if %s", async (_when, status, body) => {
  expect(await check(status, body)).toMatchObject({
    approved: false,
    log: expect.stringContaining(
      "::error::Could not confirm that production-approval has required reviewers.",
    ),
    summary: expect.stringContaining("## ❌ Not approved"),
  });
});
