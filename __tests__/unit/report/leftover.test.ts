import { describe, expect, test } from "@jest/globals";
import type { RunEvent } from "../../../src/events.ts";
import { classifyStatus } from "../../../src/platform/status.ts";
import { describeLeftover, hasEnded } from "../../../src/report/leftover.ts";
import { initialState, nextState } from "../../../src/report/run-state.ts";

const stateAfter = (...events: readonly RunEvent[]) => events.reduce(nextState, initialState(0));
const leftoverAfter = (...events: readonly RunEvent[]) => describeLeftover(stateAfter(...events));

const leaves = (leftover: string | undefined): RunEvent => ({ kind: "leftover_changed", leftover });
const deleted = (...titles: string[]) =>
  titles.map((title): RunEvent => ({ kind: "deployment_deleted", title }));
const status = (raw: string): RunEvent => ({ kind: "status_changed", status: classifyStatus(raw), at: 1 });
const written: RunEvent[] = [
  { kind: "planned", title: "agent" },
  { kind: "write_sent", at: 1 },
];
const started: RunEvent[] = [
  ...written,
  { kind: "deployment_identified", deploymentId: "d-1" },
  { kind: "revision_identified", revisionId: "r-1", typicalMs: undefined, isResumed: false },
];
const ended = [...started, status("BUILD_FAILED")];

describe("a run that is cancelled leaves behind", () => {
  test.each<[string, RunEvent[], RegExp]>([
    ["nothing before its write", [], /^No changes were sent\.$/],
    [
      "nothing after a write without effect",
      [...written, { kind: "write_rejected" }],
      /^No changes were sent\.$/,
    ],
    [
      "maybe a revision",
      written,
      /^A revision of deployment agent may have been started and may still be running on the platform\.$/,
    ],
    [
      "maybe a revision, which could not be interrupted",
      [...written, { kind: "interrupt_skipped" }],
      /may still be running on the platform\. It was not interrupted \(on_cancel: interrupt\)/,
    ],
    ["its revision", started, /^Revision r-1 of deployment d-1 is still running on the platform\.$/],
    [
      "its pending revision",
      [...started, status("QUEUED")],
      /^Revision r-1 .* is still running on the platform\.$/,
    ],
    ["its revision that has ended", ended, /^Revision r-1 of deployment d-1 is BUILD_FAILED\.$/],
    [
      "its revision without a result of the health check",
      [...started, status("DEPLOYED"), { kind: "check_changed", label: "health check" }],
      /is DEPLOYED\. Its health check was not finished\.$/,
    ],
    ["maybe what was being deleted", [leaves("It may be deleted.")], /^It may be deleted\.$/],
    [
      "nothing once the deletion had no effect",
      [leaves("It may be deleted."), leaves(undefined)],
      /^No changes/,
    ],
    [
      "a deletion that succeeded",
      [leaves("It may be deleted."), ...deleted("a")],
      /^Deployment a was deleted\.$/,
    ],
    [
      "deletions that succeeded and one that may have",
      [...deleted("a", "b"), leaves("c may be deleted.")],
      /^Deployments a and b were deleted\. c may be deleted\.$/,
    ],
    [
      "five deletions by name",
      deleted("a", "b", "c", "d", "e"),
      /^Deployments a, b, c, d and e were deleted\.$/,
    ],
    [
      "more deletions by number",
      deleted("a", "b", "c", "d", "e", "f", "g"),
      /^Deployments a, b, c, d, e and 2 more were deleted\.$/,
    ],
    [
      "no revision of a deployment that it deleted",
      [...started, ...deleted("a")],
      /^Deployment a was deleted\.$/,
    ],
    [
      "a rollback, and its own revision that failed",
      [...ended, leaves("The rollback is still running.")],
      /^The rollback is still running\. This run's own revision r-1 ended as BUILD_FAILED\.$/,
    ],
    [
      "a rollback, and the reason why its own revision failed",
      [
        ...ended,
        { kind: "revision_read", commitSha: undefined, statusMessage: "No disk" },
        leaves("The rollback is still running."),
      ],
      /r-1 ended as BUILD_FAILED: No disk\.$/,
    ],
    ["an interruption", [...started, leaves("It was interrupted.")], /^It was interrupted\.$/],
  ])("a cancelled run reports: %s", (_what, events, expected) => {
    expect(leftoverAfter(...events)).toMatch(expected);
  });
});

test.each([
  [undefined, false],
  ["QUEUED", false],
  ["NEW_STATUS", false],
  ["DEPLOYED", true],
  ["SKIPPED", true],
])("a revision that was last seen as %s has ended: %p", (raw, expected) => {
  expect(hasEnded(stateAfter(...(raw === undefined ? [] : [status("BUILDING"), status(raw)])))).toBe(
    expected,
  );
});
