import { getOctokit } from "@actions/github";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { actionsLogin, type GitHubStandIn, startGitHub } from "../support/github/github-stand-in.ts";
import { defaultToken } from "../support/runner/run-action.ts";

let github: GitHubStandIn;
let octokit: ReturnType<typeof getOctokit>;
let now: number;
const repo = { owner: "octo-org", repo: "octo-repo" };

beforeEach(async () => {
  now = Date.parse("2026-03-02T09:00:00.500Z");
  github = await startGitHub({
    now: () => now++,
    files: { "README.md": "# Hi\n", "app/config.json": "{}", "app/deep/x.txt": "ä" },
    tokens: { other: { login: "octocat" } },
  });
  octokit = getOctokit(defaultToken, { baseUrl: github.url });
});

/** Also that everything Octokit sent, and everything that was answered, fits GitHub's description. */
afterEach(async () => {
  const { violations } = github;
  await github.close();
  expect(violations).toEqual([]);
});

async function deploy(more: Record<string, unknown> = {}): Promise<number> {
  const { data } = await octokit.rest.repos.createDeployment({
    ...repo,
    ref: "main",
    required_contexts: [],
    ...more,
  });
  if (!("id" in data)) {
    throw new Error("no deployment was made");
  }
  return data.id;
}

function say(
  deployment_id: number,
  state: "success" | "in_progress" | "queued",
  more: Record<string, unknown> = {},
) {
  return octokit.rest.repos.createDeploymentStatus({ ...repo, deployment_id, state, ...more });
}

test("a deployment keeps what it was made with", async () => {
  const payload = { deployment_id: "d", pull_request: 7 };
  const id = await deploy({
    task: "preview:x",
    environment: "Preview",
    transient_environment: true,
    payload,
  });
  const { data } = await octokit.rest.repos.getDeployment({ ...repo, deployment_id: id });
  expect(data).toMatchObject({
    id,
    ref: "main",
    sha: github.env.GITHUB_SHA,
    task: "preview:x",
    environment: "Preview",
    transient_environment: true,
    production_environment: false,
    payload,
    description: null,
    creator: { login: actionsLogin, type: "Bot" },
    created_at: "2026-03-02T09:00:00Z",
  });
  expect(id).toBeGreaterThan(2 ** 31);
  expect(github.deployments("preview:x")).toMatchObject([
    { id, payload, login: actionsLogin, transient: true },
  ]);
  expect(github.deployments("preview")).toEqual([]);
});

test("production is the environment of that name, unless told", async () => {
  await deploy();
  await deploy({ environment: "prod" });
  await deploy({ environment: "prod", production_environment: true });
  expect(github.deployments().map(({ production }) => production)).toEqual([true, false, true]);
});

test("deployments are listed newest first, by filter, over pages", async () => {
  for (let count = 0; count < 7; count += 1) {
    await deploy({ task: count % 2 === 0 ? "even" : "odd", environment: `e${count % 3}` });
  }
  const ids = github.deployments().map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((one, other) => other - one));
  const all = await octokit.paginate(octokit.rest.repos.listDeployments, { ...repo, per_page: 2 });
  expect(all.map(({ id }) => id)).toEqual(ids);
  expect(github.requests.filter(({ method }) => method === "GET")).toHaveLength(4);
  const even = await octokit.rest.repos.listDeployments({ ...repo, task: "even", environment: "e0" });
  expect(even.data.map(({ task, environment }) => [task, environment])).toEqual([
    ["even", "e0"],
    ["even", "e0"],
  ]);
  const none = await octokit.rest.repos.listDeployments({ ...repo, ref: "other" });
  expect(none.data).toEqual([]);
});

test("a page in the middle links to those around it", async () => {
  for (let count = 0; count < 5; count += 1) {
    await deploy();
  }
  const { headers } = await octokit.rest.repos.listDeployments({ ...repo, per_page: 2, page: 2 });
  const url = `${github.url}/repos/octo-org/octo-repo/deployments?per_page=2&page=`;
  expect(headers.link).toBe(
    `<${url}1>; rel="prev", <${url}3>; rel="next", <${url}3>; rel="last", <${url}1>; rel="first"`,
  );
});

test("a ref that isn't there makes no deployment", async () => {
  await expect(deploy({ ref: "gone" })).rejects.toThrow("No ref found for: gone");
});

test("auto-merge answers 202 or 409 unless it is off", async () => {
  github.obstacles = { behindDefaultBranch: "succeeds" };
  await expect(deploy()).rejects.toThrow("no deployment was made");
  github.obstacles = { behindDefaultBranch: "conflicts" };
  await expect(deploy()).rejects.toMatchObject({ status: 409 });
  await expect(deploy({ auto_merge: false })).resolves.toBeGreaterThan(0);
});

