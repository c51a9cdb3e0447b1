import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { defaultToken } from "../support/runner/run-action.ts";

let github: GitHubStandIn;
let now: number;

beforeEach(async () => {
  now = Date.parse("2026-03-02T09:00:00.500Z");
  github = await startGitHub({
    now: () => now++,
    checksResponses: true,
    files: { "README.md": "# Hi\n", "app/config.json": "{}" },
    tokens: { other: { login: "octocat" } },
  });
});

/** Everything that was sent, and everything that came back, fits GitHub's description. */
afterEach(async () => {
  const { violations } = github;
  await github.close();
  expect(violations).toEqual([]);
});

/** Sends a request such as `GET /deployments` to the repository. */
async function call(line: string, body?: unknown, token = defaultToken) {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(`${github.url}/repos/octo-org/octo-repo${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "user-agent": "test" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

async function deploy(more: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await call("POST /deployments", { ref: "main", required_contexts: [], ...more });
  expect(status).toBe(201);
  return body.id;
}

function setState(id: number, state: string, more: Record<string, unknown> = {}) {
  return call(`POST /deployments/${id}/statuses`, { state, ...more });
}

/** Reads all pages of a list with two items per page. */
async function list(path: string) {
  const items: Record<string, unknown>[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await call(`GET ${path}${path.includes("?") ? "&" : "?"}per_page=2&page=${page}`);
    items.push(...body);
    if (body.length < 2) return items;
  }
}

test("a deployment keeps what it was created with", async () => {
  const payload = { deployment_id: "d", pull_request: 7 };
  const id = await deploy({
    task: "preview:x",
    environment: "Preview",
    transient_environment: true,
    payload,
  });

  const [listed] = await list("/deployments");

  expect(listed).toMatchObject({
    id,
    ref: "main",
    sha: github.env.GITHUB_SHA,
    task: "preview:x",
    environment: "Preview",
    transient_environment: true,
    production_environment: false,
    payload,
    creator: { login: actionsLogin, type: "Bot" },
    created_at: "2026-03-02T09:00:00Z",
  });
  expect(id).toBeGreaterThan(2 ** 31);
  expect(github.deployments("preview:x")).toMatchObject([
    { id, payload, login: actionsLogin, transient: true },
  ]);
  expect(github.deployments("preview")).toEqual([]);
});

test("by default production is the environment of that name", async () => {
  await deploy();
  await deploy({ environment: "prod" });
  await deploy({ environment: "prod", production_environment: true });

  expect(github.deployments().map(({ production }) => production)).toEqual([true, false, true]);
});

test("deployments are listed newest first, by filter, in pages", async () => {
  for (let count = 0; count < 5; count += 1) {
    await deploy({ task: count % 2 === 0 ? "even" : "odd", environment: `e${count % 3}` });
  }
  const ids = github.deployments().map(({ id }) => id);

  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  expect((await list("/deployments")).map(({ id }) => id)).toEqual(ids);
  await expect(list("/deployments?task=even&environment=e0")).resolves.toMatchObject([{ id: ids[4] }]);
});

test("a deployment needs an existing ref", async () => {
  await expect(call("POST /deployments", { ref: "gone" })).resolves.toMatchObject({
    status: 422,
    body: { message: "No ref found for: gone" },
  });
});

test("statuses are listed newest first, in pages", async () => {
  const id = await deploy();
  await setState(id, "queued", { description: "x".repeat(140), log_url: "https://example.com/log" });
  await setState(id, "in_progress");
  await setState(id, "success", { environment_url: "https://example.com" });

  const statuses = await list(`/deployments/${id}/statuses`);

  expect(statuses.map(({ state }) => state)).toEqual(["success", "in_progress", "queued"]);
  expect(statuses[2]).toMatchObject({ log_url: "https://example.com/log", environment: "production" });
  expect(github.statuses(id)[0]).toMatchObject({
    environmentUrl: "https://example.com",
    login: actionsLogin,
  });
});

test("what a test has read does not change under it", async () => {
  const id = await deploy();
  const before = { records: github.deployments(), statuses: github.statuses(id) };

  await setState(id, "queued");

  expect(before).toMatchObject({ records: [{ statuses: [] }], statuses: [] });
  expect(github.statuses(id)).toHaveLength(1);
});

test.each([
  ["too long a description", { description: "x".repeat(141) }],
  ["a URL that is not http", { environment_url: "ftp://x" }],
])("a status with %s gets 422", async (_what, more) => {
  const id = await deploy();

  await expect(setState(id, "queued", more)).resolves.toMatchObject({ status: 422 });
  await expect(setState(id + 1000, "queued")).resolves.toMatchObject({ status: 404 });
  expect(github.statuses(id)).toEqual([]);
});

test("comments of a pull request are created, listed, changed and deleted", async () => {
  github.pullRequests.open({ number: 7 });
  for (const body of ["one", "two", "three"]) await call("POST /issues/7/comments", { body });
  await call("POST /issues/7/comments", { body: "four" }, "other");

  const all = await list("/issues/7/comments");
  expect(all.map(({ body, user }) => [body, Object(user).login])).toEqual([
    ["one", actionsLogin],
    ["two", actionsLogin],
    ["three", actionsLogin],
    ["four", "octocat"],
  ]);

  const [first, second] = all.map(({ id }) => `/issues/comments/${id}`);
  await call(`PATCH ${first}`, { body: "changed" });
  await expect(call(`DELETE ${second}`)).resolves.toMatchObject({ status: 204 });
  await expect(call(`GET ${first}`)).resolves.toMatchObject({ body: { body: "changed" } });
  await expect(call(`GET ${second}`)).resolves.toMatchObject({ status: 404 });
  await expect(call(`PATCH ${second}`, { body: "x" })).resolves.toMatchObject({ status: 404 });
  expect(github.comments(7).map(({ body }) => body)).toEqual(["changed", "three", "four"]);
});

test.each([
  [7, "x".repeat(65_536), 201],
  [7, "x".repeat(65_537), 422],
  [7, " ", 422],
  [8, "x", 404],
])("a comment on pull request %i with the body %.5j… gets %i", async (number, body, status) => {
  github.pullRequests.open({ number: 7 });

  await expect(call(`POST /issues/${number}/comments`, { body })).resolves.toMatchObject({ status });
});

test("a pull request is opened, pushed to, labelled and merged", async () => {
  github.pullRequests.open({ number: 7, branch: "feature/x", sha: "a".repeat(40), labels: ["preview"] });
  const read = async (number = 7) => (await call(`GET /pulls/${number}`)).body;
  const repository = { full_name: "octo-org/octo-repo", fork: false };
  expect(await read()).toMatchObject({
    number: 7,
    state: "open",
    merged: false,
    head: { ref: "feature/x", sha: "a".repeat(40), repo: repository },
    base: { ref: "main", sha: github.env.GITHUB_SHA },
    labels: [{ name: "preview" }],
  });

  github.pullRequests.change(7, { sha: "b".repeat(40), labels: [] });
  expect(await read()).toMatchObject({ head: { sha: "b".repeat(40) }, labels: [] });
  await deploy({ ref: "b".repeat(40) });
  await deploy({ ref: "feature/x" });

  github.pullRequests.change(7, { state: "closed", merged: true });
  expect(await read()).toMatchObject({ state: "closed", merged: true, closed_at: expect.any(String) });

  github.pullRequests.open({ number: 8, headRepository: "stranger/octo-repo" });
  github.pullRequests.open({ number: 9, headRepository: null });
  expect(await read(8)).toMatchObject({ head: { repo: { full_name: "stranger/octo-repo", fork: true } } });
  expect(await read(9)).toMatchObject({ head: { repo: null } });
  await expect(call("GET /pulls/10")).resolves.toMatchObject({ status: 404 });
});

test("the run of a pull request has its event and the merge commit", async () => {
  const { sha } = github.pullRequests.open({ number: 7, labels: ["preview"] });

  const { event, env } = github.pullRequestRun(7, "labeled", "preview");

  expect(event).toMatchObject({
    name: "pull_request",
    payload: {
      action: "labeled",
      number: 7,
      label: { name: "preview" },
      pull_request: { head: { sha } },
      repository: { full_name: "octo-org/octo-repo" },
    },
  });
  expect(env).toMatchObject({ GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "octo-org/octo-repo" });
  expect(env.GITHUB_SHA).not.toBe(sha);
  await expect(call(`GET /contents/?ref=${env.GITHUB_SHA}`)).resolves.toMatchObject({ status: 200 });
});

test.each([
  ["README.md?ref=main", { type: "file" }],
  ["app/config.json", { type: "file" }],
  ["app%2Fconfig.json", { type: "file" }],
  ["app", [{ type: "file" }, { type: "dir" }]],
  ["?ref=feature%2Fx", [{ type: "file" }, { type: "dir" }]],
  ["?ref=refs/heads/feature/x", [{ type: "file" }, { type: "dir" }]],
  [`new.txt?ref=${"d".repeat(40)}`, { type: "file" }],
  ["app?ref=v1", { message: "Not Found" }],
  ["?ref=gone", { message: "No commit found for the ref gone" }],
])("the content of %s is read", async (path, body) => {
  github.repository.commit("d".repeat(40), { "new.txt": "x" }, "heads/feature/x", "tags/v1");

  await expect(call(`GET /contents/${path}`)).resolves.toMatchObject({ body });
});

test("a ref is found by its full name", async () => {
  github.repository.commit("d".repeat(40), {}, "heads/feature/x", "tags/v1");

  await expect(call("GET /git/ref/heads%2Ffeature%2Fx")).resolves.toMatchObject({
    body: { ref: "refs/heads/feature/x" },
  });
  await expect(call("GET /git/ref/tags/v1")).resolves.toMatchObject({ status: 200 });
  await expect(call("GET /git/ref/heads/v1")).resolves.toMatchObject({ status: 404 });
});

test.each([
  ["deployments", "none", "GET /deployments", undefined, 403],
  ["deployments", "read", "GET /deployments", undefined, 200],
  ["deployments", "read", "POST /deployments", { ref: "main" }, 403],
  ["contents", "none", "GET /contents/", undefined, 403],
  ["pull_requests", "none", "GET /pulls/7", undefined, 403],
  ["pull_requests", "none", "POST /issues/7/comments", { body: "x" }, 201],
  ["issues", "none", "POST /issues/7/comments", { body: "x" }, 201],
] as const)("with %s: %s, %s %j gets %i", async (permission, level, line, body, status) => {
  github.pullRequests.open({ number: 7 });
  github.permissions = { ...github.permissions, [permission]: level };

  await expect(call(line, body)).resolves.toMatchObject({ status });
});

test("a missing permission can look like a missing file, but not for writes", async () => {
  const permissions = { contents: "none", deployments: "none" } as const;
  const own = github;
  github = await startGitHub({ hidesMissingPermission: true, permissions });
  await own.close();

  await expect(call("GET /contents/")).resolves.toMatchObject({ status: 404 });
  await expect(call("POST /deployments", { ref: "main" })).resolves.toMatchObject({ status: 403 });
});
