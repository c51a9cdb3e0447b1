import { describe, expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import {
  actionsLogin,
  type GitHubRequest,
  type GitHubStandIn,
} from "../../support/github/github-stand-in.ts";
import { immediate, type Scenario, sha, startScenario } from "../../support/scenario.ts";

function commentWrites(requests: readonly GitHubRequest[]): string[] {
  return requests
    .filter(({ method, path }) => path.includes("/comments") && method !== "GET")
    .map(({ method }) => method);
}

/** The one comment that this action wrote. */
function ownComment(github: GitHubStandIn): { id: number; body: string } {
  const [comment, ...others] = github.comments(7).filter(({ login }) => login === actionsLogin);
  if (comment === undefined || others.length > 0) throw new Error("there is not exactly one comment");
  return comment;
}

/** A pull request whose preview is deployed and shown. */
async function startDeployed(options?: Parameters<typeof startScenario>[0]): Promise<Scenario> {
  const scenario = await startScenario(options);
  scenario.open();
  await scenario.preview("opened");
  return scenario;
}

describe("the comment of a preview", () => {
  test("shows that the revision is in progress, and then how it ended", async () => {
    const { clock, github, open, preview } = await startScenario({ statusSeconds: 20 });
    let seen = "";
    clock.at(5000, () => {
      seen = ownComment(github).body;
    });
    open();

    const { outputs } = await preview("opened");

    expect(seen).toContain(outputs.revision_id);
    expect(seen).toContain("⏳");
    expect(ownComment(github).body).toMatch(/^### ✅ Preview .*: deployed$/m);
  });

  test("is updated by each push, with the time", async () => {
    const { clock, github, open, pass, preview, push } = await startScenario(immediate);
    open({ sha: sha("a") });

    const first = await preview("opened");
    const before = ownComment(github);
    await pass(600);
    push(sha("b"));
    const second = await preview("synchronize");

    const after = ownComment(github);
    expect(before.body).toContain(first.outputs.revision_id);
    expect(after.id).toBe(before.id);
    expect(after.body).toContain(second.outputs.revision_id);
    expect(after.body).toContain(new Date(clock.now()).toISOString().slice(0, 15).replace("T", " "));
  });

  test("is not one that somebody else wrote with the same marker, or that quotes it", async () => {
    const { github, preview } = await startDeployed(immediate);
    const { id, body } = ownComment(github);
    github.allComments.delete(id);
    const others = [
      github.allComments.add(7, body, "mallory"),
      github.allComments.add(7, `Look:\n\n${body}`, actionsLogin),
    ];

    await preview("synchronize");

    expect(github.comments(7)).toHaveLength(3);
    expect(github.comments(7)).toEqual(expect.arrayContaining(others));
  });

  test("is not that of another preview on the same pull request", async () => {
    const { github, open, preview } = await startScenario(immediate);
    open();

    for (const name of ["pr-1", "pr-12", "pr-1"]) await preview("synchronize", { inputs: { name } });

    expect(github.comments(7)).toMatchObject([
      { body: expect.stringContaining("Preview `pr-1`") },
      { body: expect.stringContaining("Preview `pr-12`") },
    ]);
  });

  test("is neither read nor written with comment: false", async () => {
    const { open, preview, shut } = await startScenario(immediate);
    const inputs = { comment: "false" };
    open();

    const deployed = await preview("opened", { inputs });
    shut();
    const closed = await preview("closed", { inputs });

    for (const { path } of [...deployed.github, ...closed.github]) expect(path).not.toContain("comments");
  });

  test("says why a preview was deleted, and shows no checks of it any more", async () => {
    const { github, preview, shut } = await startDeployed(immediate);
    shut();

    const run = await preview("closed");

    for (const shown of [ownComment(github).body, run.summary]) {
      expect(shown).toContain("The preview is no longer wanted: the pull request is closed.");
    }
    expect(ownComment(github).body).not.toContain("Check |");
  });

  test("says that the key is missing when the pull request is closed", async () => {
    const { github, preview, shut } = await startDeployed(immediate);
    shut();

    const run = await preview("closed", { inputs: { api_key: "" } });

    expect(run.errors[0]).toMatch(/^Input api_key is missing or empty\./);
    expect(ownComment(github).body).toContain("is missing or empty");
  });

  test("does not stay as it is if an input of a later run is invalid", async () => {
    const { github, preview } = await startDeployed(immediate);

    const run = await preview("synchronize", { inputs: { wait: "maybe" } });

    expect(run.requests).toEqual([]);
    expect(ownComment(github).body).toMatch(/^### ❌ Preview .*: failed$/m);
    expect(ownComment(github).body).toContain("Input `wait` must be");
  });

  test("counts the problems that it does not list", async () => {
    const { github, open, preview } = await startScenario(immediate);
    open();

    await preview("opened", { inputs: { secrets: "no assignment\n".repeat(23) } });

    expect(ownComment(github).body).toContain("> - 3 more: see the log.");
  });

  test("shows a failure with the platform's words", async () => {
    const { emulator, github, open, preview } = await startScenario(immediate);
    const body = { detail: "the quota is used up" };
    emulator.addFault(answer("POST", 400, { body }));
    open();

    await preview("opened");

    expect(ownComment(github).body).toMatch(/^### ❌ Preview .*: failed/m);
    expect(ownComment(github).body).toContain(body.detail);
  });
});

describe("a comment that somebody deleted", () => {
  test("is written again by the next run", async () => {
    const { github, preview } = await startDeployed(immediate);
    github.allComments.delete(ownComment(github).id);

    const run = await preview("synchronize");

    expect(ownComment(github).body).toContain(run.outputs.revision_id);
    expect(run.warnings).toEqual([]);
  });

  test("is written again in the same run, and nothing of it is left to the post step", async () => {
    const { clock, github, preview } = await startDeployed();
    clock.at(clock.elapsed() + 8_000, () => github.allComments.delete(ownComment(github).id));

    const run = await preview("synchronize");

    expect(ownComment(github).body).toMatch(/^### ✅ Preview .*: deployed/m);
    expect(ownComment(github).body).toContain(run.outputs.revision_id);
    expect(run.warnings).toEqual([]);
    expect(run.state).toMatchObject({ comment: "" });
  });

  test("and that another run wrote again in the meantime is updated", async () => {
    const { clock, github, preview } = await startDeployed();
    clock.at(clock.elapsed() + 8_000, () => {
      const { id, body } = ownComment(github);
      github.allComments.delete(id);
      github.allComments.add(7, body, actionsLogin);
    });

    const run = await preview("synchronize");

    expect(ownComment(github).body).toMatch(/^### ✅ Preview .*: deployed/m);
    expect(commentWrites(run.github)).not.toContain("POST");
  });

  test("is not written again for a preview that is gone", async () => {
    const { github, preview, shut } = await startDeployed(immediate);
    github.allComments.delete(ownComment(github).id);
    shut();

    await preview("closed");

    expect(github.comments(7)).toEqual([]);
  });
});