test("commit statuses that fail answer 409 unless they aren't asked for", async () => {
  github.obstacles = { failingContexts: ["ci"] };
  await expect(octokit.rest.repos.createDeployment({ ...repo, ref: "main" })).rejects.toMatchObject({
    status: 409,
  });
  await expect(deploy({ required_contexts: ["ci"] })).rejects.toMatchObject({ status: 409 });
  await expect(deploy({ required_contexts: ["lint"] })).resolves.toBeGreaterThan(0);
  await expect(deploy()).resolves.toBeGreaterThan(0);
});

test("statuses are listed newest first, over pages", async () => {
  const id = await deploy();
  await say(id, "queued", { description: "x".repeat(140), log_url: "https://example.com/log" });
  await say(id, "in_progress");
  await say(id, "success", { environment_url: "https://example.com" });
  const all = await octokit.paginate(octokit.rest.repos.listDeploymentStatuses, {
    ...repo,
    deployment_id: id,
    per_page: 1,
  });
  expect(all.map(({ state }) => state)).toEqual(["success", "in_progress", "queued"]);
  expect(all[2]).toMatchObject({ log_url: "https://example.com/log", environment: "production" });
  expect(github.statuses(id)[0]).toMatchObject({
    environmentUrl: "https://example.com",
    login: actionsLogin,
  });
});

test("what a test has looked at doesn't change under it", async () => {
  const id = await deploy();
  const before = { records: github.deployments(), statuses: github.statuses(id) };
  await say(id, "queued");
  expect(before).toMatchObject({ records: [{ statuses: [] }], statuses: [] });
  expect(github.statuses(id)).toHaveLength(1);
});

test("a status GitHub wouldn't take is refused", async () => {
  const id = await deploy();
  await expect(say(id, "queued", { description: "x".repeat(141) })).rejects.toMatchObject({ status: 422 });
  await expect(say(id, "queued", { environment_url: "ftp://x" })).rejects.toMatchObject({ status: 422 });
  await expect(say(id + 1_000, "queued")).rejects.toMatchObject({ status: 404 });
  expect(github.statuses(id)).toEqual([]);
});

test("a success makes earlier successes of its environment inactive, not transient or production ones", async () => {
  const environment = "staging";
  const made = {
    earlier: await deploy({ environment }),
    failed: await deploy({ environment }),
    elsewhere: await deploy({ environment: "qa" }),
    transient: await deploy({ environment, transient_environment: true }),
    production: await deploy({ environment, production_environment: true }),
  };
  for (const id of [made.earlier, made.elsewhere, made.transient, made.production]) {
    await say(id, "success", { auto_inactive: false });
  }
  await say(made.failed, "in_progress");
  const states = () =>
    Object.fromEntries(Object.entries(made).map(([name, id]) => [name, github.statuses(id)[0]?.state]));
  await say(await deploy({ environment }), "success", { auto_inactive: false });
  expect(states().earlier).toBe("success");
  await say(await deploy({ environment }), "success");
  expect(states()).toEqual({
    earlier: "inactive",
    failed: "in_progress",
    elsewhere: "success",
    transient: "success",
    production: "success",
  });
});

test("comments live on pull requests that are there, oldest first, over pages", async () => {
  github.pullRequests.open({ number: 7 });
  const issue = { ...repo, issue_number: 7 };
  for (const body of ["one", "two", "three"]) {
    await octokit.rest.issues.createComment({ ...issue, body });
  }
  const all = await octokit.paginate(octokit.rest.issues.listComments, { ...issue, per_page: 2 });
  expect(all.map(({ body, user }) => [body, user?.login])).toEqual([
    ["one", actionsLogin],
    ["two", actionsLogin],
    ["three", actionsLogin],
  ]);
  const [first, second] = all.map(({ id }) => ({ ...repo, comment_id: id }));
  if (first === undefined || second === undefined) {
    throw new Error("comments are missing");
  }
  await octokit.rest.issues.updateComment({ ...first, body: "changed" });
  await octokit.rest.issues.deleteComment(second);
  await expect(octokit.rest.issues.getComment(second)).rejects.toMatchObject({ status: 404 });
  await expect(octokit.rest.issues.updateComment({ ...second, body: "x" })).rejects.toMatchObject({
    status: 404,
  });
  expect((await octokit.rest.issues.getComment(first)).data.body).toBe("changed");
  expect(github.comments(7).map(({ body }) => body)).toEqual(["changed", "three"]);
  await expect(
    octokit.rest.issues.createComment({ ...repo, issue_number: 8, body: "x" }),
  ).rejects.toMatchObject({
    status: 404,
  });
});

