import { describe, expect, test } from "@jest/globals";
import type { Facts } from "../../../src/progress/facts.ts";
import { Progress } from "../../../src/progress/progress.ts";
import { leftRunning } from "../../../src/report/left-running.ts";
import { recordingContext } from "../../support/recording-context.ts";

function leftAfter(act: (progress: Progress) => void, more: Partial<Facts> = {}): string {
  const progress = new Progress(recordingContext({}));
  progress.note(more);
  act(progress);
  return leftRunning(progress.facts);
}

const nothing = "Nothing had been sent to the platform that changes anything.";

describe("of deletions a cancelled run leaves behind", () => {
  test.each<[string, (progress: Progress) => void, string]>([
    ["nothing, before the first", () => {}, nothing],
    ["a doubt", (it) => it.deleting("a"), "The deletion of deployment a may have taken effect."],
    [
      "no doubt of one that succeeded",
      (it) => {
        it.deleting("a");
        it.deleted("a");
      },
      "Deployment a was deleted.",
    ],
    [
      "nothing of one that surely had no effect",
      (it) => {
        it.deleting("a");
        it.settled();
      },
      nothing,
    ],
    [
      "what is done and what is in doubt",
      (it) => {
        for (const name of ["a", "b"]) it.deleted(name);
        it.deleting("c");
      },
      "Deployments a and b were deleted. The deletion of deployment c may have taken effect.",
    ],
    [
      "a few names of many",
      (it) => {
        for (const name of ["a", "b", "c", "d", "e", "f", "g"]) it.deleted(name);
      },
      "Deployments a, b, c, d, e and 2 more were deleted.",
    ],
  ])("%s", (_what, act, told) => expect(leftAfter(act)).toBe(told));

  test("and nothing that goes on, where this run's own deployment was deleted", () => {
    const own = { writtenAt: 1, deploymentId: "id", revisionId: "r-1" };
    expect(leftAfter((it) => it.deleted("a"), own)).toBe("Deployment a was deleted.");
  });
});

test("whether a deployment is well is told only where that is open, and its revision has ended", () => {
  const own = {
    writtenAt: 1,
    deploymentId: "id",
    revisionId: "r-1",
    statuses: [{ status: "DEPLOYED", at: 1 }],
  };
  const live = "Revision r-1 of deployment id is DEPLOYED.";
  expect(leftAfter(() => {}, own)).toBe(live);
  expect(leftAfter(() => {}, { ...own, healthIsOpen: true })).toBe(
    `${live} Whether it is well (health_check_path) wasn't known yet.`,
  );
});
