import { expect, test } from "@jest/globals";
import type { NotLiveYet } from "../../../src/deploy/watch/live-state.ts";
import * as endings from "../../../src/deploy/watch/watch-endings.ts";
import { classifyStatus } from "../../../src/platform/status.ts";
import { revisionOf } from "../support/wire.ts";

test.each([
  [
    "failed",
    "BUILD_FAILED",
    /failed with status BUILD_FAILED\.$/,
    /app_config_path, secrets, and repo_ref or source_path/,
  ],
  ["superseded", "SKIPPED", /superseded by a newer revision and ended as SKIPPED\.$/, /concurrency group/],
  [
    "interrupted",
    "INTERRUPTED",
    /interrupted on the platform and ended as INTERRUPTED\.$/,
    /Run this job again/,
  ],
] as const)("a revision that %s ends with its status and a hint", (kind, status, headline, hint) => {
  expect(endings.endedAs(kind, revisionOf({ id: "r1", status }))).toEqual({
    outcome: kind,
    headline: expect.stringMatching(headline),
    hint: expect.stringMatching(hint),
  });
});

test.each([
  [undefined, "Revision r1 is live."],
  ["https://agent.example/", "Revision r1 is live at https://agent.example/."],
])("a live revision with URL %s is deployed", (url, headline) => {
  expect(endings.deployed("r1", url)).toEqual({ outcome: "deployed", headline });
});

test("a revision that was live before a newer one is deployed", () => {
  expect(endings.deployedBefore("r1", "r2")).toEqual({
    outcome: "deployed",
    headline: "Revision r1 was deployed. The newer revision r2 is live now.",
  });
});

test.each<[NotLiveYet, string]>([
  [{ kind: "older", id: "r0" }, "the older revision r0 is still live."],
  [{ kind: "unknown", id: "r0" }, "revision r0 is live."],
  [{ kind: "none", previousId: "r0" }, "no revision is live. Before this run, it was r0."],
])("a revision that never became live failed: %j", (live, reason) => {
  expect(endings.neverLive("r1", live, "30 min")).toEqual({
    outcome: "failed",
    headline: `Revision r1 is DEPLOYED, but after 30 min ${reason}`,
    hint: expect.stringContaining("timeout_seconds"),
  });
});

test("a revision that a newer one overtook is superseded", () => {
  expect(endings.newerIsLive("r1", "r2", "30 min")).toEqual({
    outcome: "superseded",
    headline: expect.stringMatching(
      /^After 30 min the newer revision r2 is live; revision r1 was not deployed/,
    ),
    hint: expect.stringContaining("run this job again"),
  });
});

const unreadable = "After 30 min revision r1 is DEPLOYED, but which revision is live could not be read.";

test.each([
  [undefined, undefined, "After 30 min revision r1 was never seen."],
  ["BUILDING", undefined, "After 30 min revision r1 is still BUILDING."],
  ["BUILDING", "No response.", "After 30 min revision r1 was BUILDING when it was last seen."],
  ["DEPLOYED", undefined, unreadable],
  ["DEPLOYED", "No response.", unreadable],
])("a revision last seen as %s timed out; the last poll failed with %s", (status, failure, headline) => {
  const { details, hint, ...ending } = endings.timedOut(
    "r1",
    status === undefined ? undefined : classifyStatus(status),
    failure,
    "30 min",
  );

  expect(ending).toEqual({ outcome: "timed_out", headline });
  expect(details).toEqual(failure === undefined ? undefined : ["The last poll failed: No response."]);
  expect(hint).toMatch(
    failure === undefined ? /^Revision .* is still running on/ : /^Revision .* may still be running on/,
  );
  expect(hint).toMatch(/timeout_seconds.* environment /);
});