test("comments can be asked for by when they last changed", async () => {
  github.pullRequests.open({ number: 7 });
  github.allComments.add(7, "old", "octocat");
  now += 60_000;
  github.allComments.add(7, "new", "octocat");
  const since = "2026-03-02T09:00:30Z";
  const { data } = await octokit.rest.issues.listComments({ ...repo, issue_number: 7, since });
  expect(data.map(({ body }) => body)).toEqual(["new"]);
});

test("a comment has its limits", async () => {
  github.pullRequests.open({ number: 7 });
  const write = (body: string) => octokit.rest.issues.createComment({ ...repo, issue_number: 7, body });
  await expect(write("x".repeat(65_536))).resolves.toMatchObject({ status: 201 });
  await expect(write("x".repeat(65_537))).rejects.toMatchObject({ status: 422 });
  await expect(write(" ")).rejects.toMatchObject({ status: 422 });
});

test("what others wrote carries their login", async () => {
  github.pullRequests.open({ number: 7 });
  const theirs = getOctokit("other", { baseUrl: github.url });
  await theirs.rest.issues.createComment({ ...repo, issue_number: 7, body: "hi" });
  github.allComments.add(7, "by hand", "mallory");
  expect(github.comments(7).map(({ login }) => login)).toEqual(["octocat", "mallory"]);
  expect(github.records.add({ ref: "main" }, "mallory").login).toBe("mallory");
  await expect(theirs.graphql("query { viewer { login } }")).resolves.toEqual({
    viewer: { login: "octocat" },
  });
});

test("a pull request is open, pushed to, labelled, merged", async () => {
  github.pullRequests.open({ number: 7, branch: "feature/x", sha: "a".repeat(40), labels: ["preview"] });
  const get = async () => (await octokit.rest.pulls.get({ ...repo, pull_number: 7 })).data;
  expect(await get()).toMatchObject({
    number: 7,
    state: "open",
    merged: false,
    head: { ref: "feature/x", sha: "a".repeat(40), repo: { full_name: "octo-org/octo-repo", fork: false } },
    base: { ref: "main", sha: github.env.GITHUB_SHA },
    labels: [{ name: "preview" }],
  });
  github.pullRequests.change(7, { sha: "b".repeat(40), labels: [] });
  expect(await get()).toMatchObject({ head: { sha: "b".repeat(40) }, labels: [] });
  await expect(deploy({ ref: "b".repeat(40) })).resolves.toBeGreaterThan(0);
  await expect(deploy({ ref: "feature/x" })).resolves.toBeGreaterThan(0);
  github.pullRequests.change(7, { state: "closed", merged: true });
  expect(await get()).toMatchObject({ state: "closed", merged: true, closed_at: expect.any(String) });
  await expect(octokit.rest.pulls.get({ ...repo, pull_number: 8 })).rejects.toMatchObject({ status: 404 });
});

test("a pull request of a fork, and of one that was deleted", async () => {
  github.pullRequests.open({ number: 8, headRepository: "stranger/octo-repo" });
  github.pullRequests.open({ number: 9, headRepository: null });
  const get = async (pull_number: number) =>
    (await octokit.rest.pulls.get({ ...repo, pull_number })).data.head;
  expect(await get(8)).toMatchObject({
    label: "stranger:feature-8",
    repo: { full_name: "stranger/octo-repo", fork: true },
  });
  expect(await get(9)).toMatchObject({ repo: null });
});

test("a run on a pull request: its event, and the merge commit", async () => {
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
  const ref = env.GITHUB_SHA ?? "";
  expect(ref).not.toBe(sha);
  await expect(octokit.rest.repos.getContent({ ...repo, path: "", ref })).resolves.toMatchObject({
    status: 200,
  });
});

