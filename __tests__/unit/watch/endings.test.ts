import { expect, test } from "@jest/globals";
import * as endings from "../../../src/deployment/watch-endings.ts";

const revision = {
  id: "r1",
  status: "BUILD_FAILED",
  createdAt: undefined,
  updatedAt: undefined,
  statusMessage: undefined,
  commitSha: undefined,
  source: undefined,
};

test("a revision that failed", () => {
  expect(endings.ofStatus("failed", revision)).toEqual({
    outcome: "failed",
    message: "Revision r1 failed with status BUILD_FAILED.",
    hint: "Read the revision's build and server logs on the platform; check app_config_path, repo_ref and secrets.",
  });
});

test("one that was passed over", () => {
  expect(endings.ofStatus("superseded", { ...revision, status: "SKIPPED" })).toEqual({
    outcome: "superseded",
    message: "Revision r1 was passed over for a newer one and ended as SKIPPED.",
    hint: "Nothing to do if the newer revision is meant; a concurrency group in the workflow keeps runs from overtaking each other.",
  });
});

test("one that was stopped", () => {
  expect(endings.ofStatus("interrupted", { ...revision, status: "INTERRUPTED" })).toEqual({
    outcome: "interrupted",
    message: "Revision r1 was stopped on the platform and ended as INTERRUPTED.",
    hint: "Someone interrupted it there; run this job again to deploy it.",
  });
});

test.each([
  [undefined, "Revision r1 is live."],
  ["https://agent.example/", "Revision r1 is live at https://agent.example/."],
])("one that is live, reached at %s", (url, message) => {
  expect(endings.deployed("r1", url)).toEqual({ outcome: "deployed", message });
});

test("one that was live before a newer one", () => {
  expect(endings.deployedBefore("r1", "r2")).toEqual({
    outcome: "deployed",
    message: "Revision r1 was deployed; the newer revision r2 is live by now.",
  });
});

test.each([
  [true, "Revision r1 is DEPLOYED, but after 30 min the live one is still the older revision r0."],
  [false, "Revision r1 is DEPLOYED, but after 30 min the live one is revision r0."],
])("one that never became the live one; the other is older: %p", (older, message) => {
  expect(endings.anotherStayedLive("r1", { id: "r0", older }, "30 min")).toEqual({
    outcome: "failed",
    message,
    hint: "Look at the deployment on the platform; raise timeout_seconds if it switches over slowly.",
  });
});

test("one that a newer one overtook", () => {
  expect(endings.newerIsLive("r1", "r2", "30 min")).toEqual({
    outcome: "superseded",
    message: "After 30 min the newer revision r2 is the live one; revision r1 didn't get to be.",
    hint: "Nothing to do if the newer one is meant; otherwise run this job again.",
  });
});

test.each([
  [undefined, undefined, "After 30 min revision r1 was never seen."],
  ["BUILDING", undefined, "After 30 min revision r1 is still BUILDING."],
  [
    "BUILDING",
    "No answer.",
    "After 30 min revision r1 was BUILDING when it was last seen. The last look failed: No answer.",
  ],
  [
    "DEPLOYED",
    undefined,
    "After 30 min revision r1 is DEPLOYED, but it couldn't be read whether it is the live one.",
  ],
])("one that didn't end in time, seen as %s, with the last miss %s", (status, lastMiss, message) => {
  expect(endings.timedOut("r1", { status, lastMiss }, "30 min")).toEqual({
    outcome: "timed_out",
    message,
    hint: `${lastMiss === undefined ? "It goes on" : "It may have ended by now, or go on"} by itself on the platform: look at it there, and raise timeout_seconds if it usually takes this long. Where environment is set, this job run again watches the same revision. A stuck revision holds up later ones.`,
  });
});
