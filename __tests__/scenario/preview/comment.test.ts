import { describe, expect, test } from "@jest/globals";
import {
  actionsLogin,
  type GitHubRequest,
  type GitHubStandIn,
} from "../../support/github/github-stand-in.ts";
import { sha, startPreviewScenario } from "../../support/preview-scenario.ts";

const quick = { emulator: { statusSeconds: 0 } };

function commentWrites(requests: readonly GitHubRequest[]): string[] {
  return requests
    .filter(({ method, path }) => path.includes("/comments") && method !== "GET")
    .map(({ method }) => method);
}

function onlyComment(github: GitHubStandIn) {
  const own = github.comments(7).filter(({ login }) => login === actionsLogin);
  expect(own).toHaveLength(1);
  return own[0];
}

test("it shows the status while it goes on", async () => {
  const { clock, github, open, preview } = await startPreviewScenario({ emulator: { statusSeconds: 20 } });
  open();
  const seen: string[] = [];
  for (const second of [5, 30, 50, 70]) {
    clock.at(
      second * 1000,
      () => void seen.push(/\| Status \| (.*) \|/.exec(onlyComment(github)?.body ?? "")?.[1] ?? ""),
    );
  }
  await preview("opened");
  expect(seen).toEqual(["⏳ `CREATING`", "⏳ `QUEUED`", "⏳ `AWAITING_BUILD`", "⏳ `BUILDING`"]);
  expect(onlyComment(github)?.body).toContain("✅ deployed (`DEPLOYED`)");
});

test("each push changes it, and its time with it", async () => {
  const { clock, github, open, pass, preview, push } = await startPreviewScenario(quick);
  open({ sha: sha("a") });
  const first = await preview("opened");
  const before = onlyComment(github);
  expect(before?.body).toContain(first.outputs.revision_id);
  expect(before?.body).toContain(sha("a"));
  await pass(600);
  push(sha("b"));
  const second = await preview("synchronize");
  const after = onlyComment(github);
  expect(after?.id).toBe(before?.id);
  expect(after?.body).toContain(second.outputs.revision_id);
  expect(after?.body).toContain(sha("b"));
  expect(after?.body).not.toContain(sha("a"));
  expect(after?.body).toContain(
    `Updated ${new Date(clock.now()).toISOString().slice(0, 15).replace("T", " ")}`,
  );
});

test("it is found on the second page, among others", async () => {
  const { github, open, preview, push } = await startPreviewScenario(quick);
  open();
  for (let count = 0; count < 110; count += 1) github.allComments.add(7, `comment ${count}`, "octocat");
  await preview("opened");
  push(sha("b"));
  const run = await preview("synchronize");
  expect(github.comments(7)).toHaveLength(111);
  expect(commentWrites(run.github)).not.toContain("POST");
});

test("someone else's comment with the same marker is left alone", async () => {
  const { github, open, preview } = await startPreviewScenario(quick);
  open();
  await preview("opened");
  const body = String(onlyComment(github)?.body);
  const original = onlyComment(github)?.id ?? 0;
  github.allComments.delete(original);
  const forged = github.allComments.add(7, body, "mallory");
  const quoted = github.allComments.add(7, `Look:\n\n${body}`, actionsLogin);
  await preview("synchronize");
  expect(github.comments(7)).toHaveLength(3);
  expect(github.comments(7)).toEqual(expect.arrayContaining([forged, quoted]));
});

test("one of another preview on the same pull request is another", async () => {
  const { github, open, preview } = await startPreviewScenario(quick);
  open();
  await preview("opened", { inputs: { name: "pr-1" } });
  await preview("opened", { inputs: { name: "pr-12" } });
  await preview("synchronize", { inputs: { name: "pr-1" } });
  expect(github.comments(7).map(({ body }) => /Preview `(.*)`/.exec(body)?.[1])).toEqual(["pr-1", "pr-12"]);
});

describe("deleted by someone", () => {
  test("between two runs it is written anew", async () => {
    const { github, open, preview, push } = await startPreviewScenario(quick);
    open();
    await preview("opened");
    github.allComments.delete(onlyComment(github)?.id ?? 0);
    push(sha("b"));
    const run = await preview("synchronize");
    expect(onlyComment(github)?.body).toContain(run.outputs.revision_id);
    expect(run.warnings).toEqual([]);
  });

  test("during a run too", async () => {
    const { clock, github, open, preview } = await startPreviewScenario();
    open();
    await preview("opened");
    clock.at(clock.elapsed() + 8_000, () => github.allComments.delete(onlyComment(github)?.id ?? 0));
    const run = await preview("synchronize");
    expect(onlyComment(github)?.body).toContain("✅ deployed");
    expect(onlyComment(github)?.body).toContain(run.outputs.revision_id);
    expect(run.warnings).toEqual([]);
    expect(run.state).toEqual({
      comment_id: "",
      comment_end: "",
      record_id: "",
      record_end: "",
      left_running: "",
    });
  });

  test("and written anew by another run meanwhile, it is that one which is kept up to date", async () => {
    const { clock, github, open, preview } = await startPreviewScenario();
    open();
    await preview("opened");
    clock.at(clock.elapsed() + 8_000, () => {
      const old = onlyComment(github);
      github.allComments.delete(old?.id ?? 0);
      github.allComments.add(7, String(old?.body), actionsLogin);
    });
    const run = await preview("synchronize");
    expect(onlyComment(github)?.body).toContain("✅ deployed");
    expect(commentWrites(run.github)).not.toContain("POST");
  });

  test("it isn't written anew for a preview that is gone", async () => {
    const { github, open, preview, shut } = await startPreviewScenario(quick);
    open();
    await preview("opened");
    github.allComments.delete(onlyComment(github)?.id ?? 0);
    shut();
    expect((await preview("closed")).outputs.outcome).toBe("deleted");
    expect(github.comments(7)).toEqual([]);
  });
});

test("a pull request that never had a preview gets no comment when it is closed", async () => {
  const { github, open, preview, shut } = await startPreviewScenario(quick);
  open();
  shut();
  await preview("closed");
  expect(github.comments(7)).toEqual([]);
});

test("it isn't touched where nothing changed", async () => {
  const { github, open, pass, preview, shut } = await startPreviewScenario(quick);
  open();
  await preview("opened");
  shut();
  await preview("closed");
  const before = onlyComment(github);
  await pass(3600);
  const again = await preview("closed");
  expect(commentWrites(again.github)).toEqual([]);
  expect(onlyComment(github)).toEqual(before);
});

test("comment: false writes none, and asks for none", async () => {
  const { github, open, preview, shut } = await startPreviewScenario(quick);
  open();
  const inputs = { comment: "false" };
  const made = await preview("opened", { inputs });
  shut();
  const closed = await preview("closed", { inputs });
  expect(github.comments(7)).toEqual([]);
  for (const { path } of [...made.github, ...closed.github]) expect(path).not.toContain("comments");
});

test("a failure is told in it, with the platform's words inert", async () => {
  const { emulator, github, open, preview } = await startPreviewScenario(quick);
  open();
  const detail = "@everyone <img src=x> see https://evil.example";
  emulator.misbehave({ kind: "answer", match: { method: "POST" }, status: 400, body: { detail } });
  const run = await preview("opened");
  expect(run.outputs.outcome).toBe("failed");
  expect(onlyComment(github)?.body).toContain("| Status | ❌ failed |");
  expect(onlyComment(github)?.body).toContain("`@everyone` `<img` `src=x>`");
});
