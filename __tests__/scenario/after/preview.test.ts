import { expect, test } from "@jest/globals";
import { previewOf7, startScenario, taskOf7, writes } from "../../support/scenario.ts";

const onLangsmith = { platform: "langsmith", statusSeconds: 5 } as const;

test("a preview that is not healthy is rolled back, and its comment and record show that", async () => {
  const { emulator, github, open, preview, push } = await startScenario(onLangsmith);
  open();
  const first = await preview("opened");
  push("b".repeat(40));
  const unhealthy = { status: 503, body: { detail: "Not yet." } };
  emulator.addFault({ kind: "answer", match: { path: "^/live/", times: "always" }, ...unhealthy });

  const checked = {
    health_check_path: "/ok",
    health_check_timeout_seconds: "5",
    rollback_on_failure: "true",
  };
  const run = await preview("synchronize", { inputs: checked });

  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: first.outputs.revision_id });
  expect(writes(run.requests).map(({ method }) => method)).toEqual(["POST", "POST"]);
  const [comment] = github.comments(7);
  expect(comment?.body.replaceAll("`", "")).toMatch(
    new RegExp(
      `/live/octo-repo-7739a-pr-7/ok.*503.*Not yet.*\\n>\\n> Rolled back: revision ${first.outputs.revision_id?.slice(0, 8)}`,
    ),
  );
  const [record] = github.deployments(taskOf7);
  expect(record?.statuses[0]).toMatchObject({ state: "failure" });
});

test("a preview that fails a smoke test stays up, and its comment and record show that", async () => {
  const { emulator, github, open, preview } = await startScenario(onLangsmith);
  open();
  emulator.addFault({ kind: "run", ends: "error", message: "No model key" });

  const smoke_tests = "- { name: greets, graph: agent, input: {} }\n- { name: is well, request: GET /ok }";
  const run = await preview("opened", { inputs: { smoke_tests, rollback_on_failure: "true" } });

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expect(JSON.parse(run.outputs.smoke_tests ?? "")).toMatchObject([{ passed: false }, { passed: true }]);
  const sent = writes(run.requests).map(({ method, path }) => `${method} ${path}`);
  expect(sent).toEqual(["POST /v2/deployments", `POST /live/${previewOf7}/runs/wait`]);
  expect(emulator.deployments()).toMatchObject([{ name: previewOf7, revisions: [{ status: "DEPLOYED" }] }]);
  const [comment] = github.comments(7);
  expect(comment?.body).toMatch(/\| ❌ \| smoke test `greets` \| 0\.0 \|\n\| ✅ \| smoke test `is well` /);
  expect(comment?.body).toMatch(/<details>[\s\S]*Received: Error: No model key[\s\S]*<\/details>/);
  const [record] = github.deployments(taskOf7);
  expect(record?.statuses[0]).toMatchObject({ state: "failure" });
});

test("a preview run that is cancelled interrupts its revision, and its comment and record show that", async () => {
  const { clock, emulator, github, open, startPreview } = await startScenario(onLangsmith);
  open();

  const running = startPreview("opened", { inputs: { on_cancel: "interrupt" } });
  clock.at(2_500, running.cancel);
  const run = await running.ended;

  expect(run.outputs.outcome).toBe("cancelled");
  expect(emulator.deployments()).toMatchObject([
    { name: previewOf7, revisions: [{ status: "INTERRUPTED" }] },
  ]);
  const [comment] = github.comments(7);
  expect(comment?.body.replaceAll("`", "")).toMatch(/was interrupted.*on_cancel/);
  const [record] = github.deployments(taskOf7);
  expect(record?.statuses[0]).toMatchObject({ state: "error" });
});
