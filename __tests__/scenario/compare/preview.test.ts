import { expect, test } from "@jest/globals";
import { call } from "../../../emulator/__tests__/support/client.ts";
import { defaultCreate, langsmithCreate, previewOf7, startScenario } from "../../support/scenario.ts";
import { changesOf, drafts, renamed, waitingAt } from "./support.ts";

/** Pull request 7 renames a node of `my-agent` at which a thread waits. */
async function startWithProduction() {
  const scenario = await startScenario({
    platform: "langsmith",
    statusSeconds: 0,
  });
  const { emulator, open } = scenario;
  await call(emulator, "POST /v2/deployments", langsmithCreate({ ...defaultCreate, name: "my-agent" }));
  emulator.addFault({ kind: "graphs", repo_ref: "main", graphs: { agent: drafts } });
  emulator.addFault({ kind: "graphs", graphs: { agent: renamed } });
  emulator.addFault({ kind: "threads", deployment: "my-agent", threads: waitingAt("approve") });
  open();
  return scenario;
}

test("a preview says in its comment what merging would break, and stays up", async () => {
  const { preview, github, emulator } = await startWithProduction();

  const run = await preview("opened", { inputs: { compare_with: "my-agent" } });

  expect(run.outputs).toMatchObject({ outcome: "deployed" });
  expect(changesOf(run)).toMatchObject([{ kind: "node", breaking: true, path: "approve", threads: 1 }]);
  expect(run.warnings).toContainEqual(expect.stringContaining("approve"));
  const [comment] = github.comments(7);
  expect(comment?.body).toMatch(/^### ⚠️ Preview .*: deployed, with a warning$/m);
  expect(comment?.body).toMatch(/\| ⚠️ \| comparison `my-agent`: 1 breaking change \| 0\.0 \|/);
  expect(comment?.body).toContain("### Compared with `my-agent`");
  expect(comment?.body).toMatch(
    /\| 💥 \| Node `approve` is missing from graph `agent`\. 1 thread is waiting at it: `thread-1`/,
  );
  expect(emulator.deployments().map(({ name }) => name)).toEqual(["my-agent", previewOf7]);
});

test("a preview that is deleted after its checks shows no warning of them, and the log says why", async () => {
  const { run, github, shut } = await startWithProduction();
  const { event } = github.pullRequestRun(7, "opened");
  shut();

  const inputs = { compare_with: "my-agent" };
  const late = await run("preview", { event, inputs, env: { GITHUB_HEAD_REF: "feature-7" } });

  expect(late.summary).toMatch(/^## 🗑️ Preview .*: deleted$/m);
  expect(late.infos.at(-1)).toContain("The preview is no longer wanted: the pull request is closed.");
});

test("with breaking_changes: fail, a preview that would break something fails", async () => {
  const { preview, github } = await startWithProduction();

  const inputs = { compare_with: "my-agent", breaking_changes: "fail" };
  const run = await preview("opened", { inputs });

  expect(run.outputs).toMatchObject({ outcome: "failed", status: "DEPLOYED" });
  expect(github.comments(7)[0]?.body).toMatch(/^### ❌ Preview .*: failed \(comparison failed\)$/m);
});
