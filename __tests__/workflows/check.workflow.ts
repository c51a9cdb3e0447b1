import { expect, test } from "@jest/globals";
import { dispatch, push, schedule } from "./support/events.ts";
import { agentCode } from "./support/reader-repository.ts";
import { readyWorkflow, useReadyWorkflow } from "./support/use-workflow.ts";

const deploying = "evaluate.yml";
const others = { [deploying]: readyWorkflow(deploying) };
const { commit, run } = await useReadyWorkflow("check.yml", { others });

async function deploy(capital: string) {
  const sha = await commit({ "agent.js": agentCode(1, capital) });
  await run(push(sha), { workflow: deploying });
}

test("an agent that answers rightly passes every hour, and one that does not fails the job", async () => {
  await deploy("Paris");
  const well = await run(schedule("41 * * * *"));
  await deploy("Rome");
  const wrong = await run(dispatch({}));

  expect(well).toMatchObject({ succeeded: true, jobs: { check: "success" } });
  expect(well.summary).toMatch(/## ✅ Check `http:\/\/127\.0\.0\.1:\d+`: passed/);
  expect(wrong).toMatchObject({ succeeded: false, jobs: { check: "failure" } });
  expect(wrong.outputs("check", "check")).toMatchObject({ outcome: "failed" });
});
