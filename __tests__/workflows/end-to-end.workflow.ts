// The job `end-to-end` of this project's own CI: `uses: ./`, after a real `npm ci`.
import { expect, test } from "@jest/globals";
import { runOwnJob } from "./support/own-job.ts";

test("the job end-to-end of ci.yml succeeds, although one of its steps has to fail", async () => {
  const ended = await runOwnJob("ci.yml", "end-to-end");

  const step = (name: string, result: string) => `end-to-end: Main ${name}, ${result}`;
  expect(ended.log).toContain("🏁  Job succeeded");
  expect(ended).toMatchObject({ succeeded: true, jobs: { "end-to-end": "success" } });
  expect(ended.steps).toEqual(
    expect.arrayContaining([
      step("Create", "success"),
      step("Update by name", "success"),
      step("Update by id, with a build that fails", "failure"),
      step("Delete", "success"),
      step("Compare the outputs with what should have happened", "success"),
    ]),
  );
}, 600_000);
