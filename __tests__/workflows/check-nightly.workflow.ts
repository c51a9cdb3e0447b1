import { expect, test } from "@jest/globals";
import { dispatch, push, schedule } from "./support/events.ts";
import { agentCode } from "./support/reader-repository.ts";
import { readyWorkflow, useReadyWorkflow } from "./support/use-workflow.ts";

const deploying = "evaluate.yml";
const others = { [deploying]: readyWorkflow(deploying) };
const { commit, run } = await useReadyWorkflow("check-nightly.yml", { others });

test("a next version that does not respond fails the job, and the alarm says how each check ended", async () => {
  const sha = await commit({ "agent.js": agentCode(1, "Paris") });
  await run(push(sha), { workflow: deploying });

  const ended = await run(schedule("23 3 * * *"));
  await run(dispatch({}));

  expect(ended).toMatchObject({ succeeded: false, jobs: { check: "failure" } });
  expect(ended.outputs("check", "production")).toMatchObject({ outcome: "passed" });
  expect(ended.outputs("check", "next")).toMatchObject({ outcome: "failed" });
  const [alarm = ""] = /The nightly check did not pass: see http.*\n.*\n.*\n.*/.exec(ended.log) ?? [];
  expect(alarm).toMatch(
    /^Production \(http.*\): The agent was checked\. The smoke test \\?"[^"]+" passed\.$/m,
  );
  expect(alarm).toMatch(/^Next version \(http.*\): The agent did not pass its checks\./m);
  expect(alarm).toMatch(/^Comparison: The agent did not pass its checks\..*nothing was compared/m);
}, 300_000);
