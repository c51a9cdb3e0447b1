import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { defaultToken } from "../support/runner/run-action.ts";

let github: GitHubStandIn;
const repo = "/repos/octo-org/octo-repo";

beforeEach(async () => {
  github = await startGitHub();
});

afterEach(async () => {
  await github.close();
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(github.url + path, {
    method,
    headers: { authorization: `token ${defaultToken}`, "user-agent": "test", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

test.each([
  ["an unknown field", "POST", "/deployments", { ref: "main", required_context: [] }, "(required_context)"],
  ["a missing field", "POST", "/deployments", { task: "deploy" }, "'ref'"],
  [
    "a field of another type",
    "POST",
    "/deployments",
    { ref: "main", auto_merge: "false" },
    "/auto_merge must be boolean",
  ],
  ["null where there is none", "POST", "/deployments", { ref: "main", environment: null }, "/environment"],
  ["a payload that is a list", "POST", "/deployments", { ref: "main", payload: [] }, "/payload"],
  ["a wrong enum value", "POST", "/deployments/1/statuses", { state: "cancelled" }, "/state"],
  ["no body", "POST", "/issues/1/comments", undefined, "body is missing"],
  ["a body that isn't JSON", "POST", "/issues/1/comments", "{", "isn't JSON"],
  ["a body where none is taken", "DELETE", "/issues/comments/1", { body: "x" }, "takes none"],
  ["an unknown query parameter", "GET", "/deployments?state=success", undefined, "(state)"],
  ["a repeated query parameter", "GET", "/deployments?task=a&task=b", undefined, "twice"],
  ["a page too long", "GET", "/deployments?per_page=101", undefined, "per_page is 101"],
  ["a page zero", "GET", "/deployments?page=0", undefined, "page is 0"],
  ["a page that is no number", "GET", "/deployments?page=x", undefined, "/page must be integer"],
  ["an id that is no number", "GET", "/deployments/latest", undefined, "/deployment_id must be integer"],
] as const)("%s is a violation, answered with 422", async (_, method, path, body, problem) => {
  const { status, text } = await send(method, repo + path, body);
  expect(github.violations[0]).toContain(`${method} ${repo}`);
  expect(github.violations.join("\n")).toContain(problem);
  expect(status).toBe(422);
  expect(JSON.parse(text).message).toContain(problem);
  expect(github.deployments()).toEqual([]);
});

test.each([
  ["GET", "/repos/octo-org/octo-repo/deployment", "no such operation", 404],
  ["PUT", "/repos/octo-org/octo-repo/deployments", "no such operation", 404],
  ["GET", "/user", "doesn't emulate it", 501],
])("%s %s is a violation", async (method, path, problem, status) => {
  await expect(send(method, path)).resolves.toMatchObject({ status });
  expect(github.violations).toEqual([expect.stringContaining(problem)]);
});

test("what GitHub asks of headers is asked here", async () => {
  await send("GET", `${repo}/deployments`, undefined, { "user-agent": "" });
  await send("GET", `${repo}/deployments`, undefined, { accept: "application/vnd.github.raw+json" });
  expect(github.violations).toEqual([
    expect.stringContaining("User-Agent header is missing"),
    expect.stringContaining("application/vnd.github.raw+json is not emulated"),
  ]);
});

test("answers name their request, as those of GitHub do", async () => {
  const headers = { authorization: `token ${defaultToken}`, "user-agent": "test" };
  const answer = await fetch(`${github.url}${repo}/deployments/1`, { headers });
  expect(answer.status).toBe(404);
  expect(answer.headers.get("x-github-request-id")).toMatch(/^[0-9A-F:]+$/u);
});

test("a violation counts even where the request goes wrong for another reason", async () => {
  github.fail({ kind: "answer", status: 500 });
  await expect(send("POST", `${repo}/deployments`, {})).resolves.toMatchObject({ status: 500 });
  await expect(send("POST", `${repo}/deployments`, {}, { authorization: "" })).resolves.toMatchObject({
    status: 401,
  });
  expect(github.violations).toHaveLength(2);
});

test("only a known token gets in, in either form", async () => {
  const statuses = await Promise.all(
    [`Bearer ${defaultToken}`, `token ${defaultToken}`, "Bearer other", ""].map(
      async (authorization) =>
        (await send("GET", `${repo}/deployments`, undefined, { authorization })).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 401, 401]);
});

test("another repository isn't there, the same one in other letters is", async () => {
  await expect(send("GET", "/repos/octo-org/other/deployments")).resolves.toMatchObject({ status: 404 });
  await expect(send("GET", "/repos/Octo-Org/OCTO-repo/deployments")).resolves.toMatchObject({ status: 200 });
});

test("GraphQL answers who the token writes as, and nothing else", async () => {
  const asked = await send("POST", "/graphql", { query: "query Who {\n viewer { login }\n}" });
  expect(JSON.parse(asked.text)).toEqual({ data: { viewer: { login: "github-actions[bot]" } } });
  expect(github.violations).toEqual([]);
  const other = await send("POST", "/graphql", { query: "{ viewer { email } }", extra: 1 });
  expect(JSON.parse(other.text).errors).toHaveLength(2);
  expect(github.violations).toHaveLength(2);
  await expect(send("POST", "/graphql", {}, { authorization: "" })).resolves.toMatchObject({ status: 401 });
});

const statesQuery =
  "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Deployment { latestStatus { state } } } }";

async function states(variables: unknown, query = statesQuery) {
  const { text } = await send("POST", "/graphql", { query, variables });
  return JSON.parse(text);
}

test("GraphQL answers with the newest states of deployments, in the order of their ids", async () => {
  const [first, second] = [1, 2].map(() => github.records.add({ ref: "main" }, "octocat"));
  const ids = [second?.nodeId, first?.nodeId];
  github.records.addStatus(first?.id ?? 0, { state: "success" }, "octocat");
  github.records.addStatus(first?.id ?? 0, { state: "in_progress" }, "octocat");
  const nodes = [{ latestStatus: null }, { latestStatus: { state: "IN_PROGRESS" } }];
  await expect(states({ ids })).resolves.toEqual({ data: { nodes } });
  const inOneLine = "query States($ids:[ID!]!){nodes(ids:$ids){...on Deployment{latestStatus{state}}}}";
  await expect(states({ ids }, inOneLine)).resolves.toEqual({ data: { nodes } });
  const listed = await send("GET", `${repo}/deployments`);
  expect(JSON.parse(listed.text)).toMatchObject([{ node_id: ids[0] }, { node_id: ids[1] }]);
  const unknown = await states({ ids: ["DE_x", second?.nodeId] });
  expect(unknown).toMatchObject({ data: { nodes: [null, nodes[0]] }, errors: [{ type: "NOT_FOUND" }] });
  github.permissions = { ...github.permissions, deployments: "none" };
  await expect(states({ ids })).resolves.toMatchObject({ data: null, errors: [{ type: "FORBIDDEN" }] });
  expect(github.violations).toEqual([]);
});

test.each([
  ["no ids", {}],
  ["an empty list of them", { ids: [] }],
  ["more than a hundred", { ids: Array(101).fill("DE_x") }],
  ["an id that is no text", { ids: [1] }],
  ["an unknown variable", { ids: ["DE_x"], first: 1 }],
])("GraphQL takes no query of states with %s", async (_what, variables) => {
  await expect(states(variables)).resolves.toMatchObject({ data: null, errors: [{}] });
  expect(github.violations).toEqual([expect.stringContaining("variables: ")]);
});

test("every request is in the log, without the token", async () => {
  const clocked = await startGitHub({ now: () => 1_700_000_000_000 });
  await fetch(`${clocked.url}${repo}/deployments?task=x`, { headers: { authorization: "token secret" } });
  expect(clocked.requests).toEqual([
    expect.objectContaining({
      method: "GET",
      path: `${repo}/deployments`,
      query: { task: ["x"] },
      body: undefined,
      status: 401,
      at: 1_700_000_000_000,
    }),
  ]);
  expect(JSON.stringify(clocked.requests)).not.toContain("secret");
  await clocked.close();
});

test("requests fail as told: answers, connections, before and after they took effect", async () => {
  github.pullRequests.open({ number: 1 });
  const comments = `${repo}/issues/1/comments`;
  const write = () => send("POST", comments, { body: "x" });
  github.fail({ kind: "answer", match: { method: "POST" }, status: 403, headers: { "retry-after": "60" } });
  await expect(write()).resolves.toMatchObject({ status: 403 });
  expect(github.comments(1)).toHaveLength(0);
  github.fail({ kind: "reset", match: { path: "/comments$" }, applied: true });
  await expect(write()).rejects.toThrow();
  expect(github.comments(1)).toHaveLength(1);
  github.fail({ kind: "cut" });
  await expect(write()).rejects.toThrow();
  expect(github.comments(1)).toHaveLength(2);
  const heal = github.fail({ kind: "hang", match: { times: "always" } });
  await expect(fetch(github.url + comments, { signal: AbortSignal.timeout(50) })).rejects.toThrow(/timeout/u);
  heal();
  await expect(write()).resolves.toMatchObject({ status: 201 });
  expect(github.violations).toEqual([]);
});
