import { expect, test } from "@jest/globals";
import { CancelledError } from "../../../src/errors.ts";
import { previewOf7, startPreviewScenario, taskOf7 } from "../../support/preview-scenario.ts";
import { writes } from "../../support/scenario.ts";
import { langsmith } from "./support.ts";

const files = { "langgraph.json": "{}" };

test("a preview that isn't well is rolled back, which its comment tells; the record is a failure", async () => {
  const { emulator, github, open, preview, push } = await startPreviewScenario({
    emulator: { platform: "langsmith" },
    github: { files },
  });
  open();
  const first = await preview("opened", { inputs: langsmith });
  expect(first.outputs.outcome).toBe("deployed");
  push("b".repeat(40));
  const sick = { status: 503, body: { detail: "Not yet." } };
  emulator.misbehave({ kind: "answer", match: { path: "^/live/", times: "always" }, ...sick });
  const inputs = { ...langsmith, health_check_path: "/ok", rollback_on_failure: "true" };
  const run = await preview("synchronize", { inputs });
  expect(run.outputs).toMatchObject({ outcome: "failed", rolled_back_to: first.outputs.revision_id });
  expect(writes(run.requests).map(({ method }) => method)).toEqual(["PATCH", "POST"]);
  const [comment] = github.comments(7);
  expect(comment?.body.replaceAll("`", "")).toContain(
    "GET /live/octo-repo-pr-7/ok was answered with 503: Not yet.",
  );
  expect(comment?.body.replaceAll("`", "")).toContain(`Rolled back: revision ${first.outputs.revision_id}`);
  const [record] = github.deployments(taskOf7);
  expect(record?.statuses[0]).toMatchObject({ state: "failure" });
});

test("a push that cancels the run before it has that one's revision stopped", async () => {
  const { emulator, github, open, startPreview, clock } = await startPreviewScenario({
    emulator: { platform: "langsmith" },
    github: { files },
  });
  open();
  const running = startPreview("opened", { inputs: { ...langsmith, on_cancel: "interrupt" } });
  clock.at(12_000, () => running.context.cancel(new CancelledError("SIGINT")));
  const run = await running.ended;
  expect(run.outputs.outcome).toBe("cancelled");
  const [held] = emulator.deployments();
  expect(held).toMatchObject({ name: previewOf7, revisions: [{ status: "INTERRUPTED" }] });
  const [comment] = github.comments(7);
  expect(comment?.body.replaceAll("`", "")).toContain("was interrupted, as on_cancel asks for.");
  const [record] = github.deployments(taskOf7);
  expect(record?.statuses[0]).toMatchObject({ state: "error" });
});
