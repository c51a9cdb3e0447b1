import { expect, test } from "@jest/globals";
import { answer } from "../../support/faults.ts";
import { expectError } from "../../support/scenario.ts";
import { startWithRevisions } from "./support.ts";

/** Two tests that the played agent passes. */
const both = `
- { name: answers, graph: agent, input: { messages: [{ role: user, content: hello }] } }
- { name: is well, request: GET /ok, expect: { json: { /ok: true } } }
`;

function resultsOf({ smoke_tests: tests = "null" }: Readonly<Record<string, string>>): unknown {
  return JSON.parse(tests);
}

test("a rollback checks what it made live with the checks of a deploy", async () => {
  const { ids, emulator, rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ health_check_path: "/ok", smoke_tests: both });

  const sent = emulator.requests.filter(({ path }) => path.startsWith("/live/"));
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /live/agent/ok",
    "GET /live/agent/info",
    "GET /live/agent/info",
    "GET /live/agent/ok",
    "POST /live/agent/runs/wait",
    "GET /live/agent/ok",
  ]);
  expect(run.outputs).toMatchObject({ outcome: "deployed", rolled_back_to: ids[0] });
  expect(resultsOf(run.outputs)).toMatchObject([
    { name: "answers", passed: true },
    { name: "is well", passed: true },
  ]);
  expect(run.infos.at(-1)).toContain("All 4 checks passed.");
});

test("a rollback to a revision that fails a smoke test fails, and that revision stays live", async () => {
  const { ids, emulator, rollBack, stored } = await startWithRevisions(["one", "two"]);
  emulator.addFault(answer("POST /runs/wait$", 500, { body: { detail: "no model" } }));

  const run = await rollBack({ smoke_tests: both });

  const { active_revision_id: live, revisions } = stored();
  expect(run.outputs).toMatchObject({ outcome: "failed", revision_id: live });
  expect(run.outputs).not.toHaveProperty("rolled_back_to");
  expect(revisions).toHaveLength(3);
  expect(resultsOf(run.outputs)).toMatchObject([{ passed: false }, { passed: true }]);
  const words = `Revision ${live} went live, but did not pass its checks. The smoke test "answers" failed`;
  expectError(run, words, "no model");
  expectError(run, `It has the content of revision ${ids[0]}, and stays live.`);
});

test("a rollback ignores the inputs of a deploy that it does not have", async () => {
  const { rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ verify_commit: "true", breaking_changes: "fail" });

  expect(run.outputs.outcome).toBe("deployed");
});

test("a rollback waits until the revision that it made responds, so that the others ask that one", async () => {
  const { ids, emulator, rollBack } = await startWithRevisions(["one", "two"]);
  const body = { host: { host_revision_id: ids[1] } };
  emulator.addFault(answer("GET /info$", 200, { body, times: 3 }));

  const run = await rollBack({ smoke_tests: both });

  expect(run.outputs.outcome).toBe("deployed");
  expect(run.infos).toContainEqual(
    expect.stringContaining(`does not respond yet: a response of revision ${ids[1]}`),
  );
});

test("a check needs wait: true", async () => {
  const { rollBack } = await startWithRevisions(["one", "two"]);

  const run = await rollBack({ health_check_path: "/ok", wait: "false" });

  expect(run.requests).toEqual([]);
  expectError(run, "health_check_path", "needs wait: true");
});