test("files and folders, by branch, tag and commit", async () => {
  github.repository.commit("d".repeat(40), { "new.txt": "x" }, "heads/feature/x", "tags/v1");
  const read = async (path: string, ref?: string) =>
    (await octokit.rest.repos.getContent({ ...repo, path, ...(ref === undefined ? {} : { ref }) })).data;
  expect(await read("")).toMatchObject([
    { name: "README.md", type: "file" },
    { name: "app", type: "dir" },
  ]);
  expect(await read("app")).toMatchObject([
    { path: "app/config.json", type: "file", size: 2 },
    { path: "app/deep", type: "dir" },
  ]);
  expect(await read("app/deep/x.txt")).toMatchObject({
    type: "file",
    size: 2,
    encoding: "base64",
    content: Buffer.from("ä").toString("base64"),
  });
  for (const ref of ["feature/x", "refs/heads/feature/x", "v1", "d".repeat(40)]) {
    expect(await read("", ref)).toMatchObject([{ name: "new.txt" }]);
  }
  await expect(read("app", "v1")).rejects.toMatchObject({ status: 404 });
  await expect(read("", "gone")).rejects.toThrow("No commit found for the ref gone");
});

test("the root of the contents is there with and without a slash, and a path encoded or not", async () => {
  const headers = { authorization: `token ${defaultToken}`, "user-agent": "test" };
  const paths = ["contents", "contents/", "contents/app/config.json", "contents/app%2Fconfig.json"];
  const answers = paths.map((path) => fetch(`${github.url}/repos/octo-org/octo-repo/${path}`, { headers }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("refs, branches, commits and the repository itself", async () => {
  github.repository.commit("d".repeat(40), {}, "heads/feature/x", "tags/v1");
  const ref = async (name: string) => (await octokit.rest.git.getRef({ ...repo, ref: name })).data;
  expect(await ref("heads/feature/x")).toMatchObject({
    ref: "refs/heads/feature/x",
    object: { sha: "d".repeat(40) },
  });
  expect(await ref("tags/v1")).toMatchObject({ ref: "refs/tags/v1" });
  await expect(ref("heads/v1")).rejects.toMatchObject({ status: 404 });
  const branch = await octokit.rest.repos.getBranch({ ...repo, branch: "feature/x" });
  expect(branch.data).toMatchObject({ name: "feature/x", commit: { sha: "d".repeat(40) } });
  await expect(octokit.rest.repos.getBranch({ ...repo, branch: "v1" })).rejects.toThrow("Branch not found");
  const commit = await octokit.rest.repos.getCommit({ ...repo, ref: "v1" });
  expect(commit.data.sha).toBe("d".repeat(40));
  await expect(octokit.rest.repos.getCommit({ ...repo, ref: "gone" })).rejects.toMatchObject({ status: 422 });
  expect((await octokit.rest.repos.get(repo)).data).toMatchObject({
    full_name: "octo-org/octo-repo",
    default_branch: "main",
  });
  github.repository.deleteRef("heads/feature/x");
  await expect(ref("heads/feature/x")).rejects.toMatchObject({ status: 404 });
});

test("a token does what its permissions allow", async () => {
  github.pullRequests.open({ number: 7 });
  const comment = () => octokit.rest.issues.createComment({ ...repo, issue_number: 7, body: "x" });
  const refused = { status: 403, message: expect.stringContaining("Resource not accessible by integration") };
  github.permissions = { contents: "none", deployments: "read", issues: "none", pull_requests: "write" };
  await expect(deploy()).rejects.toMatchObject({
    ...refused,
    response: { headers: { "x-accepted-github-permissions": "deployments=write" } },
  });
  await expect(octokit.rest.repos.listDeployments(repo)).resolves.toMatchObject({ status: 200 });
  await expect(octokit.rest.repos.getContent({ ...repo, path: "" })).rejects.toMatchObject(refused);
  await expect(comment()).resolves.toMatchObject({ status: 201 });
  await expect(octokit.rest.repos.get(repo)).resolves.toMatchObject({ status: 200 });
  github.permissions = { ...github.permissions, pull_requests: "read" };
  await expect(comment()).rejects.toMatchObject(refused);
  await expect(octokit.rest.pulls.get({ ...repo, pull_number: 7 })).resolves.toMatchObject({ status: 200 });
  github.permissions = { ...github.permissions, pull_requests: "none", issues: "write" };
  await expect(comment()).resolves.toMatchObject({ status: 201 });
  await expect(octokit.rest.pulls.get({ ...repo, pull_number: 7 })).rejects.toMatchObject(refused);
});

test("a missing permission can look like a missing file", async () => {
  const createRedactor = await startGitHub({
    hidesMissingPermission: true,
    permissions: { contents: "none", deployments: "none" },
  });
  const own = getOctokit(defaultToken, { baseUrl: createRedactor.url });
  await expect(own.rest.repos.getContent({ ...repo, path: "" })).rejects.toMatchObject({ status: 404 });
  await expect(own.rest.repos.createDeployment({ ...repo, ref: "main" })).rejects.toMatchObject({
    status: 403,
  });
  await createRedactor.close();
});
