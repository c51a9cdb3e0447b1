import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { defaultToken } from "../support/runner/run-action.ts";

const repo = "/repos/octo-org/octo-repo";
let github: GitHubStandIn;

beforeEach(async () => {
  github = await startGitHub();
});

afterEach(async () => {
  await github.close();
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(github.url + path, {
    method,
    headers: { authorization: `Bearer ${defaultToken}`, "user-agent": "test", ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

test.each([
  ["an unknown field", "POST", "/deployments", { ref: "main", required_context: [] }, "(required_context)"],
  ["a missing field", "POST", "/deployments", { task: "deploy" }, "'ref'"],
  ["a field of another type", "POST", "/deployments", { ref: "main", auto_merge: "no" }, "must be boolean"],
  ["null instead of a value", "POST", "/deployments", { ref: "main", environment: null }, "/environment"],
  ["a payload that is a list", "POST", "/deployments", { ref: "main", payload: [] }, "/payload"],
  ["a wrong enum value", "POST", "/deployments/1/statuses", { state: "cancelled" }, "/state"],
  ["no body", "POST", "/issues/1/comments", undefined, "body is missing"],
  ["a body that is not JSON", "POST", "/issues/1/comments", "{", "is not JSON"],
  ["a body that is not taken", "DELETE", "/issues/comments/1", { body: "x" }, "takes none"],
  ["an unknown query parameter", "GET", "/deployments?state=success", undefined, "(state)"],
  ["a repeated query parameter", "GET", "/deployments?task=a&task=b", undefined, "twice"],
  ["a page that is too long", "GET", "/deployments?per_page=101", undefined, "per_page is 101"],
  ["page zero", "GET", "/deployments?page=0", undefined, "page is 0"],
  ["a page that is no number", "GET", "/deployments?page=x", undefined, "/page must be integer"],
  ["an id that is no number", "GET", "/deployments/x/statuses", undefined, "/deployment_id must be integer"],
] as const)("a request with %s is a violation and gets 422", async (_what, method, path, body, problem) => {
  const response = await send(method, repo + path, body);

  expect(github.violations.join("\n")).toContain(`${method} ${repo}`);
  expect(github.violations.join("\n")).toContain(problem);
  expect(response).toMatchObject({ status: 422, body: { message: expect.stringContaining(problem) } });
  expect(github.deployments()).toEqual([]);
});

test.each([
  [{ "user-agent": "" }, "User-Agent"],
  [{ accept: "application/vnd.github.raw+json" }, "application/vnd.github.raw+json"],
  [{ "x-github-api-version": "2021-01-01" }, "2021-01-01"],
])("the headers %j are a violation", async (headers, problem) => {
  await send("GET", `${repo}/deployments`, undefined, headers);
  expect(github.violations).toEqual([expect.stringContaining(problem)]);
});
