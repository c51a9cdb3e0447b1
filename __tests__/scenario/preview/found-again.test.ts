import { describe, expect, test } from "@jest/globals";
import { actionsLogin } from "../../support/github/github-stand-in.ts";
import {
  type PreviewScenario,
  previewOf7,
  sha,
  startPreviewScenario,
  taskOf7,
} from "../../support/preview-scenario.ts";
import { spelled, writes } from "../../support/scenario.ts";

const quick = { emulator: { statusSeconds: 0 } };
const list = { method: "GET", path: "^/v2/deployments$", times: "always" } as const;
const noList = { kind: "answer", match: list, status: 404, body: { detail: "Not Found" } } as const;

/** A record that says what it is told, by whom it is told. */
function record({ github }: PreviewScenario, deploymentId: string, login: string, name = previewOf7): number {
  const payload = { deployment_id: deploymentId, revision_id: "r", name, pull_request: 7, run_id: "1" };
  const { id } = github.records.add({ ref: "main", task: taskOf7, environment: "Preview", payload }, login);
  return id;
}

test("by its record, without a list of deployments", async () => {
  const { emulator, open, preview, push, shut } = await startPreviewScenario(quick);
  open();
  emulator.misbehave(noList);
  const made = await preview("opened");
  expect(made.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(made.warnings).toEqual([expect.stringContaining("deployment_id")]);
  push(sha("b"));
  const updated = await preview("synchronize");
  expect(updated.outputs).toMatchObject({ created: "false", deployment_id: made.outputs.deployment_id });
  expect(updated.warnings).toEqual([]);
  shut();
  const closed = await preview("closed");
  expect(closed.outputs).toMatchObject({ outcome: "deleted", deployment_id: made.outputs.deployment_id });
  expect(emulator.deployments()).toEqual([]);
});

describe("by its name", () => {
  test("where it wasn't recorded", async () => {
    const { emulator, github, open, preview, push, shut } = await startPreviewScenario(quick);
    open();
    github.permissions = { ...github.permissions, deployments: "none" };
    const made = await preview("opened");
    push(sha("b"));
    const updated = await preview("synchronize");
    expect(updated.outputs).toMatchObject({ created: "false", deployment_id: made.outputs.deployment_id });
    shut();
    expect((await preview("closed")).outputs.outcome).toBe("deleted");
    expect(emulator.deployments()).toEqual([]);
  });

  test("and never by a part of it: pull request 1 and 12 at once", async () => {
    const { emulator, github, open, preview, shut } = await startPreviewScenario(quick);
    github.permissions = { ...github.permissions, deployments: "none" };
    open({ number: 12 });
    const twelve = await preview("opened", { number: 12 });
    open({ number: 1 });
    const one = await preview("opened", { number: 1 });
    expect(one.outputs).toMatchObject({ created: "true" });
    expect(one.outputs.deployment_id).not.toBe(twelve.outputs.deployment_id);
    shut(1);
    await preview("closed", { number: 1 });
    expect(emulator.deployments().map(({ name }) => name)).toEqual(["octo-repo-pr-12"]);
    const again = await preview("closed", { number: 1 });
    expect(again.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    expect(emulator.deployments()).toHaveLength(1);
  });

  test("unless it is another repository's", async () => {
    const scenario = await startPreviewScenario(quick);
    const { emulator, github, open, preview, run, shut } = scenario;
    await run("deploy", {
      inputs: { name: previewOf7, repo_url: "https://github.com/someone/octo-repo", repo_ref: "x" },
    });
    open();
    const opened = await preview("opened");
    expect(opened.succeeded).toBe(false);
    expect(opened.errors).toEqual([expect.stringContaining("someone/octo-repo")]);
    shut();
    const closed = await preview("closed");
    expect(closed.succeeded).toBe(false);
    expect(writes([...opened.requests, ...closed.requests])).toEqual([]);
    expect(emulator.deployments()).toHaveLength(1);
    expect(github.deployments()).toEqual([]);
  });

  test("of the repository that is deployed, where that is another one", async () => {
    const { emulator, open, preview, shut } = await startPreviewScenario(quick);
    open();
    const inputs = { repo_url: "https://github.com/octo-org/agents.git", repo_ref: "main", github_token: "" };
    expect((await preview("opened", { inputs })).outputs.outcome).toBe("deployed");
    shut();
    expect((await preview("closed", { inputs })).outputs.outcome).toBe("deleted");
    expect(emulator.deployments()).toEqual([]);
  });
});

describe("a record", () => {
  test("of somebody else isn't believed", async () => {
    const scenario = await startPreviewScenario(quick);
    const { emulator, github, open, preview, run, shut } = scenario;
    const { outputs } = await run("deploy", { inputs: { name: "production" } });
    const foreign = record(scenario, String(outputs.deployment_id), "mallory");
    open();
    const opened = await preview("opened");
    expect(opened.outputs.created).toBe("true");
    shut();
    await preview("closed");
    expect(emulator.deployments().map(({ name }) => name)).toEqual(["production"]);
    expect(github.statuses(foreign)).toEqual([]);
  });

  test("whose deployment goes by another name isn't followed", async () => {
    const scenario = await startPreviewScenario(quick);
    const { emulator, open, preview, run, shut } = scenario;
    const { outputs } = await run("deploy", { inputs: { name: "production" } });
    record(scenario, String(outputs.deployment_id), actionsLogin);
    open();
    shut();
    const closed = await preview("closed");
    expect(closed.notices).toEqual([expect.stringContaining("nothing left to delete")]);
    expect(emulator.deployments()).toHaveLength(1);
  });

  test("of a deployment that the control plane lost leads to a new one", async () => {
    const { emulator, github, open, preview, run, push } = await startPreviewScenario(quick);
    open();
    const lost = await preview("opened");
    await run("delete", { inputs: { deployment_id: String(lost.outputs.deployment_id) } });
    push(sha("b"));
    const anew = await preview("synchronize");
    expect(anew.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(anew.outputs.deployment_id).not.toBe(lost.outputs.deployment_id);
    expect(emulator.deployments()).toHaveLength(1);
    const [newest, earlier] = github.deployments(taskOf7);
    expect(newest?.statuses[0]?.state).toBe("success");
    expect(newest?.payload).toMatchObject({ deployment_id: anew.outputs.deployment_id });
    expect(earlier?.statuses[0]?.state).toBe("inactive");
  });

  test("with a payload as text, as GitHub may give it, is read too", async () => {
    const scenario = await startPreviewScenario(quick);
    const { emulator, github, open, preview, run, shut } = scenario;
    const { outputs } = await run("deploy", { inputs: { name: previewOf7 } });
    const payload = JSON.stringify({
      deployment_id: outputs.deployment_id,
      revision_id: "r",
      name: previewOf7,
    });
    github.records.add({ ref: "main", task: taskOf7, environment: "Preview", payload }, actionsLogin);
    open();
    shut();
    emulator.misbehave(noList);
    expect((await preview("closed")).outputs.deployment_id).toBe(outputs.deployment_id);
    expect(emulator.deployments()).toEqual([]);
  });

  test.each(["not json", '"text"', "[]", JSON.stringify({ deployment_id: 7 })])(
    "with the payload %s is nobody's",
    async (payload) => {
      const { github, open, preview } = await startPreviewScenario(quick);
      const { id } = github.records.add(
        { ref: "main", task: taskOf7, environment: "Preview", payload },
        actionsLogin,
      );
      open();
      expect((await preview("opened")).outputs.outcome).toBe("deployed");
      expect(github.statuses(id)).toEqual([]);
    },
  );

  test("on the second page counts", async () => {
    const scenario = await startPreviewScenario(quick);
    const { emulator, github, open, preview, shut } = scenario;
    open();
    const made = await preview("opened");
    for (let count = 0; count < 120; count += 1) record(scenario, "forged", "mallory");
    emulator.misbehave(noList);
    shut();
    const closed = await preview("closed");
    expect(closed.outputs.deployment_id).toBe(made.outputs.deployment_id);
    expect(emulator.deployments()).toEqual([]);
    expect(github.deployments().at(-1)?.statuses[0]?.state).toBe("inactive");
  });
});

test("what is this action's own is told by the login that the token writes as", async () => {
  const { emulator, github, open, preview } = await startPreviewScenario({
    ...quick,
    github: { tokens: { personal: { login: "octocat" } } },
  });
  open();
  emulator.misbehave(noList);
  const inputs = { github_token: "personal" };
  const made = await preview("opened", { inputs });
  expect(github.deployments(taskOf7)).toMatchObject([{ login: "octocat" }]);
  expect(github.comments(7)).toMatchObject([{ login: "octocat" }]);
  const again = await preview("synchronize", { inputs });
  expect(again.outputs).toMatchObject({ created: "false", deployment_id: made.outputs.deployment_id });
  expect(github.comments(7)).toHaveLength(1);

  const [record] = github.deployments(taskOf7);
  const [comment] = github.comments(7);
  // With the job's own token they are somebody else's, and without them and a list the name is taken.
  expect((await preview("synchronize")).succeeded).toBe(false);
  expect(github.deployments(taskOf7)[0]).toEqual(record);
  expect(github.comments(7)[0]).toEqual(comment);
});

test("a preview of an image has no repository to be held to", async () => {
  const { emulator, open, preview, push, shut } = await startPreviewScenario(quick);
  open();
  const inputs = { source: "external_docker", image_uri: "example/app:1" };
  const made = await preview("opened", { inputs });
  expect(made.outputs).toMatchObject({ outcome: "deployed", created: "true" });
  expect(emulator.deployments()).toMatchObject([{ source_config: { repo_url: null } }]);
  push(sha("b"));
  expect((await preview("synchronize", { inputs })).outputs.created).toBe("false");
  shut();
  expect((await preview("closed", { inputs })).outputs.outcome).toBe("deleted");
  expect(emulator.deployments()).toEqual([]);
});

describe("without a list of deployments", () => {
  test("and without a record there is nothing to close", async () => {
    const { emulator, open, preview, shut } = await startPreviewScenario(quick);
    open();
    shut();
    emulator.misbehave(noList);
    const closed = await preview("closed");
    expect(closed.outputs.outcome).toBe("deleted");
    expect(closed.warnings).toEqual([expect.stringContaining("no list of deployments")]);
  });

  test("and with records that can't be read a close fails: something may be there", async () => {
    const { emulator, github, open, preview, shut } = await startPreviewScenario(quick);
    open();
    shut();
    emulator.misbehave(noList);
    github.permissions = { ...github.permissions, deployments: "none" };
    const closed = await preview("closed");
    expect(closed.succeeded).toBe(false);
    expect(closed.errors).toEqual([expect.stringContaining("was not deleted")]);
  });
});

test("a kill right after the create leaves no record: the next run finds the deployment by its name", async () => {
  const { emulator, github, open, preview, startPreview, until } = await startPreviewScenario();
  open();
  github.fail({ kind: "hang", match: { method: "POST", path: "/deployments$" } });
  // Nothing of the killed run is ever awaited: it stands still where it was.
  const killed = startPreview("opened");
  await until(() =>
    github.requests.some(({ method, path }) => method === "POST" && path.endsWith("/deployments")),
  );
  expect(github.deployments()).toEqual([]);
  const [left] = emulator.deployments();
  const next = await preview("synchronize");
  expect(next.outputs).toMatchObject({ outcome: "deployed", created: "false", deployment_id: left?.id });
  expect(spelled(writes(emulator.requests)).map((line) => line.replace(/\/v2.* /, ""))).toEqual([
    "POST 201",
    "PATCH 200",
  ]);
  killed.context.cancel(new Error("the test is over"));
  await killed.ended;
});
